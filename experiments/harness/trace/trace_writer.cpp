// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/trace_writer.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <system_error>

#include "experiments/harness/trace/dimension_scales.hpp"
#include "experiments/harness/trace/frame_store.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/part_creation.hpp"
#include "experiments/harness/trace/provenance.hpp"
#include "experiments/harness/trace/trace_layout.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

// A named namespace, because TraceWriter::Impl has fields of these types.
namespace trace_buffer {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kBatchRows = 256;

/// One extendible dataset [row, …] or [member, row, …].
struct Column {
  ChannelSpec spec;
  h5::Handle dataset;
  std::size_t offset = 0;  ///< into the values of a row
};

struct Series {
  std::string name;
  h5::Handle group, step, time;
  std::vector<Column> columns;
  std::size_t row_size = 0, batch_rows = kBatchRows;
  bool compressed = false;
  std::vector<std::int64_t> steps;
  std::vector<double> times, values;  ///< the buffer
  std::vector<std::int64_t> rows;     ///< written rows, by member
  hsize_t extent = 0;                 ///< rows of the datasets
  Clock::time_point last_flush = Clock::now();
  Abscissa last;  ///< of the current member
};

struct EventRow {
  std::int64_t step, code;
  double time;
  std::string kind, detail;
};

}  // namespace trace_buffer

namespace {

using trace_buffer::Clock, trace_buffer::Column, trace_buffer::EventRow, trace_buffer::Series, trace_buffer::kBatchRows;

constexpr std::size_t kBatchBytes = std::size_t{1} << 20;
constexpr std::size_t kFieldBytes = 1024;  ///< rows of at least this size are compressed
constexpr auto kFlushInterval = std::chrono::seconds(5);
constexpr std::int64_t kMissingInteger = -1;

std::int64_t to_integer(double value) {
  return std::isfinite(value) ? std::llround(value) : kMissingInteger;
}

void describe(hid_t object, const std::string& unit, const std::string& description) {
  h5::write_attribute(object, "unit", unit);
  h5::write_attribute(object, "description", description);
}

}  // namespace

std::size_t ChannelSpec::row_size() const {
  return std::accumulate(row_shape.begin(), row_shape.end(), std::size_t{1}, std::multiplies<>());
}

const char* to_string(CellStatus status) {
  return kStatusNames[std::size_t(status)];
}

CellStatus cell_status(const std::string& name) {
  for (std::size_t i = 0; i < kStatusNames.size(); ++i)
    if (name == kStatusNames[i]) return CellStatus(i);
  throw InputError(fmt::format("status '{}' is unknown: expected one of {}", name, fmt::join(kStatusNames, ", ")));
}

struct TraceWriter::Impl {
  PartFile part;
  int members = 0, member = 0;
  std::map<std::string, Series> series;
  std::vector<EventRow> events;
  hsize_t events_written = 0;
  h5::Handle event_group;
  std::map<std::string, h5::Handle> event_columns;
  FrameStore frames;
  bool published = false, finished = false;
  bool is_cells_process = true;  ///< false: the provenance states the time of another process
  std::string broken;            ///< reason why the file must not be touched any more

  hid_t file() const { return part.file.get(); }

  /// Runs `work`; after a failed write the file is never written again.
  template <typename Work>
  void guard(const Work& work) {
    if (!broken.empty()) throw TraceWriteError(broken);
    if (finished) throw std::invalid_argument(part.final_path.string() + ": the trace is finished");
    try {
      work();
    } catch (const h5::Error& error) {
      break_off(error.what());
    } catch (const std::system_error& error) {  // includes filesystem_error
      break_off(error.what());
    }
  }

  [[noreturn]] void break_off(const std::string& reason) {
    broken = fmt::format("{}: write error: {}", part.part.string(), reason);
    if (published)
      note_part_status(part, "write_error", reason);
    else
      withdraw_part(part);
    throw TraceWriteError(broken);
  }

  /// An empty dataset that grows along its rows. Missing rows read as NaN or −1.
  h5::Handle growing(const std::string& path, const ChannelSpec& spec, std::size_t chunk_rows) const {
    std::vector<hsize_t> dims, limits, chunk;
    if (members > 0) {
      dims.push_back(hsize_t(members));
      limits.push_back(hsize_t(members));
      chunk.push_back(1);
    }
    dims.push_back(0);
    limits.push_back(H5S_UNLIMITED);
    chunk.push_back(chunk_rows);
    for (const std::size_t n : spec.row_shape) {
      dims.push_back(n);
      limits.push_back(n);
      chunk.push_back(std::max<std::size_t>(n, 1));
    }
    const h5::Handle space(H5Screate_simple(int(dims.size()), dims.data(), limits.data()), H5Sclose);
    h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose), access(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
    H5Pset_chunk(creation.get(), int(chunk.size()), chunk.data());
    const std::size_t bytes = spec.row_size() * sizeof(double);
    if (bytes >= kFieldBytes) {
      H5Pset_shuffle(creation.get());
      H5Pset_deflate(creation.get(), 1);
    }
    H5Pset_fletcher32(creation.get());
    const bool real = spec.type == ScalarType::Float64;
    const double missing = std::numeric_limits<double>::quiet_NaN();
    if (real)
      H5Pset_fill_value(creation.get(), H5T_NATIVE_DOUBLE, &missing);
    else
      H5Pset_fill_value(creation.get(), H5T_NATIVE_INT64, &kMissingInteger);
    // Complete chunks are written in sequence: a cache of two is enough for any channel.
    H5Pset_chunk_cache(access.get(), 11, std::max<std::size_t>(2 * chunk_rows * bytes, 4096), 1.0);
    h5::Handle dataset(H5Dcreate2(file(), path.c_str(), real ? H5T_IEEE_F64LE : H5T_STD_I64LE, space.get(), H5P_DEFAULT,
                                  creation.get(), access.get()),
                       H5Dclose);
    if (!dataset) h5::fail(file(), path, "dataset cannot be created");
    describe(dataset.get(), spec.unit, spec.description);
    h5::write_attribute(dataset.get(), "quantity", spec.quantity);
    h5::write_attribute(dataset.get(), "source", spec.source);
    return dataset;
  }

  /// Writes `count` rows of `row_shape` from row `first` of the current member.
  void put_rows(hid_t dataset, const std::vector<std::size_t>& row_shape, hsize_t first, hsize_t count, hsize_t extent,
                hid_t memory_type, const void* data) const {
    std::vector<hsize_t> dims, start, block;
    if (members > 0) {
      dims.push_back(hsize_t(members));
      start.push_back(hsize_t(member));
      block.push_back(1);
    }
    dims.push_back(extent);
    start.push_back(first);
    block.push_back(count);
    for (const std::size_t n : row_shape) {
      dims.push_back(n);
      start.push_back(0);
      block.push_back(n);
    }
    const int rank = int(dims.size());
    if (H5Dset_extent(dataset, dims.data()) < 0) h5::fail(dataset, "series", "cannot be extended");
    if (std::count(block.begin(), block.end(), hsize_t{0}) > 0) return;
    const h5::Handle target(H5Dget_space(dataset), H5Sclose);
    const h5::Handle memory(H5Screate_simple(rank, block.data(), nullptr), H5Sclose);
    if (H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, start.data(), nullptr, block.data(), nullptr) < 0 ||
        H5Dwrite(dataset, memory_type, memory.get(), target.get(), H5P_DEFAULT, data) < 0)
      h5::fail(dataset, "series", "rows cannot be written");
  }

  void write_batch(Series& s) {
    const std::size_t n = s.steps.size();
    auto& written = s.rows[std::size_t(member)];
    const auto first = hsize_t(written);
    s.extent = std::max<hsize_t>(s.extent, first + n);
    put_rows(s.step.get(), {}, first, n, s.extent, H5T_NATIVE_INT64, s.steps.data());
    put_rows(s.time.get(), {}, first, n, s.extent, H5T_NATIVE_DOUBLE, s.times.data());
    std::vector<double> column;
    std::vector<std::int64_t> integers;
    for (const Column& c : s.columns) {
      const std::size_t width = c.spec.row_size();
      column.resize(n * width);
      for (std::size_t row = 0; row < n; ++row)
        std::copy_n(s.values.begin() + std::ptrdiff_t(row * s.row_size + c.offset), width,
                    column.begin() + std::ptrdiff_t(row * width));
      const void* data = column.data();
      if (c.spec.type == ScalarType::Int64) {
        integers.resize(column.size());
        std::transform(column.begin(), column.end(), integers.begin(), to_integer);
        data = integers.data();
      }
      put_rows(c.dataset.get(), c.spec.row_shape, first, n, s.extent,
               c.spec.type == ScalarType::Int64 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE, data);
    }
    written += std::int64_t(n);
    s.steps.clear();
    s.times.clear();
    s.values.clear();
    s.last_flush = Clock::now();
  }

  void sync() const {
    if (H5Fflush(file(), H5F_SCOPE_GLOBAL) < 0) h5::fail(file(), "/", "cannot be flushed");
  }

  void flush_all() {
    std::vector<Series*> changed;
    for (auto& [name, s] : series)
      if (!s.steps.empty()) changed.push_back(&s);
    flush_series(changed);
  }

  /// Two phases: the rows, then the count `rows_written`. A process killed in between leaves the old count, where
  /// recover() cuts.
  void flush_series(const std::vector<Series*>& changed) {
    for (Series* s : changed) write_batch(*s);
    const bool more_events = !events.empty();
    if (more_events) write_events();
    if (changed.empty() && !more_events) return;
    sync();
    for (Series* s : changed) h5::write_attribute(s->group.get(), "rows_written", std::span(std::as_const(s->rows)));
    if (more_events) write_event_count();
    sync();
  }

  void write_event_count() {
    const std::vector<std::int64_t> count{std::int64_t(events_written)};
    h5::write_attribute(event_group.get(), "rows_written", std::span(count));
  }

  void create_events() {
    event_group = h5::create_group(file(), "/events");
    write_event_count();
    const h5::Handle text = h5::text_type();
    const struct {
      const char *name, *unit, *description;
      hid_t type;
    } columns[] = {{"step", "1", "number of the step at whose end the event was seen", H5T_STD_I64LE},
                   {"time", "s", "simulated time of the event", H5T_IEEE_F64LE},
                   {"kind", "1", "what happened", text.get()},
                   {"code", "1", "number that goes with the kind: an index or a count", H5T_STD_I64LE},
                   {"detail", "1", "one line more", text.get()}};
    for (const auto& column : columns) {
      const hsize_t none = 0, limit = H5S_UNLIMITED, chunk = kBatchRows;
      const h5::Handle space(H5Screate_simple(1, &none, &limit), H5Sclose);
      h5::Handle creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
      H5Pset_chunk(creation.get(), 1, &chunk);
      if (column.type != text.get()) H5Pset_fletcher32(creation.get());  // HDF5 does not filter variable-length text
      const std::string path = std::string("/events/") + column.name;
      h5::Handle dataset(
          H5Dcreate2(file(), path.c_str(), column.type, space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
          H5Dclose);
      if (!dataset) h5::fail(file(), path, "dataset cannot be created");
      describe(dataset.get(), column.unit, column.description);
      event_columns[column.name] = std::move(dataset);
    }
  }

  void write_events() {
    const hsize_t count = events.size(), total = events_written + count;
    const h5::Handle text = h5::text_type();
    const h5::Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
    const auto put = [&](const char* name, hid_t type, const auto& value_of) {
      using Value = std::decay_t<decltype(value_of(events[0]))>;
      std::vector<Value> values;
      for (const EventRow& e : events) values.push_back(value_of(e));
      const hid_t dataset = event_columns.at(name).get();
      if (H5Dset_extent(dataset, &total) < 0) h5::fail(dataset, name, "cannot be extended");
      const h5::Handle target(H5Dget_space(dataset), H5Sclose);
      if (H5Sselect_hyperslab(target.get(), H5S_SELECT_SET, &events_written, nullptr, &count, nullptr) < 0 ||
          H5Dwrite(dataset, type, memory.get(), target.get(), H5P_DEFAULT, values.data()) < 0)
        h5::fail(dataset, name, "events cannot be written");
    };
    put("step", H5T_NATIVE_INT64, [](const EventRow& e) { return e.step; });
    put("time", H5T_NATIVE_DOUBLE, [](const EventRow& e) { return e.time; });
    put("kind", text.get(), [](const EventRow& e) { return e.kind.c_str(); });
    put("code", H5T_NATIVE_INT64, [](const EventRow& e) { return e.code; });
    put("detail", text.get(), [](const EventRow& e) { return e.detail.c_str(); });
    events_written = total;
    events.clear();
  }

  Series& at(const std::string& clock) {
    const auto found = series.find(clock);
    if (found == series.end()) throw std::invalid_argument(fmt::format("trace: clock '{}' was not declared", clock));
    return found->second;
  }
};

TraceWriter::TraceWriter(std::filesystem::path final_path, const nlohmann::json& resolved_spec,
                         const nlohmann::json& provenance, int members)
    : impl_(std::make_unique<Impl>()) {
  if (members < 0) throw std::invalid_argument("trace: the number of members is negative");
  impl_->members = members;
  impl_->is_cells_process = !provenance.contains(kProcessorTime);
  try {
    impl_->part = create_part(final_path);
  } catch (const h5::Error& error) {
    throw TraceWriteError(error.what());
  } catch (const std::system_error& error) {
    throw TraceWriteError(error.what());
  }
  try {
    impl_->guard([&] {
      write_root(impl_->file(), final_path, resolved_spec, provenance);
      h5::create_group(impl_->file(), "/series");
      impl_->create_events();
      name_dimensions(impl_->file(), "/events");
      impl_->sync();
      publish_part(impl_->part);
      impl_->published = true;
    });
  } catch (const TraceWriteError&) {
    impl_.release();  // skip the destructor: the file must not be closed
    throw;
  } catch (...) {  // another process was faster
    close(impl_->part.descriptor);
    throw;
  }
}

TraceWriter::~TraceWriter() {
  if (!impl_ || impl_->finished) return;
  if (impl_->broken.empty()) {
    try {
      impl_->guard([&] { impl_->flush_all(); });
      note_part_status(impl_->part, "abandoned", "the writer was destroyed before it finished");
      close(impl_->part.descriptor);
      return;
    } catch (const std::exception&) {  // noted in the file by guard()
    }
  }
  impl_.release();  // handles are never closed: closing would make HDF5 write again
}

void TraceWriter::scene_array(const std::string& name, std::span<const double> values, std::vector<std::size_t> shape,
                              const std::string& unit, const std::string& description) {
  check_scene_array(name, values.size(), shape, unit);
  impl_->guard([&] {
    const auto dataset = h5::write_dataset(impl_->file(), "/scene/" + name, values, shape);
    describe(dataset.get(), unit, description);
  });
}

void TraceWriter::scene_array(const std::string& name, std::span<const int> values, std::vector<std::size_t> shape,
                              const std::string& description) {
  check_scene_array(name, values.size(), shape, "1");
  impl_->guard([&] {
    const auto dataset = h5::write_dataset(impl_->file(), "/scene/" + name, values, shape);
    describe(dataset.get(), "1", description);
    impl_->frames.remember(name, values, shape, "/scene/" + name);
  });
}

void TraceWriter::add_clock(const std::string& clock, std::vector<ChannelSpec> channels) {
  check_clock(clock, channels);
  if (impl_->series.contains(clock))
    throw std::invalid_argument(fmt::format("trace: clock '{}' is declared twice", clock));
  impl_->guard([&] {
    Series s;
    s.name = clock;
    s.rows.assign(std::size_t(std::max(impl_->members, 1)), 0);
    for (ChannelSpec& spec : channels) {
      Column column{std::move(spec), {}, s.row_size};
      s.row_size += column.spec.row_size();
      s.compressed |= column.spec.row_size() * sizeof(double) >= kFieldBytes;
      s.columns.push_back(std::move(column));
    }
    s.batch_rows = std::clamp<std::size_t>(kBatchBytes / ((s.row_size + 2) * sizeof(double)), 1, kBatchRows);
    const std::string folder = "/series/" + clock;
    s.group = h5::create_group(impl_->file(), folder);
    h5::write_attribute(s.group.get(), "rows_written", std::span(std::as_const(s.rows)));
    s.step = impl_->growing(folder + "/step", step_column(), s.batch_rows);
    s.time = impl_->growing(folder + "/time", time_column(), s.batch_rows);
    for (Column& column : s.columns)
      column.dataset = impl_->growing(folder + "/" + column.spec.name, column.spec, s.batch_rows);
    name_dimensions(impl_->file(), folder);
    impl_->sync();
    impl_->series.emplace(clock, std::move(s));
  });
}

void TraceWriter::append(const std::string& clock, std::int64_t step, double time, std::span<const double> values) {
  Series& s = impl_->at(clock);
  if (values.size() != s.row_size)
    throw std::invalid_argument(
        fmt::format("trace: a row of clock '{}' has {} values, expected {}", clock, values.size(), s.row_size));
  s.last.advance(clock, step, time);
  impl_->guard([&] {
    s.steps.push_back(step);
    s.times.push_back(time);
    s.values.insert(s.values.end(), values.begin(), values.end());
    const auto row = std::size_t(s.rows[std::size_t(impl_->member)]) + s.steps.size();
    // Batches end at chunk boundaries, so that compressed chunks are written only once.
    const bool due = row % s.batch_rows == 0 || (!s.compressed && Clock::now() - s.last_flush > kFlushInterval);
    if (due) impl_->flush_series({&s});
  });
}

void TraceWriter::frame(const TraceFrame& frame) {
  check_frame(frame);
  impl_->guard([&] { impl_->frames.write(impl_->file(), frame, impl_->members > 0 ? impl_->member : -1); });
}

void TraceWriter::begin_member(int member) {
  if (member < 0 || member >= impl_->members)
    throw std::invalid_argument(
        fmt::format("trace: member {} of an ensemble of {} does not exist", member, impl_->members));
  impl_->guard([&] {
    impl_->flush_all();
    impl_->member = member;
    for (auto& [name, s] : impl_->series) s.last = {};
  });
}

void TraceWriter::event(std::int64_t step, double time, const std::string& kind, std::int64_t code,
                        const std::string& detail) {
  impl_->guard([&] {
    impl_->events.push_back({step, code, time, kind, detail});
    if (impl_->events.size() >= kBatchRows) impl_->flush_series({});
  });
}

void TraceWriter::reference(const Reference& reference) {
  check_reference(reference);
  impl_->guard([&] {
    const std::string path = fmt::format("/reference/{}/{}", reference.id, reference.channel);
    if (h5::exists(impl_->file(), path)) throw std::invalid_argument("trace: " + path + " is written twice");
    const auto dataset = h5::write_dataset(impl_->file(), path, reference.values, reference.shape);
    const hid_t id = dataset.get();
    h5::write_attribute(id, "unit", reference.unit);
    h5::write_attribute(id, "clock", reference.clock);
    h5::write_attribute(id, "kind", reference.kind);
    h5::write_attribute(id, "citation", reference.citation);
    h5::write_attribute(id, "uncertainty", reference.uncertainty);
    h5::write_attribute(id, "validity", reference.validity);
  });
}

void TraceWriter::flush() {
  impl_->guard([&] { impl_->flush_all(); });
}

std::int64_t TraceWriter::rows(const std::string& clock) const {
  const Series& s = impl_->at(clock);
  return s.rows[std::size_t(impl_->member)] + std::int64_t(s.steps.size());
}

void TraceWriter::finish(CellStatus status, const std::string& reason) {
  impl_->guard([&] {
    impl_->flush_all();
    impl_->frames.finish();
    if (impl_->is_cells_process)
      h5::write_attribute(h5::open_group(impl_->file(), "/provenance").get(), kProcessorTime, processor_seconds());
    write_end(impl_->file(), to_string(status), reason, utc_now());
    impl_->sync();
    std::vector<WrittenClock> written;
    for (const auto& [name, s] : impl_->series) {
      written.push_back({name, {"step", "time"}, s.extent});
      for (const Column& column : s.columns) written.back().columns.push_back(column.spec.name);
    }
    impl_->series.clear();
    impl_->event_columns.clear();
    impl_->event_group.reset();
    impl_->frames.close();
    finish_part(impl_->part, [&] {
      if (status == CellStatus::Completed) require_written(impl_->part.part, written);
    });
    impl_->finished = true;
  });
}

}  // namespace deformbench::harness
