// SPDX-License-Identifier: BSD-3-Clause
// What cmake/fingerprint.cmake compiles in. Use fingerprint.hpp.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace deformbench::harness {

const std::vector<std::pair<std::string, std::string>>& compiled_method_fingerprints();
const char* compiled_harness_fingerprint();

}  // namespace deformbench::harness
