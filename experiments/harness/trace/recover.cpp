// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/recover.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/digest.hpp"
#include "experiments/harness/trace/dimension_scales.hpp"
#include "experiments/harness/trace/frame_store.hpp"
#include "experiments/harness/trace/part_creation.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_layout.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

constexpr std::size_t kCopyBytes = std::size_t{8} << 20;
/// Processor time of the child, including recompression.
constexpr double kLeastRecoverySeconds = 10.0, kRecoveredBytesPerSecond = 1e5;
/// A part may be shorter than stated in its superblock, by unwritten HDF5 buffers only.
constexpr std::uint64_t kLongestExtension = std::uint64_t{1} << 30;

std::uint64_t little_endian(const unsigned char* bytes, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t i = count; i-- > 0;) value = (value << 8) | bytes[i];
  return value;
}

std::vector<std::int64_t> rows_written(hid_t group) {
  const auto value = h5::read_attribute(group, "rows_written");
  if (value.is_array()) return value.get<std::vector<std::int64_t>>();
  return {value.get<std::int64_t>()};
}

/// Attributes of dimension scales (dimension_scales.hpp) refer to objects of their own file.
bool is_of_scales(const std::string& attribute) {
  return attribute == "CLASS" || attribute == "NAME" || attribute == "DIMENSION_LIST" || attribute == "REFERENCE_LIST";
}

/// Copies the readable content of a file into another.
class Salvage {
 public:
  Salvage(hid_t from, hid_t to, Recovered& result) : from_(from), to_(to), result_(result) {}

  void all(const std::filesystem::path& final_path, const RecoverOptions& options) {
    attempt("/", [&] {
      const auto root = h5::open_group(from_, "/"), new_root = h5::open_group(to_, "/");
      copy_attributes("/", root.get(), new_root.get());
    });
    std::vector<std::string> groups;
    attempt("/", [&] { groups = h5::children(from_, "/"); });
    for (const std::string& name : groups)
      if (name != "series" && name != "events" && name != "frames" && !name.starts_with("axis_")) copy_tree("/" + name);
    for (std::string& missing : complete_root(to_, final_path, options.spec, options.provenance))
      lose(missing, "cannot be read");
    attempt("/events", [&] { events(); });
    attempt("/frames", [&] { frames(); });
    h5::create_group(to_, "/series");
    std::vector<std::string> clocks;
    attempt("/series", [&] { clocks = h5::children(from_, "/series"); });
    for (const std::string& clock : clocks) attempt("/series/" + clock, [&] { series(clock); });
    for (const std::string& clock : h5::children(to_, "/series")) name_dimensions(to_, "/series/" + clock);
    name_dimensions(to_, "/events");
  }

 private:
  /// Copies only the counted events: H5Ocopy of a list with torn last texts crashes HDF5 1.10.
  void events() {
    if (!h5::is_group(from_, "/events")) return;
    const auto group = h5::open_group(from_, "/events");
    const auto columns = h5::children(from_, "/events");
    auto rows = std::size_t(std::max<std::int64_t>(rows_written(group.get())[0], 0));
    for (const auto& column : columns)
      rows = std::min(rows, h5::info(h5::open_dataset(from_, "/events/" + column).get()).shape.at(0));
    const std::vector<std::int64_t> count{std::int64_t(rows)};
    h5::write_attribute(h5::create_group(to_, "/events").get(), "rows_written", std::span(count));
    for (const auto& column : columns) {
      const std::string path = "/events/" + column;
      const auto source = h5::open_dataset(from_, path);
      if (h5::info(source.get()).kind == h5::ElementKind::Text)
        copy_texts(path, source.get(), rows);
      else
        copy_rows(path, count, false);
    }
  }

  /// Frames are opened by number instead of listed, to avoid a half-written link; frames whose links were lost, by
  /// address.
  void frames() {
    if (!h5::is_group(from_, "/frames")) return;
    const auto count = rows_written(h5::open_group(from_, "/frames").get())[0];
    const std::vector<std::int64_t> counts{count};
    h5::write_attribute(h5::create_group(to_, "/frames").get(), "rows_written", std::span(counts));
    const std::map<std::int64_t, h5::Handle> nameless = nameless_frames();
    for (std::int64_t k = 0; k < count; ++k) {
      const std::string path = "/frames/" + std::to_string(k);
      const auto frame = nameless.find(k);
      if (frame == nameless.end())
        copy_tree(path);
      else
        attempt(path, [&] { copy_group(frame->second, h5::children(frame->second.get(), "."), path); });
    }
    result_.frames = count;
  }

  void series(const std::string& clock) {
    const std::string path = "/series/" + clock;
    const auto group = h5::open_group(from_, path);
    auto rows = rows_written(group.get());
    std::vector<std::string> columns;
    for (const std::string& name : h5::children(from_, path)) {
      try {
        const auto shape = h5::info(h5::open_dataset(from_, path + "/" + name).get()).shape;
        const bool ensemble = shape.size() > 1 && is_ensemble(path);
        const auto available = std::int64_t(shape.at(ensemble ? 1 : 0));
        for (auto& n : rows) n = std::clamp<std::int64_t>(n, 0, available);
        columns.push_back(name);
      } catch (const h5::Error& error) {
        lose(path + "/" + name, error.what());
      }
    }
    const auto new_group = h5::create_group(to_, path);
    copy_attributes(path, group.get(), new_group.get());
    h5::write_attribute(new_group.get(), "rows_written", std::span(std::as_const(rows)));
    for (const std::string& name : columns) {
      try {
        copy_rows(path + "/" + name, rows, is_ensemble(path));
      } catch (const h5::Error& error) {
        lose(path + "/" + name, error.what());
        if (h5::exists(to_, path + "/" + name)) H5Ldelete(to_, (path + "/" + name).c_str(), H5P_DEFAULT);
      }
    }
    result_.rows[clock] = rows;
  }

  /// Attribute by attribute: an attribute being replaced may have neither the old nor the new value.
  void copy_attributes(const std::string& path, hid_t from, hid_t to) {
    for (const std::string& name : h5::attribute_names(from)) {
      if (name == kPreviousFrame || name == kLastFrame || is_of_scales(name)) continue;
      nlohmann::json value;
      try {
        value = h5::read_attribute(from, name);
      } catch (const h5::Error& error) {
        const bool is_rewritten = path == "/" ? name == "status" || name == "status_reason" : name == "finished";
        if (!is_rewritten) lose(path + " attribute " + name, error.what());
        continue;
      }
      if (value.is_array() && !value.empty() && value[0].is_number_integer()) {
        const auto integers = value.get<std::vector<std::int64_t>>();
        h5::write_attribute(to, name, std::span(integers));
      } else {
        h5::write_attribute(to, name, value);
      }
    }
  }

  void lose(const std::string& object, const std::string& why) { result_.lost.push_back(object + ": " + why); }

  template <class Work>
  void attempt(const std::string& path, Work&& work) {
    try {
      work();
    } catch (const h5::Error& error) {
      lose(path, error.what());
    }
  }

  /// Frames that cannot be opened by name, keyed by number; found by address (see kLastFrame).
  std::map<std::int64_t, h5::Handle> nameless_frames() const {
    std::map<std::int64_t, h5::Handle> found;
    const auto group = h5::open_group(from_, "/frames");
    if (!h5::has_attribute(group.get(), kLastFrame)) return found;
    const auto last = h5::read_attribute(group.get(), kLastFrame).get<std::vector<std::int64_t>>();
    std::int64_t address = last.at(1);
    for (std::int64_t k = last.at(0); k >= 0 && address >= 0; --k) {
      h5::Handle frame(H5Oopen_by_addr(from_, haddr_t(address)), H5Oclose);
      if (!frame || !h5::has_attribute(frame.get(), kPreviousFrame)) break;
      address = h5::read_attribute(frame.get(), kPreviousFrame).get<std::int64_t>();
      if (!h5::is_group(from_, "/frames/" + std::to_string(k))) found.emplace(k, std::move(frame));
    }
    return found;
  }

  /// Copies a group or dataset recursively: only unreadable objects are lost.
  void copy_tree(const std::string& path) { copy_tree(from_, path, path); }
  void copy_tree(hid_t from, const std::string& name, const std::string& path) {
    attempt(path, [&] {
      if (h5::is_group(from, name))
        copy_group(h5::open_group(from, name), h5::children(from, name), path);
      else
        copy_numbers(from, name, path);
    });
  }

  void copy_group(const h5::Handle& group, const std::vector<std::string>& children, const std::string& path) {
    if (!copied_groups_.insert(h5::address_of(group.get())).second)  // a damaged group may contain itself
      return lose(path, "links to a group that was copied before");
    copy_attributes(path, group.get(), h5::create_group(to_, path).get());
    for (const std::string& child : children) copy_tree(group.get(), child, path + "/" + child);
  }

  void copy_numbers(hid_t from, const std::string& name, const std::string& path) {
    const auto source = h5::open_dataset(from, name);
    const haddr_t address = h5::address_of(source.get());
    const auto copy = copied_.find(address);  // copied before: hard link
    if (copy != copied_.end()) {
      if (H5Lcreate_hard(to_, copy->second.c_str(), to_, path.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
        h5::fail(to_, path, "link cannot be created");
      return;
    }
    const auto info = h5::info(source.get());
    if (info.kind != h5::ElementKind::Integer && info.kind != h5::ElementKind::Real)
      h5::fail(from_, path, "holds no numbers");
    const h5::Handle type(H5Dget_type(source.get()), H5Tclose), space(H5Dget_space(source.get()), H5Sclose);
    const h5::Handle creation(H5Dget_create_plist(source.get()), H5Pclose);
    std::vector<char> values(info.size() * H5Tget_size(type.get()));
    const auto all = [&](auto transfer, hid_t dataset, auto* data) {
      return values.empty() ? 0 : transfer(dataset, type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
    };
    if (all(H5Dread, source.get(), static_cast<void*>(values.data())) < 0) h5::fail(from_, path, "cannot be read");
    const h5::Handle target(
        H5Dcreate2(to_, path.c_str(), type.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose);
    if (!target || all(H5Dwrite, target.get(), static_cast<const void*>(values.data())) < 0)
      h5::fail(to_, path, "cannot be written");
    copy_attributes(path, source.get(), target.get());
    copied_[address] = path;
  }

  void copy_texts(const std::string& path, hid_t source, std::size_t count) {
    const auto texts = h5::read_strings(source, count);
    std::vector<const char*> pointers;
    for (const std::string& text : texts) pointers.push_back(text.c_str());
    const h5::Handle type = h5::text_type();
    const hsize_t rows = count;
    const h5::Handle space(H5Screate_simple(1, &rows, nullptr), H5Sclose);
    const h5::Handle target(
        H5Dcreate2(to_, path.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    if (!target ||
        (count > 0 && H5Dwrite(target.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, pointers.data()) < 0))
      h5::fail(to_, path, "cannot be written");
    copy_attributes(path, source, target.get());
  }

  bool is_ensemble(const std::string& path) const {
    return h5::info(h5::open_dataset(from_, path + "/time").get()).shape.size() == 2;
  }

  /// Copies the first rows[m] rows of every member; later rows read as the fill value.
  void copy_rows(const std::string& path, const std::vector<std::int64_t>& rows, bool ensemble) {
    const auto source = h5::open_dataset(from_, path);
    const h5::Handle type(H5Dget_type(source.get()), H5Tclose), creation(H5Dget_create_plist(source.get()), H5Pclose);
    const h5::Handle old_space(H5Dget_space(source.get()), H5Sclose);
    const int rank = H5Sget_simple_extent_ndims(old_space.get());
    std::vector<hsize_t> dims(static_cast<std::size_t>(rank)), limits(dims.size());
    H5Sget_simple_extent_dims(old_space.get(), dims.data(), limits.data());
    const std::size_t axis = ensemble ? 1 : 0;
    dims[axis] = hsize_t(*std::max_element(rows.begin(), rows.end()));
    const h5::Handle new_space(H5Screate_simple(rank, dims.data(), limits.data()), H5Sclose);
    const h5::Handle target(
        H5Dcreate2(to_, path.c_str(), type.get(), new_space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Dclose);
    if (!target) h5::fail(to_, path, "dataset cannot be created");
    copy_attributes(path, source.get(), target.get());

    std::size_t row_bytes = H5Tget_size(type.get());
    for (std::size_t d = axis + 1; d < dims.size(); ++d) row_bytes *= dims[d];
    if (row_bytes == 0) return;
    const auto step = std::max<hsize_t>(kCopyBytes / row_bytes, 1);
    const h5::Handle unchecked = h5::transfer_without_checksums();
    std::vector<char> buffer(row_bytes * std::size_t(std::min<hsize_t>(step, std::max<hsize_t>(dims[axis], 1))));
    for (std::size_t member = 0; member < rows.size(); ++member)
      for (hsize_t row = 0, end = hsize_t(rows[member]); row < end; row += step) {
        std::vector<hsize_t> start(dims.size(), 0), block = dims;
        if (ensemble) {
          start[0] = member;
          block[0] = 1;
        }
        start[axis] = row;
        block[axis] = std::min(step, end - row);
        const h5::Handle memory(H5Screate_simple(rank, block.data(), nullptr), H5Sclose);
        const auto select = [&](hid_t space) {
          return H5Sselect_hyperslab(space, H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr);
        };
        if (select(old_space.get()) < 0 ||
            H5Dread(source.get(), type.get(), memory.get(), old_space.get(), unchecked.get(), buffer.data()) < 0)
          h5::fail(from_, path, "rows cannot be read");
        if (select(new_space.get()) < 0 ||
            H5Dwrite(target.get(), type.get(), memory.get(), new_space.get(), H5P_DEFAULT, buffer.data()) < 0)
          h5::fail(to_, path, "rows cannot be written");
      }
  }

  hid_t from_, to_;
  Recovered& result_;
  std::map<haddr_t, std::string> copied_;  ///< copied datasets: address in the part → new path
  std::set<haddr_t> copied_groups_;
};

std::string why_it_ended(const PartLock& lock) {
  if (lock.status == "write_error") return "a write error: " + lock.reason;
  if (lock.status == "abandoned") return lock.reason;
  return fmt::format("the death of process {} on host {}", lock.pid, lock.host);
}

/// Location of the file length in the superblock.
struct EndField {
  std::uint64_t value = 0;
  std::streamoff position = 0;
  std::size_t width = 0;
  bool is_checked = false;  ///< the superblock has a checksum (versions 2 and 3)
};

EndField end_field(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path.string() + ": cannot be read");
  const unsigned char signature[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  for (std::streamoff offset = 0; offset <= (std::streamoff{1} << 20); offset = offset == 0 ? 512 : 2 * offset) {
    std::array<unsigned char, 64> block{};
    file.clear();
    file.seekg(offset);
    file.read(reinterpret_cast<char*>(block.data()), block.size());
    if (file.gcount() < 48) break;
    if (!std::equal(std::begin(signature), std::end(signature), block.begin())) continue;
    // HDF5 File Format Specification, II.A: versions 0 and 1 (1 has four bytes more), 2 and 3.
    const unsigned version = block[8];
    const std::size_t width = version < 2 ? block[13] : block[9];
    const std::size_t addresses = version == 0 ? 24 : version == 1 ? 28 : 12;
    if (version > 3 || (width != 4 && width != 8)) break;
    const std::size_t place = addresses + 2 * width;  // after the base and the free-space or extension address
    return {little_endian(block.data() + place, width), offset + std::streamoff(place), width, version >= 2};
  }
  throw InputError(path.string() + ": has no HDF5 superblock; nothing was flushed into it");
}

/// Makes file and superblock agree on the length, and returns it. A process killed within a flush has written chunks
/// and their index but not the superblock: HDF5 would ignore everything beyond the old length.
std::uint64_t settle_length(const std::filesystem::path& part) {
  const EndField field = end_field(part);
  const std::uint64_t size = std::filesystem::file_size(part);
  if (field.value > std::max<std::uint64_t>(kLongestExtension, 4 * size))
    throw InputError(fmt::format("{}: its superblock says {} bytes, expected a length near that of the file, {}",
                                 part.string(), field.value, size));
  if (size < field.value) std::filesystem::resize_file(part, field.value);
  if (size <= field.value || field.is_checked) return field.value;
  std::fstream file(part, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(field.position);
  for (std::size_t i = 0; i < field.width; ++i) file.put(char((size >> (8 * i)) & 0xff));
  if (!file.flush()) throw InputError(part.string() + ": cannot be written");
  return size;
}

std::string to_text(const Recovered& recovered) {
  return h5::text_of({{"rows", recovered.rows}, {"frames", recovered.frames}, {"lost", recovered.lost}});
}

void read_text(const std::string& text, Recovered& recovered) {
  const auto all = nlohmann::json::parse(text);
  all.at("rows").get_to(recovered.rows);
  all.at("frames").get_to(recovered.frames);
  all.at("lost").get_to(recovered.lost);
}

}  // namespace

Recovered recover(const std::filesystem::path& part, const RecoverOptions& options) {
  h5::initialise();
  const PartLock lock = read_part_lock(part);
  // An intact trace is not recovered: the copy would be labelled failed. (A .part may be intact: killed before
  // renaming.)
  if (part.extension() != ".part" && check_integrity(part).state == Integrity::State::Intact)
    throw InputError(part.string() + ": is a finished trace, and undamaged; expected a .part, or a damaged trace");
  if (!options.force && !part_is_stale(part)) throw TraceLocked(part, lock, false);
  HeldPart held(part);
  if (!options.force && !held.held()) throw TraceLocked(part, lock, false);
  struct stat status {};
  stat(part.c_str(), &status);

  // 1. Reconcile the length of file and superblock.
  const std::uint64_t end = settle_length(part);

  // 2. Copy intact data into a new file, in a child process: HDF5 may crash on torn data.
  Recovered result;
  const std::filesystem::path cell = part.stem();  // <cell>.h5
  const bool has_place = !options.output.empty();
  const auto beside = part.parent_path() / (cell.stem().string() + (has_place ? kRecovering : ".recovered.h5"));
  result.output = has_place ? options.output : beside;
  const std::string reason = "recovered after " + (options.reason.empty() ? why_it_ended(lock) : options.reason);
  const auto work = [&] {
    try {
      const h5::Handle source = h5::open_file(part);
      h5::open_group(source.get(), "/");
      write_whole_file(beside, [&](hid_t fresh) {
        Salvage(source.get(), fresh, result).all(cell, options);
        write_end(fresh, to_string(options.status), reason, utc_time(status.st_mtime));  // 3. Label it.
      });
    } catch (const h5::Error& error) {  // even the root group is unreadable
      throw InputError(fmt::format("{}: cannot be recovered: {}", part.string(), error.what()));
    }
    return to_text(result);
  };
  const auto clean = [&] {
    if (std::filesystem::exists(part_path(beside))) remove_stale_part(part_path(beside));
    remove_litter(part.parent_path());
  };
  clean();
  try {
    read_text(contained(part, work, kLeastRecoverySeconds + double(end) / kRecoveredBytesPerSecond), result);
  } catch (...) {
    clean();
    throw;
  }
  if (has_place) std::filesystem::rename(beside, result.output);
  if (options.remove_part) held.remove();
  return result;
}

}  // namespace deformbench::harness
