// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/frame_store.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/harness/trace/trace_layout.hpp"

namespace deformbench::harness {
namespace {

/// Space for the names of some thousand frames, so that their heap rarely has to move.
constexpr std::size_t kNameBytes = std::size_t{1} << 16;

void sync(hid_t file) {
  if (H5Fflush(file, H5F_SCOPE_GLOBAL) < 0) h5::fail(file, "/frames", "cannot be flushed");
}

h5::Handle create_frames(hid_t file) {
  const h5::Handle creation(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_local_heap_size_hint(creation.get(), kNameBytes);
  h5::Handle group(H5Gcreate2(file, "/frames", H5P_DEFAULT, creation.get(), H5P_DEFAULT), H5Gclose);
  if (!group) h5::fail(file, "/frames", "group cannot be created");
  return group;
}

void write_count(hid_t group, std::int64_t count) {
  const std::vector<std::int64_t> counts{count};
  h5::write_attribute(group, "rows_written", std::span(counts));
}

void write_last(hid_t group, std::int64_t frame, std::int64_t address) {
  const std::vector<std::int64_t> last{frame, address};
  h5::write_attribute(group, kLastFrame, std::span(last));
}

void remove_attribute(hid_t object, const char* name) {
  if (H5Adelete(object, name) < 0) h5::fail(object, name, "attribute cannot be removed");
}

}  // namespace

void check_frame(const TraceFrame& frame) {
  std::vector<ChannelSpec> specs;
  for (const FrameArray& array : frame.arrays) {
    const bool is_integer = array.spec.type == ScalarType::Int64;
    const std::size_t values = is_integer ? array.integers.size() : array.reals.size();
    if (!(is_integer ? array.reals.empty() : array.integers.empty()) || values != array.spec.row_size())
      throw std::invalid_argument(
          fmt::format("trace: array '{}' of a frame has {} values of its type, expected {} for "
                      "shape [{}]",
                      array.spec.name, values, array.spec.row_size(), fmt::join(array.spec.row_shape, ", ")));
    specs.push_back(array.spec);
  }
  check_clock("frame", specs);
}

void FrameStore::remember(const std::string& name, std::span<const int> values, const std::vector<std::size_t>& shape,
                          const std::string& path) {
  last_[name] = {{values.begin(), values.end()}, shape, path};
}

void FrameStore::write_array(hid_t file, hid_t frame, const std::string& path, const FrameArray& array) {
  const ChannelSpec& spec = array.spec;
  h5::Handle dataset;
  if (spec.type == ScalarType::Int64) {
    const auto known = last_.find(spec.name);
    if (known != last_.end() && known->second.shape == spec.row_shape && known->second.values == array.integers) {
      if (H5Lcreate_hard(file, known->second.path.c_str(), frame, spec.name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
        h5::fail(file, path + spec.name, "link cannot be created");
      return;
    }
    dataset = h5::write_dataset(frame, spec.name, std::span(array.integers), spec.row_shape);
    remember(spec.name, array.integers, spec.row_shape, path + spec.name);
  } else {
    dataset = h5::write_dataset(frame, spec.name, std::span(array.reals), spec.row_shape);
  }
  h5::write_attribute(dataset.get(), "unit", spec.unit);
  h5::write_attribute(dataset.get(), "quantity", spec.quantity);
  h5::write_attribute(dataset.get(), "description", spec.description);
  h5::write_attribute(dataset.get(), "source", spec.source);
}

void FrameStore::write(hid_t file, const TraceFrame& frame, int member) {
  if (!group_) {
    group_ = create_frames(file);
    write_count(group_.get(), 0);
    write_last(group_.get(), -1, last_address_);
  }
  const std::string name = std::to_string(count_);
  const h5::Handle group(H5Gcreate_anon(file, H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group) h5::fail(file, "/frames/" + name, "group cannot be created");
  h5::write_attribute(group.get(), "step", frame.step);
  h5::write_attribute(group.get(), "time", frame.time);
  if (member >= 0) h5::write_attribute(group.get(), "member", std::int64_t(member));
  h5::write_attribute(group.get(), kPreviousFrame, last_address_);
  for (const FrameArray& array : frame.arrays) write_array(file, group.get(), "/frames/" + name + "/", array);
  sync(file);
  if (H5Olink(group.get(), group_.get(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT) < 0)
    h5::fail(file, "/frames/" + name, "link cannot be created");
  sync(file);
  last_address_ = std::int64_t(h5::address_of(group.get()));
  write_last(group_.get(), count_, last_address_);
  write_count(group_.get(), ++count_);
  sync(file);
}

void FrameStore::finish() {
  for (std::int64_t k = 0; k < count_; ++k)
    remove_attribute(h5::open_group(group_.get(), std::to_string(k)).get(), kPreviousFrame);
  if (group_) remove_attribute(group_.get(), kLastFrame);
}

}  // namespace deformbench::harness
