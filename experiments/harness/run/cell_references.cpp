// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/cell_references.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

using nlohmann::json;

/// The number at a dotted path of the spec.
double number_at(const json& spec, const std::string& path, const std::string& where) {
  const json* here = &spec;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string key = path.substr(begin, end - begin);
    if (here->is_object() && here->contains(key)) {
      here = &here->at(key);
    } else if (here->is_array() && !key.empty() && key.find_first_not_of("0123456789") == std::string::npos &&
               key.size() < 9 && std::stoul(key) < here->size()) {
      here = &here->at(std::stoul(key));
    } else {
      throw InputError(
          fmt::format("{}: '${}': the cell has no key '{}', expected a path such as "
                      "$scene.parameters.length_m",
                      where, path, key));
    }
    begin = end + 1;
  }
  if (!here->is_number())
    throw InputError(fmt::format("{}: '${}' is {}, expected a number", where, path, here->dump()));
  return here->get<double>();
}

double number(const json& spec, const json& value, const std::string& where) {
  if (value.is_number()) return value.get<double>();
  if (value.is_string() && value.get<std::string>().starts_with("$"))
    return number_at(spec, value.get<std::string>().substr(1), where);
  throw InputError(fmt::format("{}: got {}, expected a number or a path \"$scene.parameters.…\"", where, value.dump()));
}

bool is_time(const std::string& abscissa) {
  return abscissa.starts_with("time");
}

}  // namespace

CellReferences::CellReferences(const json& spec) {
  for (const json& request : spec.value("references", json::array())) {
    const std::string id = request.at("id").get<std::string>();
    try {
      Entry entry{&references::find(id), {}};
      const json parameters = request.value("parameters", json::object());  // must outlive items()
      for (const auto& [name, value] : parameters.items())
        entry.values[name] = number(spec, value, fmt::format("reference '{}', parameter '{}'", id, name));
      entry.reference->complete(entry.values);
      entries_.push_back(std::move(entry));
    } catch (const references::ReferenceError& error) {
      throw InputError(error.what());
    }
  }
}

void CellReferences::write(TraceWriter& writer, const ReferenceAbscissa& abscissa) const {
  for (const Entry& entry : entries_) {
    const auto& reference = *entry.reference;
    const bool runs = !reference.abscissa.empty() && !entry.values.contains(reference.abscissa) &&
                      (is_time(reference.abscissa) || !abscissa.pose_values.empty());
    const std::vector<double> single{0.0};
    const auto& points = !runs ? single : is_time(reference.abscissa) ? abscissa.times : abscissa.pose_values;

    std::vector<std::vector<double>> columns(reference.outputs.size());
    std::string violation;
    for (const double point : points) {
      references::Values values = entry.values;
      if (runs) values[reference.abscissa] = point;
      std::string why;
      std::vector<references::NamedValue> results;
      try {
        why = reference.validity_violation(values);
        if (why.empty()) results = reference.evaluate(values);
      } catch (const references::ReferenceError& error) {
        why = error.what();  // a clock value is out of the parameter's range
      }
      if (violation.empty()) violation = why;
      for (std::size_t k = 0; k < columns.size(); ++k)
        columns[k].push_back(results.empty() ? std::numeric_limits<double>::quiet_NaN() : results[k].value);
    }
    for (std::size_t k = 0; k < columns.size(); ++k) {
      TraceWriter::Reference out;
      out.id = reference.id;
      out.channel = reference.outputs[k].name;
      out.unit = reference.outputs[k].unit;
      out.clock = runs ? abscissa.clock : "";
      out.kind = references::to_string(reference.kind);
      out.citation = reference.citation;
      out.validity = violation.empty() ? reference.validity : reference.validity + "; outside: " + violation;
      out.uncertainty = reference.uncertainty;
      out.values = std::move(columns[k]);
      if (runs) out.shape = {out.values.size()};
      writer.reference(out);
    }
  }
}

}  // namespace deformbench::harness
