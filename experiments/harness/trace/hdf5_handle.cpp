// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/hdf5_handle.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>

namespace deformbench::harness::h5 {
namespace {

constexpr std::size_t kDeflateFromBytes = std::size_t{1} << 16;

std::string file_name(hid_t location) {
  const ssize_t length = H5Fget_name(location, nullptr, 0);
  if (length <= 0) return "HDF5 file";
  std::string name(std::size_t(length) + 1, '\0');
  H5Fget_name(location, name.data(), name.size());
  name.pop_back();
  return name;
}

std::vector<hsize_t> to_hsize(const std::vector<std::size_t>& shape) {
  return {shape.begin(), shape.end()};
}

Handle dataspace(const std::vector<std::size_t>& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const auto dims = to_hsize(shape);
  return {H5Screate_simple(int(dims.size()), dims.data(), nullptr), H5Sclose};
}

ElementKind kind_of(hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return ElementKind::Integer;
    case H5T_FLOAT:
      return ElementKind::Real;
    case H5T_STRING:
      return ElementKind::Text;
    default:
      return ElementKind::Other;
  }
}

std::vector<std::size_t> shape_of(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> dims(std::size_t(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

std::size_t product(const std::vector<std::size_t>& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

/// Reads `count` strings, fixed or variable, through `read(memory type, buffer)`.
template <typename Read>
std::vector<std::string> read_text(hid_t file_type, hid_t space, std::size_t count, const Read& read) {
  std::vector<std::string> strings(count);
  if (count == 0) return strings;
  Handle memory(H5Tcopy(file_type), H5Tclose);
  if (H5Tis_variable_str(file_type) > 0) {
    std::vector<char*> pointers(count, nullptr);
    if (read(memory.get(), pointers.data()) < 0) return {};
    for (std::size_t i = 0; i < count; ++i) strings[i] = pointers[i] ? pointers[i] : "";
    H5Dvlen_reclaim(memory.get(), space, H5P_DEFAULT, pointers.data());
  } else {
    const std::size_t width = H5Tget_size(file_type);
    std::vector<char> buffer(width * count);
    if (read(memory.get(), buffer.data()) < 0) return {};
    for (std::size_t i = 0; i < count; ++i) {
      std::string text(buffer.data() + i * width, width);
      text.resize(std::min(text.find('\0'), text.size()));
      if (H5Tget_strpad(file_type) == H5T_STR_SPACEPAD) text.resize(text.find_last_not_of(' ') + 1);
      strings[i] = std::move(text);
    }
  }
  return strings;
}

Handle open_attribute(hid_t object, const std::string& name) {
  Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute) fail(object, "attribute " + name, "cannot be opened");
  return attribute;
}

void put_attribute(hid_t object, const std::string& name, hid_t file_type, hid_t memory_type, hid_t space,
                   const void* data) {
  if (H5Aexists(object, name.c_str()) > 0) {
    // In place if the shape allows it: the object header keeps its layout, so a crash cannot corrupt it.
    Handle old(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
    Handle old_space(H5Aget_space(old.get()), H5Sclose), old_type(H5Aget_type(old.get()), H5Tclose);
    if (H5Sextent_equal(space, old_space.get()) > 0 && H5Tequal(file_type, old_type.get()) > 0) {
      if (H5Awrite(old.get(), memory_type, data) < 0) fail(object, "attribute " + name, "cannot be written");
      return;
    }
    old.reset();
    if (H5Adelete(object, name.c_str()) < 0) fail(object, "attribute " + name, "cannot be replaced");
  }
  Handle attribute(H5Acreate2(object, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute || H5Awrite(attribute.get(), memory_type, data) < 0)
    fail(object, "attribute " + name, "cannot be written");
}

Handle put_dataset(hid_t location, const std::string& path, hid_t file_type, hid_t memory_type, const void* data,
                   const std::vector<std::size_t>& shape, std::size_t bytes) {
  const Handle space = dataspace(shape);
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose), creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  if (!shape.empty() && bytes >= kDeflateFromBytes) {
    auto chunk = to_hsize(shape);  // about 1 MiB per chunk, split along the first dimension
    const std::size_t row_bytes = std::max<std::size_t>(bytes / shape[0], 1);
    chunk[0] = std::clamp<hsize_t>((std::size_t{1} << 20) / row_bytes, 1, shape[0]);
    H5Pset_chunk(creation.get(), int(chunk.size()), chunk.data());
    H5Pset_shuffle(creation.get());
    H5Pset_deflate(creation.get(), 1);
    H5Pset_fletcher32(creation.get());
  }
  Handle dataset(H5Dcreate2(location, path.c_str(), file_type, space.get(), links.get(), creation.get(), H5P_DEFAULT),
                 H5Dclose);
  if (!dataset) fail(location, path, "dataset cannot be created");
  if (bytes > 0 && H5Dwrite(dataset.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) < 0)
    fail(location, path, "dataset cannot be written");
  return dataset;
}

}  // namespace

std::size_t DatasetInfo::size() const {
  return product(shape);
}

namespace {
// Must precede any other call, even H5get_libversion: hence at load time.
[[maybe_unused]] const herr_t no_exit_handler = H5dont_atexit();
}  // namespace

void initialise() {
  H5open();
  // A trace is one file: an external link could name a pipe, which would block, or any file of the user.
  [[maybe_unused]] static const herr_t no_external_links = H5Lunregister(H5L_TYPE_EXTERNAL);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

std::string last_reason() {
  std::string reason;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* error, void* data) -> herr_t {
        auto& text = *static_cast<std::string*>(data);
        if (text.empty() && error->desc) text = error->desc;
        return 0;
      },
      &reason);
  if (reason == "unable to find link class") return "a link into another file";  // unregistered by initialise()
  // "file write failed: time = …, errno = 28, error message = 'No space left on device', buf = …"
  if (const auto start = reason.find("error message = '"); start != std::string::npos) {
    const auto from = start + 17;
    reason = reason.substr(from, reason.find('\'', from) - from);
  }
  return reason;
}

void fail(hid_t location, const std::string& object, const std::string& action) {
  const std::string reason = last_reason();
  throw Error(file_name(location) + ": " + object + ": " + action + (reason.empty() ? "" : " (" + reason + ")"));
}

// === Files and groups

Handle open_file(const std::filesystem::path& path) {
  initialise();
  if (!std::filesystem::exists(path)) throw Error(path.string() + ": no such file");
  if (!std::filesystem::is_regular_file(path)) throw Error(path.string() + ": is no file, expected an HDF5 file");
  if (std::filesystem::file_size(path) == 0)  // also files of /proc, some of which block
    throw Error(path.string() + ": has no content, expected an HDF5 file");
  Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fclose_degree(access.get(), H5F_CLOSE_STRONG);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.get()), H5Fclose);
  if (!file) throw Error(path.string() + ": cannot be opened as HDF5 (" + last_reason() + ")");
  return file;
}

Handle open_group(hid_t location, const std::string& path) {
  Handle group(H5Gopen2(location, path.c_str(), H5P_DEFAULT), H5Gclose);
  if (!group) fail(location, path, "no such group");
  return group;
}

Handle open_dataset(hid_t location, const std::string& path) {
  Handle dataset(H5Dopen2(location, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!dataset) fail(location, path, "no such dataset");
  if (!keeps_own_values(dataset.get())) fail(location, path, "keeps its values in other files");
  return dataset;
}

Handle create_group(hid_t location, const std::string& path) {
  Handle links(H5Pcreate(H5P_LINK_CREATE), H5Pclose);
  H5Pset_create_intermediate_group(links.get(), 1);
  Handle group(H5Gcreate2(location, path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT), H5Gclose);
  if (!group) fail(location, path, "group cannot be created");
  return group;
}

bool exists(hid_t location, const std::string& path) {
  if (path == "/" || path.empty()) return true;
  for (std::size_t end = path.find('/', 1);; end = path.find('/', end + 1)) {
    const std::string part = path.substr(0, end);
    if (H5Lexists(location, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (H5Oexists_by_name(location, part.c_str(), H5P_DEFAULT) <= 0) return false;
    if (end == std::string::npos) return true;
  }
}

namespace {
H5I_type_t type_at(hid_t location, const std::string& path) {
  if (!exists(location, path)) return H5I_BADID;
  const Handle object(H5Oopen(location, path.empty() ? "." : path.c_str(), H5P_DEFAULT), H5Oclose);
  return object ? H5Iget_type(object.get()) : H5I_BADID;
}
}  // namespace

haddr_t address_of(hid_t object) {
  H5O_info_t about;
  if (H5Oget_info2(object, &about, H5O_INFO_BASIC) < 0) fail(object, "object", "cannot be asked");
  return about.addr;
}

bool is_group(hid_t location, const std::string& path) {
  return type_at(location, path) == H5I_GROUP;
}
bool is_dataset(hid_t location, const std::string& path) {
  return type_at(location, path) == H5I_DATASET;
}

bool keeps_own_values(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  return H5Pget_layout(creation.get()) != H5D_VIRTUAL && H5Pget_external_count(creation.get()) == 0;
}

std::vector<std::string> children(hid_t location, const std::string& path) {
  const Handle group = open_group(location, path);
  std::vector<std::string> names;
  if (H5Literate(
          group.get(), H5_INDEX_NAME, H5_ITER_INC, nullptr,
          [](hid_t, const char* name, const H5L_info_t*, void* data) -> herr_t {
            static_cast<std::vector<std::string>*>(data)->emplace_back(name);
            return 0;
          },
          &names) < 0)
    fail(location, path, "cannot be listed");
  std::sort(names.begin(), names.end());
  return names;
}

// === Attributes

Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

void write_attribute(hid_t object, const std::string& name, const std::string& value) {
  const Handle type = text_type(), space = dataspace({});
  const char* text = value.c_str();
  put_attribute(object, name, type.get(), type.get(), space.get(), &text);
}

void write_attribute(hid_t object, const std::string& name, std::int64_t value) {
  put_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, dataspace({}).get(), &value);
}

void write_attribute(hid_t object, const std::string& name, double value) {
  put_attribute(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, dataspace({}).get(), &value);
}

void write_attribute(hid_t object, const std::string& name, std::span<const std::int64_t> values) {
  put_attribute(object, name, H5T_STD_I64LE, H5T_NATIVE_INT64, dataspace({values.size()}).get(), values.data());
}

void write_attribute(hid_t object, const std::string& name, const nlohmann::json& value) {
  if (value.is_string()) return write_attribute(object, name, value.get<std::string>());
  if (value.is_number_integer()) return write_attribute(object, name, value.get<std::int64_t>());
  if (value.is_number_float()) return write_attribute(object, name, value.get<double>());
  write_attribute(object, name, value.dump());
}

bool has_attribute(hid_t object, const std::string& name) {
  return H5Aexists(object, name.c_str()) > 0;
}

std::vector<std::string> attribute_names(hid_t object) {
  std::vector<std::string> names;
  H5Aiterate2(
      object, H5_INDEX_NAME, H5_ITER_INC, nullptr,
      [](hid_t, const char* name, const H5A_info_t*, void* data) -> herr_t {
        static_cast<std::vector<std::string>*>(data)->emplace_back(name);
        return 0;
      },
      &names);
  std::sort(names.begin(), names.end());
  return names;
}

nlohmann::json read_attribute(hid_t object, const std::string& name) {
  const Handle attribute = open_attribute(object, name);
  const Handle type(H5Aget_type(attribute.get()), H5Tclose), space(H5Aget_space(attribute.get()), H5Sclose);
  const auto shape = shape_of(space.get());
  const std::size_t count = product(shape);
  const auto result = [&](const auto& values) -> nlohmann::json {
    if (values.size() != count) fail(object, "attribute " + name, "cannot be read");
    if (shape.empty()) return values[0];
    return values;
  };
  const auto read = [&](hid_t memory_type, void* data) { return H5Aread(attribute.get(), memory_type, data); };
  switch (kind_of(type.get())) {
    case ElementKind::Text:
      return result(read_text(type.get(), space.get(), count, read));
    case ElementKind::Integer: {
      std::vector<std::int64_t> values(count);
      if (read(H5T_NATIVE_INT64, values.data()) < 0) fail(object, "attribute " + name, "cannot be read");
      return result(values);
    }
    case ElementKind::Real: {
      std::vector<double> values(count);
      if (read(H5T_NATIVE_DOUBLE, values.data()) < 0) fail(object, "attribute " + name, "cannot be read");
      return result(values);
    }
    case ElementKind::Other:
      break;
  }
  return nullptr;
}

std::string text_of(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// === Datasets

Handle transfer_without_checksums() {
  Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  H5Pset_edc_check(transfer.get(), H5Z_DISABLE_EDC);
  return transfer;
}

DatasetInfo info(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  return {shape_of(space.get()), kind_of(type.get())};
}

std::vector<double> read_real(hid_t dataset) {
  std::vector<double> values(info(dataset).size());
  if (!values.empty() && H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(dataset, "dataset", "cannot be read as numbers");
  return values;
}

std::vector<std::int64_t> read_integers(hid_t dataset) {
  std::vector<std::int64_t> values(info(dataset).size());
  if (!values.empty() && H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    fail(dataset, "dataset", "cannot be read as integers");
  return values;
}

std::vector<std::string> read_strings(hid_t dataset) {
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  const std::size_t count = info(dataset).size();
  if (kind_of(type.get()) != ElementKind::Text) fail(dataset, "dataset", "is not text");
  auto strings = read_text(type.get(), space.get(), count, [&](hid_t memory_type, void* data) {
    return H5Dread(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data);
  });
  if (strings.size() != count) fail(dataset, "dataset", "cannot be read as text");
  return strings;
}

std::vector<std::string> read_strings(hid_t dataset, std::size_t count) {
  const Handle type(H5Dget_type(dataset), H5Tclose), space(H5Dget_space(dataset), H5Sclose);
  if (kind_of(type.get()) != ElementKind::Text) fail(dataset, "dataset", "is not text");
  const hsize_t start = 0, block = count;
  const Handle memory(H5Screate_simple(1, &block, nullptr), H5Sclose);
  if (count > 0) H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &start, nullptr, &block, nullptr);
  const Handle unchecked = transfer_without_checksums();
  auto strings = read_text(type.get(), memory.get(), count, [&](hid_t memory_type, void* data) {
    return H5Dread(dataset, memory_type, memory.get(), space.get(), unchecked.get(), data);
  });
  if (strings.size() != count) fail(dataset, "dataset", "cannot be read as text");
  return strings;
}

Handle write_dataset(hid_t location, const std::string& path, std::span<const double> values,
                     const std::vector<std::size_t>& shape) {
  return put_dataset(location, path, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, values.data(), shape, values.size_bytes());
}

Handle write_dataset(hid_t location, const std::string& path, std::span<const int> values,
                     const std::vector<std::size_t>& shape) {
  return put_dataset(location, path, H5T_STD_I32LE, H5T_NATIVE_INT, values.data(), shape, values.size_bytes());
}

}  // namespace deformbench::harness::h5
