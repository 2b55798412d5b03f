// SPDX-License-Identifier: BSD-3-Clause
// SHA-256 (FIPS 180-4), for the digest of a finished trace.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace deformbench::harness {

class Sha256 {
 public:
  /// `portable`: do not use the processor's SHA instructions.
  explicit Sha256(bool portable = false);
  void add(std::string_view bytes);
  std::string hex();  ///< 64 digits; ends the message

 private:
  using Compress = void (*)(std::array<std::uint32_t, 8>& state, const unsigned char* blocks, std::size_t count);
  Compress compress_;
  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t length_ = 0;  ///< bytes
};

std::string sha256(std::string_view bytes);

}  // namespace deformbench::harness
