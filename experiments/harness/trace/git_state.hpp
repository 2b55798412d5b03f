// SPDX-License-Identifier: BSD-3-Clause
// State of the source tree at build time, defined in a generated file: a change recompiles only that file.
#pragma once

namespace deformbench::harness {

const char* git_commit();  ///< 40 hexadecimal digits, or "unknown" outside a git checkout
const char* git_state();   ///< clean, dirty or unknown

}  // namespace deformbench::harness
