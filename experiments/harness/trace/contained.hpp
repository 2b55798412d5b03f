// SPDX-License-Identifier: BSD-3-Clause
// Work on a file that may hold anything, in a process of its own: HDF5 1.10 crashes or hangs on some damaged files, and
// that is to be one line about the file and not the end of the command.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::harness {

/// "<file>: <why>; expected …": the file is what ends the work on it.
class HarmfulFile : public InputError {
 public:
  HarmfulFile(const std::filesystem::path& file, std::string reason);
  std::string why;
};

/// How HarmfulFile::why says it.
struct HarmWords {
  const char* takes = "damaged: reading it takes";
  const char* crashes = "damaged: HDF5 crashes on it";
  const char* ends = "damaged: the process that reads it ends without a word";
};

/// Runs `work` in a child process and returns what it returns. HarmfulFile when the child crashes, takes more processor
/// time than `seconds` (0: three, and five more for every MB of the file) or ten times that on the clock, wants more
/// memory than it may have, or throws anything but InputError and TraceWriteError (trace_writer.hpp), which pass.
/// Nothing that `work` does to the memory of this process remains.
std::string contained(const std::filesystem::path& file, const std::function<std::string()>& work, double seconds = 0,
                      const HarmWords& words = {});

/// InputError if the file is not as its digest says, HarmfulFile if it has no digest and HDF5 cannot be let loose on
/// it: every attribute and dataset is read once in a child process. What is merely unreadable passes.
void require_harmless(const std::filesystem::path& file);

}  // namespace deformbench::harness
