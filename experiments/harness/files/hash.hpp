// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace deformbench::harness {

/// XXH3-128 as 32 hexadecimal digits.
std::string xxh3_128(std::string_view bytes);
/// The same over a file's bytes. Throws InputError when it cannot be read.
std::string xxh3_128_of_file(const std::filesystem::path& file);
/// SHA-256 over a file's bytes, for programs without XXH3. Throws InputError when it cannot be read.
std::string sha256_of_file(const std::filesystem::path& file);
/// Sorted keys, no spaces, shortest decimals that round-trip.
std::string canonical_json(const nlohmann::json& value);

}  // namespace deformbench::harness
