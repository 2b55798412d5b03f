// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdexcept>
#include <string>

namespace deformbench {

/// Bad input from a user (file, parameter, plug-in): one line that says what, where and what was expected. The
/// command then ends with exit code 2.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace deformbench
