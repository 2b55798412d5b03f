// SPDX-License-Identifier: BSD-3-Clause
// An archive of results for a paper's supplement: specs, CSV, checksums; the traces too if wanted.
#pragma once

#include <cstddef>
#include <filesystem>

namespace deformbench::harness {

struct PackOptions {
  bool include_traces = false;  ///< the .h5 files themselves
};

struct Packed {
  std::size_t traces = 0, csv_files = 0;
};

/// Writes `archive` (.tar.gz, atomically) of all traces below `folder`:
///   specs/<path>.json            the resolved spec of each cell, re-runnable with `deformbench run`
///   csv/<path>/<clock>.csv       its series of at most nine numbers a row, full precision, units in the
///   header traces/<path>.h5             with include_traces manifest.json                status, method,
///   experiment, commit and SHA-256 of each trace SHA256SUMS                   of every file of the archive;
///   checked by `sha256sum -c SHA256SUMS`
/// The same results give the same bytes. InputError if there is no trace below `folder`, or one is
/// unreadable.
Packed pack(const std::filesystem::path& folder, const std::filesystem::path& archive, const PackOptions& options = {});

}  // namespace deformbench::harness
