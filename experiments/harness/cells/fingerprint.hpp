// SPDX-License-Identifier: BSD-3-Clause
// Which sources a result came from: part of the cell's id and of its provenance.
#pragma once

#include <functional>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::harness {

/// 32 hexadecimal digits over the sources of the method's CMake target and of what it links, flags and compiler.
/// For a method that is not built in: over the bytes of the running executable.
std::string method_fingerprint(const std::string& method_id);

/// True when `method_id` is in the table compiled in.
bool has_source_fingerprint(const std::string& method_id);

/// For a method that came with the command line: over the bytes of its plug-in or program. `again` computes it anew
/// from the files as they are then.
void declare_fingerprint(const std::string& method_id, const std::string& fingerprint,
                         std::function<std::string()> again = nullptr);

/// The plug-in or program of a method is no longer the one that its cells are named after.
class CodeChanged : public InputError {
 public:
  explicit CodeChanged(const std::string& method_id);
};

/// Throws CodeChanged when the files of a declared method have another fingerprint now, or cannot be read.
void require_unchanged_code(const std::string& method_id);

/// The same over what measures: scenes, probes, run loop. A finished cell with another one is run again.
std::string harness_fingerprint();

}  // namespace deformbench::harness
