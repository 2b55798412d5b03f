// SPDX-License-Identifier: BSD-3-Clause
// Where a trace comes from: the attributes of /provenance (docs/trace_format.md). What cannot be found out is
// "unknown", never absent.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace deformbench::harness {

/// Of the source tree when this library was built: git_commit (40 hexadecimal digits), git_state (clean,
/// dirty); compiler, flags, build_type, and the versions of Eigen, Spectra and HDF5.
nlohmann::json build_provenance();

/// Of this machine now: host, os, cpu, cores (available to this process), load_1min, governor, boost.
nlohmann::json machine_provenance();

struct RunFacts {
  int threads = 1;
  std::int64_t seed = 0;
  std::string method_fingerprint;  ///< of the method's sources, flags and compiler
};
/// Both of the above, the facts, `floating_point` (floating_point.hpp) and `started` (now).
nlohmann::json run_provenance(const RunFacts& facts);

/// Attribute of /provenance: processor_seconds() of the cell's process when it finished, not a number until then.
inline constexpr const char* kProcessorTime = "processor_time_s";
/// User and system time, of this process and of those that it has waited for.
double processor_seconds();

/// Now, "2026-01-31T12:34:56Z".
std::string utc_now();
/// The same of a time in seconds since 1970.
std::string utc_time(std::int64_t seconds_since_epoch);

}  // namespace deformbench::harness
