// SPDX-License-Identifier: BSD-3-Clause
// Checks of file names given by the user, before opening: some files would block.
#pragma once

#include <filesystem>
#include <string>

namespace deformbench::harness {

/// InputError if `file` is a regular file of size 0, as in /proc, where reading may block. `expected` completes the
/// message, e.g. "a JSON file".
void require_content(const std::filesystem::path& file, const std::string& expected);

/// InputError if `file` is a pipe without reader: opening it for writing would block.
void require_no_waiting(const std::filesystem::path& file);

}  // namespace deformbench::harness
