// SPDX-License-Identifier: BSD-3-Clause
// Which sources a result came from: part of the cell's id and of its provenance.
#pragma once

#include <string>

namespace deformbench::harness {

/// 32 hexadecimal digits over the sources of the method's CMake target and of what it links, flags and compiler.
/// For a method that is not built in: over the bytes of the running executable.
std::string method_fingerprint(const std::string& method_id);

/// True when `method_id` is in the table compiled in.
bool has_source_fingerprint(const std::string& method_id);

/// For a method that came with the command line: over the bytes of its plug-in or program.
void declare_fingerprint(const std::string& method_id, const std::string& fingerprint);

/// The same over what measures: scenes, probes, run loop. A finished cell with another one is run again.
std::string harness_fingerprint();

}  // namespace deformbench::harness
