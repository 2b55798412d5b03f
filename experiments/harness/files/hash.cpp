// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/files/hash.hpp"

#include <xxhash.h>

#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "experiments/harness/trace/sha256.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

std::string hexadecimal(XXH128_hash_t hash) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx", static_cast<unsigned long long>(hash.high64),
                static_cast<unsigned long long>(hash.low64));
  return text;
}

/// Calls `take` with consecutive blocks of the file.
template <class Take>
void read_blocks(const std::filesystem::path& file, Take&& take) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(file.string() + ": cannot be read");
  std::vector<char> buffer(1 << 16);
  while (in.read(buffer.data(), std::streamsize(buffer.size())), in.gcount() > 0)
    take(std::string_view(buffer.data(), std::size_t(in.gcount())));
}

}  // namespace

std::string xxh3_128(std::string_view bytes) {
  return hexadecimal(XXH3_128bits(bytes.data(), bytes.size()));
}

std::string xxh3_128_of_file(const std::filesystem::path& file) {
  const std::unique_ptr<XXH3_state_t, decltype(&XXH3_freeState)> state(XXH3_createState(), &XXH3_freeState);
  XXH3_128bits_reset(state.get());
  read_blocks(file, [&](std::string_view block) { XXH3_128bits_update(state.get(), block.data(), block.size()); });
  return hexadecimal(XXH3_128bits_digest(state.get()));
}

std::string sha256_of_file(const std::filesystem::path& file) {
  Sha256 hash;
  read_blocks(file, [&](std::string_view block) { hash.add(block); });
  return hash.hex();
}

std::string canonical_json(const nlohmann::json& value) {
  return value.dump();
}

}  // namespace deformbench::harness
