// SPDX-License-Identifier: BSD-3-Clause
// Makes a trace of the `.part` that a killed or failed process left behind.
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
  CellStatus status = CellStatus::Failed;     ///< timeout, say, when that is why the process was killed
  std::string reason = {};                    ///< follows "recovered after "; default: what the part itself says
  bool force = false;                         ///< also when the writer seems to be alive
  bool remove_part = false;                   ///< once the new file is in place
  nlohmann::json spec = {}, provenance = {};  ///< of the cell, where known: stand in for what of /provenance is torn
};

struct Recovered {
  std::filesystem::path output;
  std::map<std::string, std::vector<std::int64_t>> rows;  ///< by clock, then member
  std::int64_t frames = 0;                                ///< groups of /frames
  std::vector<std::string> lost;                          ///< objects that could not be read, with the reason
};

/// Reads the part in a process of its own (contained.hpp). Keeps, of every clock, the rows up to the last whole batch,
/// and every counted frame; bit-equal to what was flushed. Root attributes and /provenance are kept as far as they can
/// be read, and completed from the options. The part's file is only extended to the end its superblock names (a kill
/// leaves it shorter, and HDF5 then refuses to open it). Throws TraceLocked if the writer is alive, InputError if
/// `part` is none or nothing of it can be read, TraceWriteError if the new file cannot be written.
Recovered recover(const std::filesystem::path& part, const RecoverOptions& options = {});

}  // namespace deformbench::harness
