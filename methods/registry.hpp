// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "methods/method.hpp"

namespace deformbench {

/// Methods by id. Registration is explicit: register_fem(registry).
class Registry {
 public:
  /// Throws InputError if the id is taken or not snake_case, or a function is missing. A method that is not built
  /// supports no scene, and gives the reason.
  void add(MethodDescriptor descriptor);
  /// Throws InputError naming the known ids when `id` is unknown.
  const MethodDescriptor& at(const std::string& id) const;
  bool contains(const std::string& id) const;
  const std::vector<MethodDescriptor>& all() const { return methods_; }

 private:
  std::vector<MethodDescriptor> methods_;
};

/// All built-in methods. Generated from the list of folders in methods/CMakeLists.txt.
Registry builtin_registry();

}  // namespace deformbench
