// SPDX-License-Identifier: BSD-3-Clause
// Origin of a trace: the attributes of /provenance (docs/trace_format.md). Unavailable ones are "unknown", never
// absent.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace deformbench::harness {

/// Kind of this processor: model name, and family and model numbers, since virtual machines shorten the name.
std::string processor_name();
/// Same from text formatted as /proc/cpuinfo; "unknown" without a model name.
std::string processor_name(std::istream& cpuinfo);

/// At build time: git_commit (40 hexadecimal digits), git_state (clean, dirty) of the source tree, compiler, flags,
/// build_type, and versions of Eigen, Spectra and HDF5.
nlohmann::json build_provenance();

/// Current state of this machine: host, os, cpu, cores (available to this process), load_1min, governor, boost.
nlohmann::json machine_provenance();

struct RunFacts {
  int threads = 1;
  std::int64_t seed = 0;
  std::string method_fingerprint;  ///< method's sources, flags and compiler
};
/// build_provenance(), machine_provenance(), the facts, `floating_point` (floating_point.hpp) and `started` (now).
nlohmann::json run_provenance(const RunFacts& facts);

/// Attribute of /provenance: processor_seconds() of the cell's process when it finished; NaN until then.
inline constexpr const char* kProcessorTime = "processor_time_s";
/// User + system time (s) of this process and waited-for children.
double processor_seconds();

/// Current time, "2026-01-31T12:34:56Z".
std::string utc_now();
/// Same for a time in seconds since 1970.
std::string utc_time(std::int64_t seconds_since_epoch);

}  // namespace deformbench::harness
