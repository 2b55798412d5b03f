// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <hdf5.h>

#include <string>

namespace deformbench::harness {

/// Makes `time` of a clock or of the events (`group`) the HDF5 dimension scale of their rows, and gives every further
/// dimension of a channel a scale without values (`/axis_<length>`), as netCDF-4 does: its readers then find named
/// dimensions. Ensembles are left out, since their times have two dimensions. Call before rows are written: a process
/// killed meanwhile can leave the root group unreadable. h5::Error if a write fails.
void name_dimensions(hid_t file, const std::string& group);

}  // namespace deformbench::harness
