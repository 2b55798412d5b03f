// SPDX-License-Identifier: BSD-3-Clause
// Life of a `.part` for those who write one: created unseen, filled, published, finished.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_file.hpp"

namespace deformbench::harness {

/// An HDF5 file open for writing below its `.part` name.
struct PartFile {
  h5::Handle file;
  int descriptor = -1;  ///< for the user block and fsync
  std::filesystem::path part, final_path;
};

/// Creates the file (and its folders) under a name of this process, so that it can be filled before
/// publish_part() shows it as `<final_path>.part`. Throws TraceLocked if that exists, h5::Error,
/// std::system_error.
PartFile create_part(const std::filesystem::path& final_path);
void publish_part(PartFile& part);   ///< gives the file its name; TraceLocked if another was first
void withdraw_part(PartFile& part);  ///< removes a file that was never published

/// Rewrites status and reason in the user block; never throws, needs no free space.
void note_part_status(const PartFile& part, const std::string& status, const std::string& reason) noexcept;

/// Closes the HDF5 file, looks at it with `check`, says in the user block that it is whole, with its digest, and syncs
/// it. It is still this process's `.part`.
void seal_part(
    PartFile& part, const std::function<void()>& check = [] {});
/// Renames the sealed file to its final name (replacing an older file) and syncs the folder. std::system_error if the
/// `.part` is no longer the file that this process wrote.
void name_part(PartFile& part);
/// Both. What `check` throws leaves a `.part`.
void finish_part(
    PartFile& part, const std::function<void()>& check = [] {});

/// A whole file in one go: created, filled by `fill`, published, finished. Any failure to write becomes
/// TraceWriteError (trace_writer.hpp), and leaves nothing behind and the HDF5 file unclosed; TraceLocked
/// passes.
void write_whole_file(const std::filesystem::path& final_path, const std::function<void(hid_t file)>& fill);

}  // namespace deformbench::harness
