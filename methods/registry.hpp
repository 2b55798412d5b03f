// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

#include "methods/method.hpp"

namespace deformbench {

/// Methods by id. Registration is explicit: register_fem(registry).
class Registry {
 public:
  /// Throws InputError when the id is taken or not snake_case, or a member is missing. One that is not built supports
  /// no scene, and says why.
  void add(MethodDescriptor descriptor);
  /// Throws InputError naming the known ids when `id` is unknown.
  const MethodDescriptor& at(const std::string& id) const;
  bool contains(const std::string& id) const;
  const std::vector<MethodDescriptor>& all() const { return methods_; }

 private:
  std::vector<MethodDescriptor> methods_;
};

/// Everything that is built in. Generated from the list of folders in methods/CMakeLists.txt.
Registry builtin_registry();

}  // namespace deformbench
