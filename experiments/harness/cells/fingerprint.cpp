// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/fingerprint.hpp"

#include "experiments/harness/cells/fingerprint_table.hpp"
#include "experiments/harness/files/hash.hpp"

#include <map>

namespace deformbench::harness {
namespace {

struct Declared {
  std::string fingerprint;
  std::function<std::string()> again;
};

/// Methods from the command line. Filled before the first cell is named.
std::map<std::string, Declared>& declared_fingerprints() {
  static std::map<std::string, Declared> fingerprints;
  return fingerprints;
}

}  // namespace

bool has_source_fingerprint(const std::string& method_id) {
  for (const auto& [id, fingerprint] : compiled_method_fingerprints()) {
    if (id == method_id) return true;
  }
  return false;
}

std::string method_fingerprint(const std::string& method_id) {
  for (const auto& [id, fingerprint] : compiled_method_fingerprints()) {
    if (id == method_id) return fingerprint;
  }
  if (const auto found = declared_fingerprints().find(method_id); found != declared_fingerprints().end())
    return found->second.fingerprint;
  // An external method is linked into the running program, whose bytes stand for its sources.
  static const std::string executable = xxh3_128_of_file("/proc/self/exe");
  return executable;
}

void declare_fingerprint(const std::string& method_id, const std::string& fingerprint,
                         std::function<std::string()> again) {
  declared_fingerprints()[method_id] = {fingerprint, std::move(again)};
}

CodeChanged::CodeChanged(const std::string& method_id)
    : InputError("method " + method_id +
                 ": its plug-in or program changed while it was run, expected the same files to the end; cells that "
                 "ended before stay, `run` makes the others") {}

void require_unchanged_code(const std::string& method_id) {
  const auto found = declared_fingerprints().find(method_id);
  if (found == declared_fingerprints().end() || !found->second.again) return;
  try {
    if (found->second.again() == found->second.fingerprint) return;
  } catch (const InputError&) {  // file is gone
  }
  throw CodeChanged(method_id);
}

std::string harness_fingerprint() {
  return compiled_harness_fingerprint();
}

}  // namespace deformbench::harness
