// SPDX-License-Identifier: BSD-3-Clause
// Fingerprints of the sources of a result: part of the cell's id and provenance.
#pragma once

#include <functional>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::harness {

/// 32 hexadecimal digits over the sources of the method's CMake target and its dependencies, flags and compiler. For
/// a method that is not built in: over the bytes of the running executable.
std::string method_fingerprint(const std::string& method_id);

/// True when `method_id` is in the table compiled in.
bool has_source_fingerprint(const std::string& method_id);

/// Declares the fingerprint of a command-line method (bytes of its plug-in or program). `again` recomputes it from
/// the current files.
void declare_fingerprint(const std::string& method_id, const std::string& fingerprint,
                         std::function<std::string()> again = nullptr);

/// The plug-in or program has changed since its cells got their ids.
class CodeChanged : public InputError {
 public:
  explicit CodeChanged(const std::string& method_id);
};

/// Throws CodeChanged if the files of a declared method now have another fingerprint or are unreadable.
void require_unchanged_code(const std::string& method_id);

/// Fingerprint of scenes, probes and run loop. A finished cell with a different one is run again.
std::string harness_fingerprint();

}  // namespace deformbench::harness
