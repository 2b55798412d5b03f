// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/trace/dimension_scales.hpp"

#include <fmt/format.h>
#include <hdf5_hl.h>

#include "experiments/harness/trace/hdf5_handle.hpp"

namespace deformbench::harness {
namespace {

/// The name by which netCDF-4 recognises a dimension without coordinates.
std::string name_without_variable(std::size_t length) {
  return fmt::format("This is a netCDF dimension but not a netCDF variable.{:10}", length);
}

h5::Handle axis(hid_t file, std::size_t length) {
  const std::string path = fmt::format("/axis_{}", length);
  if (h5::exists(file, path)) return h5::open_dataset(file, path);
  const hsize_t size = length;
  const h5::Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  h5::Handle scale(H5Dcreate2(file, path.c_str(), H5T_IEEE_F32BE, space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose);
  if (!scale || H5DSset_scale(scale.get(), name_without_variable(length).c_str()) < 0)
    h5::fail(file, path, "axis cannot be created");
  return scale;
}

}  // namespace

void name_dimensions(hid_t file, const std::string& group) {
  const std::string path = group + "/time";
  if (!h5::exists(file, path)) return;
  const h5::Handle time = h5::open_dataset(file, path);
  if (h5::info(time.get()).shape.size() != 1) return;
  if (H5DSset_scale(time.get(), "time") < 0) h5::fail(file, path, "cannot become a dimension scale");
  for (const std::string& name : h5::children(file, group)) {
    if (name == "time") continue;
    const h5::Handle channel = h5::open_dataset(file, group + "/" + name);
    const std::vector<std::size_t> shape = h5::info(channel.get()).shape;
    for (std::size_t k = 0; k < shape.size(); ++k)
      if (H5DSattach_scale(channel.get(), k == 0 ? time.get() : axis(file, shape[k]).get(), unsigned(k)) < 0)
        h5::fail(channel.get(), name, "no dimension scale can be attached");
  }
}

}  // namespace deformbench::harness
