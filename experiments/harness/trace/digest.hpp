// SPDX-License-Identifier: BSD-3-Clause
// The digest of a finished file: SHA-256 of all bytes except the last 72 of the user block, which hold the digest
// (docs/trace_format.md). It is checked before HDF5 opens the file.
#pragma once

#include <filesystem>
#include <string>

namespace deformbench::harness {

inline constexpr std::size_t kUserBlockBytes = 512;
inline constexpr std::size_t kDigestRecordBytes = 72;              ///< "sha256 ", 64 digits, a newline
inline constexpr const char* kDigestPlace = "sha256 at byte 440";  ///< /provenance attribute digest

/// The user block: `text` (at most 440 bytes) and the digest of the resulting file. std::system_error if the file
/// cannot be read.
std::string sealed_block(int descriptor, std::string text);

struct Integrity {
  enum class State {
    Intact,
    NoDigest,  ///< written by another program or an earlier version
    Damaged,
  };
  State state = State::NoDigest;
  std::string found, expected;  ///< if damaged

  /// "damaged or changed after …: found …, expected …"
  std::string text() const;
};

/// Reads the whole file if it has a digest. NoDigest if it cannot be opened.
Integrity check_integrity(const std::filesystem::path& file);
bool carries_digest(const std::filesystem::path& file);  ///< reads the user block only
void require_intact(const std::filesystem::path& file);  ///< InputError if it is damaged

}  // namespace deformbench::harness
