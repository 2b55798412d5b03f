// SPDX-License-Identifier: BSD-3-Clause
// Files whose names come from outside, before they are opened for reading or writing.
#pragma once

#include <filesystem>
#include <string>

namespace deformbench::harness {

/// InputError if `file` is a regular file of size 0, as those of /proc are: some would be waited for. `expected`
/// completes the message, as "a JSON file".
void require_content(const std::filesystem::path& file, const std::string& expected);

/// InputError if `file` is a pipe that nobody reads: opening it for writing would wait for a reader.
void require_no_waiting(const std::filesystem::path& file);

}  // namespace deformbench::harness
