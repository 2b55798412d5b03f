// SPDX-License-Identifier: BSD-3-Clause
// Thin ownership wrapper over the HDF5 C API, internal to the harness: self-closing handles, errors as exceptions
// that name file and object, and the few reads and writes a trace needs. The library's own error printing is switched
// off, and so is its exit handler (it crashes after a failed write in HDF5 1.10): everything to be stored must be
// closed explicitly.
#pragma once

#include <hdf5.h>

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace deformbench::harness::h5 {

/// A failed HDF5 call: "file: object: what failed (the library's innermost reason)".
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Owns one HDF5 identifier. Movable; release() gives the identifier up without closing it.
class Handle {
 public:
  using Closer = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Closer close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    if (this != &other) {
      reset();
      id_ = std::exchange(other.id_, -1);
      close_ = other.close_;
    }
    return *this;
  }
  ~Handle() { reset(); }
  hid_t get() const { return id_; }
  explicit operator bool() const { return id_ >= 0; }
  hid_t release() { return std::exchange(id_, -1); }
  void reset() {
    if (id_ >= 0) close_(std::exchange(id_, -1));
  }

 private:
  hid_t id_ = -1;
  Closer close_ = nullptr;
};

/// Switches off error printing and external links (exit handler: at load). Every entry point of the trace library
/// calls it first.
void initialise();

/// The library's innermost reason for the last failure in this thread ("No space left on device"); empty if
/// none.
std::string last_reason();

/// Throws Error for `object` below `location` (any valid identifier of the file), with last_reason().
[[noreturn]] void fail(hid_t location, const std::string& object, const std::string& action);

// === Files and groups

/// Opens read-only. Error names the file if it is missing or not an HDF5 file.
Handle open_file(const std::filesystem::path& path);
Handle open_group(hid_t location, const std::string& path);
Handle open_dataset(hid_t location, const std::string& path);  ///< Error if its values are in other files
Handle create_group(hid_t location, const std::string& path);  ///< parents too
/// False if the values are in external files, which could be any file of the user.
bool keeps_own_values(hid_t dataset);
/// True if all links of the path exist and resolve; `path` may be absolute or relative.
bool exists(hid_t location, const std::string& path);
bool is_group(hid_t location, const std::string& path);
bool is_dataset(hid_t location, const std::string& path);
std::vector<std::string> children(hid_t location, const std::string& path);  ///< names, sorted

// === Attributes

void write_attribute(hid_t object, const std::string& name, const std::string& value);  ///< replaces
void write_attribute(hid_t object, const std::string& name, std::int64_t value);
void write_attribute(hid_t object, const std::string& name, double value);
void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values);
/// Strings, integers and reals keep their type; other values become JSON text.
void write_attribute(hid_t object, const std::string& name, const nlohmann::json& value);
bool has_attribute(hid_t object, const std::string& name);
haddr_t address_of(hid_t object);  ///< in its file; hard links to one object share it
std::vector<std::string> attribute_names(hid_t object);
/// String, integer, real, or an array of these; null if the type is none of them. Error if absent.
nlohmann::json read_attribute(hid_t object, const std::string& name);

/// The JSON text of an attribute's value; invalid UTF-8 becomes U+FFFD.
std::string text_of(const nlohmann::json& value);

// === Datasets

enum class ElementKind { Integer, Real, Text, Other };
struct DatasetInfo {
  std::vector<std::size_t> shape;  ///< empty for a scalar
  ElementKind kind = ElementKind::Other;
  std::size_t size() const;  ///< product of the shape; 1 for a scalar
};
DatasetInfo info(hid_t dataset);
std::vector<double> read_real(hid_t dataset);  ///< integers are converted
std::vector<std::int64_t> read_integers(hid_t dataset);
std::vector<std::string> read_strings(hid_t dataset);
/// Transfer that ignores chunk checksums: in a chunk being written when its process was killed, the counted rows are
/// complete but the checksum is wrong.
Handle transfer_without_checksums();
/// The first `count` strings of a possibly torn list: the rest is not touched (torn text can crash HDF5 1.10), and
/// checksums are ignored.
std::vector<std::string> read_strings(hid_t dataset, std::size_t count);

/// Row-major arrays of fixed size; from 64 KiB on shuffled and deflated, with a checksum per chunk.
Handle write_dataset(hid_t location, const std::string& path, std::span<const double> values,
                     const std::vector<std::size_t>& shape);
Handle write_dataset(hid_t location, const std::string& path, std::span<const int> values,
                     const std::vector<std::size_t>& shape);
/// Variable-length UTF-8, the type of all text of a trace.
Handle text_type();

}  // namespace deformbench::harness::h5
