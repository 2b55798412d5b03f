// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <system_error>

#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/hdf5_handle.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// Attributes of /provenance that identify the computation; the others are who, where and when.
const std::set<std::string> kComputed{"spec", "seed", "threads", "method_fingerprint"};

/// Path → whether it is a dataset, for all objects of a file. Groups are visited once, even with several hard links:
/// a damaged group may contain itself.
void collect(hid_t file, const std::string& path, std::map<std::string, bool>& objects, std::set<haddr_t>& groups) {
  if (!groups.insert(h5::address_of(h5::open_group(file, path.empty() ? "/" : path).get())).second) return;
  for (const std::string& name : h5::children(file, path.empty() ? "/" : path)) {
    const std::string child = path + "/" + name;
    const bool is_group = h5::is_group(file, child);
    objects[child] = !is_group;
    if (is_group) collect(file, child, objects, groups);
  }
}

std::map<std::string, bool> objects_of(hid_t file) {
  std::map<std::string, bool> objects;
  std::set<haddr_t> groups;
  collect(file, "", objects, groups);
  return objects;
}

/// As bits: JSON numbers cannot be infinite or NaN.
std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(value);
}

std::string place(std::size_t index, const std::vector<std::size_t>& shape) {
  std::vector<std::size_t> at(shape.size());
  for (std::size_t d = shape.size(); d-- > 0;) {
    at[d] = index % shape[d];
    index /= shape[d];
  }
  return fmt::format("[{}]", fmt::join(at, ", "));
}

class Comparison {
 public:
  Comparison(hid_t a, hid_t b, const DiffOptions& options) : a_(a), b_(b), options_(options) {}

  std::vector<Difference> run() {
    const std::map<std::string, bool> in_a = objects_of(a_), in_b = objects_of(b_);
    attributes("/");
    for (const auto& [path, is_dataset] : in_a) {
      const auto other = in_b.find(path);
      if (other == in_b.end())
        add(Difference::Kind::OnlyInA, path, "");
      else if (other->second != is_dataset)
        add(Difference::Kind::Type, path, "a group and a dataset");
      else {
        attributes(path);
        if (is_dataset) datasets(path);
      }
    }
    for (const auto& [path, is_dataset] : in_b)
      if (!in_a.contains(path)) add(Difference::Kind::OnlyInB, path, "");
    std::stable_sort(found_.begin(), found_.end(), [](const auto& x, const auto& y) { return x.object < y.object; });
    return std::move(found_);
  }

 private:
  void add(Difference::Kind kind, const std::string& object, const std::string& detail, double absolute = 0.0,
           double relative = 0.0) {
    found_.push_back({kind, object, detail, absolute, relative});
  }

  void attributes(const std::string& path) {
    const h5::Handle a(H5Oopen(a_, path.c_str(), H5P_DEFAULT), H5Oclose);
    const h5::Handle b(H5Oopen(b_, path.c_str(), H5P_DEFAULT), H5Oclose);
    std::set<std::string> names;
    for (const hid_t object : {a.get(), b.get()})
      for (auto& name : h5::attribute_names(object)) names.insert(std::move(name));
    for (const std::string& name : names) {
      if (path == "/" && name == "cell_id" && !options_.provenance) continue;  // depends on the fingerprint
      if (path == "/provenance" && !options_.provenance && !kComputed.contains(name)) continue;
      if (path == "/timing" && !options_.timing) continue;
      const auto text = [&](const h5::Handle& object) -> std::string {
        return h5::has_attribute(object.get(), name) ? h5::text_of(h5::read_attribute(object.get(), name)) : "nothing";
      };
      const std::string in_a = text(a), in_b = text(b);
      if (in_a == in_b) continue;
      const auto cut = [](const std::string& s) { return s.size() > 60 ? fmt::format("{}…", s.substr(0, 57)) : s; };
      std::size_t same = 0;  // long texts are shown from their first difference
      while (same < std::min(in_a.size(), in_b.size()) && in_a[same] == in_b[same]) ++same;
      const std::size_t from = std::max(in_a.size(), in_b.size()) > 60 && same > 20 ? same - 20 : 0;
      add(Difference::Kind::Attribute, fmt::format("{} attribute {}", path, name),
          fmt::format("{} and {}", cut(in_a.substr(from)), cut(in_b.substr(from))));
    }
  }

  void datasets(const std::string& path) {
    if (path.starts_with("/timing/") && !options_.timing) return;
    if (path == "/series/iteration/elapsed_seconds" && !options_.timing) return;
    const auto a = h5::open_dataset(a_, path), b = h5::open_dataset(b_, path);
    const auto info_a = h5::info(a.get()), info_b = h5::info(b.get());
    const auto is_text = [](const h5::DatasetInfo& info) { return info.kind == h5::ElementKind::Text; };
    if (is_text(info_a) != is_text(info_b)) return add(Difference::Kind::Type, path, "text and numbers");
    if (info_a.shape != info_b.shape)
      return add(Difference::Kind::Shape, path,
                 fmt::format("[{}] and [{}]", fmt::join(info_a.shape, ", "), fmt::join(info_b.shape, ", ")));
    if (is_text(info_a)) {
      const auto texts_a = h5::read_strings(a.get()), texts_b = h5::read_strings(b.get());
      const auto differ = std::mismatch(texts_a.begin(), texts_a.end(), texts_b.begin());
      if (differ.first != texts_a.end())
        add(Difference::Kind::Values, path, fmt::format("'{}' and '{}'", *differ.first, *differ.second));
      return;
    }
    if (info_a.kind == h5::ElementKind::Other || info_b.kind == h5::ElementKind::Other) return;
    values(path, h5::read_real(a.get()), h5::read_real(b.get()), info_a.shape);
  }

  void values(const std::string& path, const std::vector<double>& a, const std::vector<double>& b,
              const std::vector<std::size_t>& shape) {
    double scale = 0.0, largest = 0.0;
    std::size_t where = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      for (const double value : {a[i], b[i]})
        if (std::isfinite(value)) scale = std::max(scale, std::abs(value));
      if (a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i]))) continue;
      double difference = std::abs(a[i] - b[i]);
      if (!std::isfinite(difference)) difference = std::numeric_limits<double>::infinity();
      if (difference > largest) {
        largest = difference;
        where = i;
      }
    }
    if (largest <= options_.absolute + options_.relative * scale) return;
    add(Difference::Kind::Values, path, fmt::format("{} and {} at {}", a[where], b[where], place(where, shape)),
        largest, scale > 0.0 ? largest / scale : largest);
  }

  hid_t a_, b_;
  DiffOptions options_;
  std::vector<Difference> found_;
};

}  // namespace

std::string Difference::text() const {
  switch (kind) {
    case Kind::OnlyInA:
      return object + ": only in the first";
    case Kind::OnlyInB:
      return object + ": only in the second";
    case Kind::Type:
      return fmt::format("{}: types differ: {}", object, detail);
    case Kind::Shape:
      return fmt::format("{}: shapes differ: {}", object, detail);
    case Kind::Attribute:
      return fmt::format("{}: {}", object, detail);
    case Kind::Values:
      break;
  }
  if (max_absolute == 0.0) return fmt::format("{}: {}", object, detail);
  return fmt::format("{}: largest difference {:.3e} ({:.3e} of the largest value): {}", object, max_absolute,
                     max_relative, detail);
}

std::vector<Difference> diff(const std::filesystem::path& a, const std::filesystem::path& b,
                             const DiffOptions& options) {
  require_harmless(a);
  require_harmless(b);
  const auto work = [&] {
    try {
      const h5::Handle file_a = h5::open_file(a), file_b = h5::open_file(b);
      nlohmann::json found = nlohmann::json::array();
      for (const Difference& d : Comparison(file_a.get(), file_b.get(), options).run())
        found.push_back({int(d.kind), d.object, d.detail, bits_of(d.max_absolute), bits_of(d.max_relative)});
      return h5::text_of(found);
    } catch (const h5::Error& error) {
      throw InputError(error.what());
    }
  };
  std::error_code error;  // `work` reports a missing file
  const bool first_is_larger = std::filesystem::file_size(a, error) > std::filesystem::file_size(b, error);
  std::vector<Difference> differences;
  for (const auto& d : nlohmann::json::parse(contained(first_is_larger ? a : b, work)))
    differences.push_back({Difference::Kind(d[0].get<int>()), d[1], d[2],
                           std::bit_cast<double>(d[3].get<std::uint64_t>()),
                           std::bit_cast<double>(d[4].get<std::uint64_t>())});
  return differences;
}

}  // namespace deformbench::harness
