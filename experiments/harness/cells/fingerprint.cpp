// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/fingerprint.hpp"

#include "experiments/harness/cells/fingerprint_table.hpp"
#include "experiments/harness/cells/hash.hpp"

namespace deformbench::harness {

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
  // A method from outside is linked into the running program: its bytes are all that is known of its sources.
  static const std::string executable = xxh3_128_of_file("/proc/self/exe");
  return executable;
}

std::string harness_fingerprint() {
  return compiled_harness_fingerprint();
}

}  // namespace deformbench::harness
