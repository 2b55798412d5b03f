// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/digest.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <vector>

#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/sha256.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr std::size_t kTextBytes = kUserBlockBytes - kDigestRecordBytes;
constexpr std::size_t kReadBytes = std::size_t{1} << 20;
constexpr std::string_view kAlgorithm = "sha256 ";

/// Descriptor of a regular file, else −1. Does not block on a pipe.
struct Descriptor {
  explicit Descriptor(const std::filesystem::path& file)
      : value(open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    struct stat about {};
    if (value >= 0 && (fstat(value, &about) != 0 || !S_ISREG(about.st_mode))) {
      close(value);
      value = -1;
    }
  }
  ~Descriptor() {
    if (value >= 0) close(value);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value;
};

/// Digest of `text` and everything after the user block.
std::string digest_of(int descriptor, std::string_view text) {
  Sha256 hash;
  hash.add(text);
  std::vector<char> buffer(kReadBytes);
  for (off_t at = kUserBlockBytes;;) {
    const ssize_t count = pread(descriptor, buffer.data(), buffer.size(), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw std::system_error(errno, std::generic_category(), "the file's content cannot be read");
    if (count == 0) return hash.hex();
    hash.add({buffer.data(), std::size_t(count)});
    at += count;
  }
}

std::string user_block(int descriptor) {
  std::string block(kUserBlockBytes, '\0');
  const ssize_t count = pread(descriptor, block.data(), block.size(), 0);
  block.resize(count > 0 ? std::size_t(count) : 0);
  return block;
}

bool has_record(const std::string& block) {
  return block.size() == kUserBlockBytes && block.substr(kTextBytes).starts_with(kAlgorithm) && block.back() == '\n';
}

/// Corrupted digits must not reach the terminal.
std::string printable(std::string text) {
  for (char& c : text)
    if (c < ' ' || c > '~') c = '?';
  return text;
}

/// Whether /provenance states that the user block has a digest.
bool promises_digest(const std::filesystem::path& file) {
  const auto look = [&]() -> std::string {
    try {
      const h5::Handle handle = h5::open_file(file);
      const bool promised = h5::is_group(handle.get(), "/provenance") &&
                            h5::has_attribute(h5::open_group(handle.get(), "/provenance").get(), "digest");
      return promised ? "yes" : "no";
    } catch (const h5::Error&) {
      return "no";
    }
  };
  try {
    return contained(file, look) == "yes";
  } catch (const InputError&) {
    return false;  // its reader reports the error
  }
}

}  // namespace

std::string sealed_block(int descriptor, std::string text) {
  text.resize(kTextBytes, '\0');
  return text + fmt::format("{}{}\n", kAlgorithm, digest_of(descriptor, text));
}

std::string Integrity::text() const {
  return fmt::format("damaged or changed after it was written: found {}, expected {}", found, expected);
}

Integrity check_integrity(const std::filesystem::path& file) {
  const Descriptor descriptor(file);
  if (descriptor.value < 0) return {};
  const std::string block = user_block(descriptor.value);
  if (!has_record(block)) {
    if (!promises_digest(file)) return {};
    return {Integrity::State::Damaged, "no digest in its first 512 bytes", "one at byte 440, as /provenance says"};
  }
  const std::string stored = block.substr(kTextBytes + kAlgorithm.size(), 64);
  std::string found;
  try {
    found = digest_of(descriptor.value, std::string_view(block).substr(0, kTextBytes));
  } catch (const std::system_error& error) {
    return {Integrity::State::Damaged, error.what(), "readable content"};
  }
  if (found == stored) return {Integrity::State::Intact, "", ""};
  return {Integrity::State::Damaged, fmt::format("content of SHA-256 {}…", found.substr(0, 16)),
          fmt::format("{}… as its first 512 bytes say", printable(stored.substr(0, 16)))};
}

bool carries_digest(const std::filesystem::path& file) {
  const Descriptor descriptor(file);
  return descriptor.value >= 0 && has_record(user_block(descriptor.value));
}

void require_intact(const std::filesystem::path& file) {
  const Integrity integrity = check_integrity(file);
  if (integrity.state == Integrity::State::Damaged)
    throw InputError(fmt::format("{}: {}", file.string(), integrity.text()));
}

}  // namespace deformbench::harness
