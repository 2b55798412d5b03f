// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/trace_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "experiments/harness/trace/trace_layout.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

struct TraceReader::Impl {
  std::filesystem::path path;
  h5::Handle file;

  /// HDF5 errors become InputError: the file is damaged or foreign.
  template <typename Work>
  auto guard(const Work& work) const {
    try {
      return work();
    } catch (const h5::Error& error) {
      throw InputError(error.what());
    }
  }

  std::string text(hid_t object, const std::string& name) const {
    if (!h5::has_attribute(object, name)) return {};
    const nlohmann::json value = h5::read_attribute(object, name);
    return value.is_string() ? value.get<std::string>() : h5::text_of(value);
  }

  std::string root(const std::string& name) const {
    return guard([&] {
      const auto group = h5::open_group(file.get(), "/");
      if (!h5::has_attribute(group.get(), name))
        throw InputError(fmt::format("{}: attribute {} is missing at /", path.string(), name));
      return text(group.get(), name);
    });
  }

  std::vector<std::string> names(const std::string& group) const {
    if (!h5::is_group(file.get(), group)) return {};
    return guard([&] { return h5::children(file.get(), group); });
  }
};

TraceReader::TraceReader(const std::filesystem::path& path) : impl_(std::make_unique<Impl>()) {
  impl_->path = path;
  if (path.extension() == ".part")
    throw InputError(fmt::format("{}: is being written, or was left behind: only 'recover' reads it", path.string()));
  require_harmless(path);
  impl_->guard([&] { impl_->file = h5::open_file(path); });
  const std::string format = impl_->root("format"), version = impl_->root("format_version");
  if (format != kFormatName)
    throw InputError(fmt::format("{}: format is '{}', expected '{}'", path.string(), format, kFormatName));
  if (version != std::to_string(kFormatVersion))
    throw InputError(fmt::format("{}: format_version is {}, expected {}", path.string(), version, kFormatVersion));
}

TraceReader::~TraceReader() = default;
TraceReader::TraceReader(TraceReader&&) noexcept = default;

const std::filesystem::path& TraceReader::path() const {
  return impl_->path;
}
std::string TraceReader::experiment() const {
  return impl_->root("experiment");
}
std::string TraceReader::cell_id() const {
  return impl_->root("cell_id");
}
std::string TraceReader::method() const {
  return impl_->root("method");
}
std::string TraceReader::status() const {
  return impl_->root("status");
}
std::string TraceReader::status_reason() const {
  return impl_->root("status_reason");
}

nlohmann::json TraceReader::spec() const {
  const nlohmann::json text = attribute("/provenance", "spec");
  const auto spec = nlohmann::json::parse(text.is_string() ? text.get<std::string>() : "", nullptr, false);
  if (spec.is_discarded())
    throw InputError(fmt::format("{}: /provenance: attribute spec is no JSON", impl_->path.string()));
  return spec;
}

nlohmann::json TraceReader::provenance() const {
  return impl_->guard([&] {
    const auto group = h5::open_group(impl_->file.get(), "/provenance");
    nlohmann::json all = nlohmann::json::object();
    for (const auto& name : h5::attribute_names(group.get()))
      if (name != "spec") all[name] = h5::read_attribute(group.get(), name);
    return all;
  });
}

nlohmann::json TraceReader::attribute(const std::string& object, const std::string& name) const {
  return impl_->guard([&] {
    if (!h5::exists(impl_->file.get(), object))
      throw InputError(fmt::format("{}: {}: no such object", impl_->path.string(), object));
    const h5::Handle handle(H5Oopen(impl_->file.get(), object.c_str(), H5P_DEFAULT), H5Oclose);
    if (!h5::has_attribute(handle.get(), name))
      throw InputError(fmt::format("{}: {}: attribute {} is missing", impl_->path.string(), object, name));
    return h5::read_attribute(handle.get(), name);
  });
}

bool TraceReader::has(const std::string& object) const {
  return h5::exists(impl_->file.get(), object);
}

std::vector<std::string> TraceReader::clocks() const {
  return impl_->names("/series");
}

std::vector<std::string> TraceReader::channels(const std::string& clock) const {
  auto names = impl_->names("/series/" + clock);
  std::erase(names, "step");
  std::erase(names, "time");
  return names;
}

bool TraceReader::has_channel(const std::string& clock, const std::string& channel) const {
  return h5::is_dataset(impl_->file.get(), "/series/" + clock + "/" + channel);
}

bool TraceReader::is_ensemble() const {
  return impl_->guard([&] {
    for (const std::string& clock : clocks())
      if (has_channel(clock, "time"))
        return h5::info(h5::open_dataset(impl_->file.get(), "/series/" + clock + "/time").get()).shape.size() == 2;
    return false;
  });
}

std::vector<std::int64_t> TraceReader::steps(const std::string& clock) const {
  return impl_->guard(
      [&] { return h5::read_integers(h5::open_dataset(impl_->file.get(), "/series/" + clock + "/step").get()); });
}

std::vector<double> TraceReader::times(const std::string& clock) const {
  return channel(clock, "time").values;
}

std::vector<std::size_t> TraceReader::shape(const std::string& clock, const std::string& channel) const {
  return impl_->guard(
      [&] { return h5::info(h5::open_dataset(impl_->file.get(), "/series/" + clock + "/" + channel).get()).shape; });
}

ChannelData TraceReader::channel(const std::string& clock, const std::string& channel) const {
  const std::string object = "/series/" + clock + "/" + channel;
  if (!h5::is_dataset(impl_->file.get(), object))
    throw InputError(fmt::format("{}: clock '{}' has no channel '{}' (it has: {})", impl_->path.string(), clock,
                                 channel, fmt::join(channels(clock), ", ")));
  return dataset(object);
}

ChannelData TraceReader::dataset(const std::string& object) const {
  return impl_->guard([&] {
    const auto dataset = h5::open_dataset(impl_->file.get(), object);
    ChannelData data;
    data.shape = h5::info(dataset.get()).shape;
    data.values = h5::read_real(dataset.get());
    data.unit = impl_->text(dataset.get(), "unit");
    data.quantity = impl_->text(dataset.get(), "quantity");
    data.description = impl_->text(dataset.get(), "description");
    data.source = impl_->text(dataset.get(), "source");
    return data;
  });
}

ChannelData TraceReader::scene_array(const std::string& name) const {
  return dataset("/scene/" + name);
}

std::vector<TraceEvent> TraceReader::events() const {
  if (!has("/events")) return {};
  return impl_->guard([&] {
    const auto open = [&](const char* name) {
      return h5::open_dataset(impl_->file.get(), std::string("/events/") + name);
    };
    const auto steps = h5::read_integers(open("step").get()), codes = h5::read_integers(open("code").get());
    const auto times = h5::read_real(open("time").get());
    const auto kinds = h5::read_strings(open("kind").get()), details = h5::read_strings(open("detail").get());
    const std::size_t n = steps.size();
    if (codes.size() != n || times.size() != n || kinds.size() != n || details.size() != n)
      throw InputError(impl_->path.string() + ": /events: columns differ in length");
    std::vector<TraceEvent> events;
    for (std::size_t i = 0; i < n; ++i) events.push_back({steps[i], codes[i], times[i], kinds[i], details[i]});
    return events;
  });
}

std::vector<FrameEntry> TraceReader::frames() const {
  std::vector<FrameEntry> entries;
  const std::size_t count = impl_->names("/frames").size();
  for (std::size_t k = 0; k < count; ++k) {
    FrameEntry entry{fmt::format("/frames/{}", k)};
    const auto step = attribute(entry.object, "step"), time = attribute(entry.object, "time");
    if (!step.is_number_integer() || !time.is_number())
      throw InputError(fmt::format("{}: {}: step {} and time {}, expected an integer and seconds", impl_->path.string(),
                                   entry.object, step.dump(), time.dump()));
    entry.step = step.get<std::int64_t>();
    entry.time = time.get<double>();
    impl_->guard([&] {
      const auto group = h5::open_group(impl_->file.get(), entry.object);
      if (!h5::has_attribute(group.get(), "member")) return;
      const auto member = h5::read_attribute(group.get(), "member");
      if (member.is_number_integer()) entry.member = member.get<std::int64_t>();
    });
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<ReferenceData> TraceReader::references() const {
  std::vector<ReferenceData> all;
  for (const std::string& id : impl_->names("/reference"))
    for (const std::string& channel : impl_->names("/reference/" + id)) {
      const std::string object = "/reference/" + id + "/" + channel;
      ChannelData data = dataset(object);
      impl_->guard([&] {
        const auto dataset = h5::open_dataset(impl_->file.get(), object);
        const auto text = [&](const char* name) { return impl_->text(dataset.get(), name); };
        ReferenceData reference{id,
                                channel,
                                data.unit,
                                text("clock"),
                                text("kind"),
                                text("citation"),
                                text("validity"),
                                0.0,
                                std::move(data.values),
                                std::move(data.shape)};
        if (h5::has_attribute(dataset.get(), "uncertainty")) {
          const auto uncertainty = h5::read_attribute(dataset.get(), "uncertainty");
          if (uncertainty.is_number()) reference.uncertainty = uncertainty.get<double>();
        }
        all.push_back(std::move(reference));
      });
    }
  return all;
}

}  // namespace deformbench::harness
