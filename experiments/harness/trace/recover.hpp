// SPDX-License-Identifier: BSD-3-Clause
// Makes a trace from the `.part` of a killed or failed process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/harness/trace/trace_writer.hpp"

namespace deformbench::harness {

struct RecoverOptions {
  std::filesystem::path output = {};          ///< default: `<cell>.recovered.h5` beside the part
  CellStatus status = CellStatus::Failed;     ///< e.g. timeout, if the process was killed for it
  std::string reason = {};                    ///< follows "recovered after "; default: taken from the part
  bool force = false;                         ///< even if the writer seems alive
  bool remove_part = false;                   ///< remove it once the new file is in place
  nlohmann::json spec = {}, provenance = {};  ///< of the cell, if known; replace torn parts of /provenance
};

struct Recovered {
  std::filesystem::path output;
  std::map<std::string, std::vector<std::int64_t>> rows;  ///< by clock, then member
  std::int64_t frames = 0;                                ///< groups of /frames
  std::vector<std::string> lost;                          ///< unreadable objects, with the reason
};

/// Reads the part in a child process (contained.hpp). Keeps the rows of every clock up to the last complete batch and
/// all counted frames, bit for bit as flushed, and the readable part of root attributes and /provenance,
/// completed from the options. In the part itself, only the lengths of file and superblock are made to agree (after a
/// kill they may differ, and HDF5 then fails to open the file or ignores its end). Throws TraceLocked if the writer
/// is alive, InputError if `part` is not a part or nothing is readable, TraceWriteError if the new file cannot be
/// written.
Recovered recover(const std::filesystem::path& part, const RecoverOptions& options = {});

}  // namespace deformbench::harness
