// SPDX-License-Identifier: BSD-3-Clause
// The state of the source tree when it was built; defined in a generated file that alone is rebuilt when it
// changes.
#pragma once

namespace deformbench::harness {

const char* git_commit();  ///< 40 hexadecimal digits, or "unknown" outside a git checkout
const char* git_state();   ///< clean, dirty or unknown

}  // namespace deformbench::harness
