// SPDX-License-Identifier: BSD-3-Clause
// Stages of writing a `.part`: created under a temporary name, filled, published, finished.
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

/// Creates the file (and its folders) under a temporary name, to be filled before publish_part() names it
/// `<final_path>.part`. Throws TraceLocked if that exists, h5::Error, std::system_error.
PartFile create_part(const std::filesystem::path& final_path);
void publish_part(PartFile& part);   ///< names the file; TraceLocked if another process was first
void withdraw_part(PartFile& part);  ///< removes an unpublished file

/// Rewrites status and reason in the user block; never throws, needs no free space.
void note_part_status(const PartFile& part, const std::string& status, const std::string& reason) noexcept;

/// Closes the HDF5 file, runs `check` on it, writes status and digest into the user block, and syncs it. It remains
/// this process's `.part`.
void seal_part(
    PartFile& part, const std::function<void()>& check = [] {});
/// Renames the sealed file to its final name (replacing an older file) and syncs the folder. std::system_error if
/// another file has replaced the `.part`.
void name_part(PartFile& part);
/// seal_part() and name_part(). If `check` throws, a `.part` remains.
void finish_part(
    PartFile& part, const std::function<void()>& check = [] {});

/// Creates, fills (with `fill`), publishes and finishes a file. Any failure to write becomes TraceWriteError
/// (trace_writer.hpp): no file remains, the HDF5 handle stays open. TraceLocked passes.
void write_whole_file(const std::filesystem::path& final_path, const std::function<void(hid_t file)>& fill);

}  // namespace deformbench::harness
