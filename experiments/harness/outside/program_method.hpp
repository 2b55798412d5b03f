// SPDX-License-Identifier: BSD-3-Clause
// A foreign program as a method: it gets the scene, and gives back positions after every step.
#pragma once

#include <functional>
#include <string>

#include "methods/method.hpp"

namespace deformbench::harness {

struct Program {
  MethodDescriptor descriptor;
  std::string fingerprint;  ///< over its words and the files among them, taken before it was started
  std::function<std::string()> fingerprint_now;
};

/// Starts the program of `option` ("command" or "id=command"), asks it to describe itself, and ends it. InputError in
/// one line when it cannot be started, does not answer, or describes no method.
Program described_program(const std::string& option);

}  // namespace deformbench::harness
