// SPDX-License-Identifier: BSD-3-Clause
// Source fingerprints, stored in provenance; the method's enters the cell id.
#pragma once

#include <functional>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::harness {

/// Hash (32 hexadecimal digits) of the sources of the method's CMake target and its dependencies, flags and compiler.
/// Otherwise the declared hash, or that of the running executable.
std::string method_fingerprint(const std::string& method_id);

/// True when `method_id` is in the compiled-in table.
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
