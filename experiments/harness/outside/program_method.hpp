// SPDX-License-Identifier: BSD-3-Clause
// An external program as a method: it receives the scene and returns positions after every step.
#pragma once

#include <functional>
#include <string>

#include "methods/method.hpp"

namespace deformbench::harness {

struct Program {
  MethodDescriptor descriptor;
  std::string fingerprint;  ///< over its words and the files among them, before it was started
  std::function<std::string()> fingerprint_now;
};

/// Starts the program of `option` ("command" or "id=command"), asks it to describe itself, and ends it. InputError
/// (one line) if it cannot be started, does not answer, or describes no method.
Program described_program(const std::string& option);

}  // namespace deformbench::harness
