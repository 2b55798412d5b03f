// SPDX-License-Identifier: BSD-3-Clause
// Work on untrusted files in a child process: HDF5 1.10 crashes or hangs on some damaged files, which must become a
// one-line error instead of ending the command.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::harness {

/// "<file>: <why>; expected …": reading the file crashes or hangs.
class HarmfulFile : public InputError {
 public:
  HarmfulFile(const std::filesystem::path& file, std::string reason);
  std::string why;
};

/// Parts of the text of HarmfulFile::why.
struct HarmWords {
  const char* takes = "damaged: reading it takes";
  const char* crashes = "damaged: HDF5 crashes on it";
  const char* ends = "damaged: the process that reads it ends without a word";
};

/// Runs `work` in a child process and returns its result. HarmfulFile if the child crashes, exceeds `seconds` of
/// processor time (0: three, plus five per MB of the file) or ten times that on the wall clock, exceeds its memory
/// limit, or throws anything but InputError and TraceWriteError (trace_writer.hpp), which are passed on. `work`
/// cannot change the memory of this process.
std::string contained(const std::filesystem::path& file, const std::function<std::string()>& work, double seconds = 0,
                      const HarmWords& words = {});

/// "SIGKILL"; a number for real-time signals, which have no name.
std::string signal_name(int signal);

/// InputError if the file contradicts its digest. Without digest, every attribute and dataset is read once in a child
/// process: HarmfulFile if that crashes or hangs. Merely unreadable objects pass.
void require_harmless(const std::filesystem::path& file);

}  // namespace deformbench::harness
