// SPDX-License-Identifier: BSD-3-Clause
// The `references` section of a cell: closed forms evaluated with the cell's parameters. Internal to the run loop.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "experiments/harness/trace/trace_writer.hpp"
#include "reference_data/closed_forms/registry.hpp"

namespace deformbench::harness {

/// Abscissae of a reference: times of the rows of a clock (s), or pose values.
struct ReferenceAbscissa {
  std::string clock;
  std::vector<double> times;
  std::vector<double> pose_values;  ///< empty unless the schedule imposes poses
};

class CellReferences {
 public:
  /// Parameters are numbers, or paths into the resolved spec: "$scene.parameters.length_m" (list entries by index
  /// from 0, ".1"). Throws InputError for an unknown reference, parameter or path, or a value out of range.
  explicit CellReferences(const nlohmann::json& resolved_spec);

  /// A reference with unset abscissa parameter is evaluated along `abscissa`; all others are scalars. NaN outside the
  /// validity of the formula, with the reason in the attribute `validity`.
  void write(TraceWriter& writer, const ReferenceAbscissa& abscissa) const;

 private:
  struct Entry {
    const references::Reference* reference;
    references::Values values;
  };
  std::vector<Entry> entries_;
};

}  // namespace deformbench::harness
