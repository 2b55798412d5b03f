// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/registry.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {
namespace {

std::string shown(double value) {
  std::ostringstream out;
  out.precision(9);
  out << value;
  return out.str();
}

std::string expected_range(const Parameter& p) {
  const char* open = p.is_open ? "(" : "[";
  const char* close = p.is_open ? ")" : "]";
  return std::string(p.is_integer ? "an integer in " : "a number in ") + open + shown(p.minimum) + ", " +
         shown(p.maximum) + close;
}

void check(const Reference& reference, const Parameter& p, double value) {
  const bool below = p.is_open ? value <= p.minimum : value < p.minimum;
  const bool above = p.is_open ? value >= p.maximum : value > p.maximum;
  if (!std::isfinite(value) || below || above || (p.is_integer && value != std::floor(value))) {
    throw ReferenceError("reference '" + reference.id + "', parameter '" + p.name + "': got " + shown(value) +
                         ", expected " + expected_range(p));
  }
}

std::vector<Reference> collect() {
  std::vector<Reference> references;
  for (auto family : {homogeneous_references, rotation_references, beam_references, elastica_references,
                      torsion_references, time_integration_references, wave_references, plasticity_references,
                      fracture_references, position_based_references, hanging_and_sliding_references}) {
    for (Reference& reference : family()) references.push_back(std::move(reference));
  }
  std::sort(references.begin(), references.end(), [](const Reference& a, const Reference& b) { return a.id < b.id; });
  return references;
}

}  // namespace

const char* to_string(Kind kind) {
  switch (kind) {
    case Kind::ExactInvariant:
      return "exact invariant";
    case Kind::ClosedForm:
      return "closed form";
    case Kind::NumericalSolution:
      return "numerical solution";
    case Kind::Estimate:
      return "estimate";
  }
  return "";
}

Values Reference::complete(const Values& set) const {
  Values values;
  for (const Parameter& p : parameters) values[p.name] = p.default_value;
  for (const auto& [name, value] : set) {
    const auto p = std::find_if(parameters.begin(), parameters.end(),
                                [&name = name](const Parameter& q) { return q.name == name; });
    if (p == parameters.end()) {
      std::string known;
      for (const Parameter& q : parameters) known += (known.empty() ? "" : ", ") + q.name;
      throw ReferenceError("reference '" + id + "' has no parameter '" + name + "', expected one of: " + known);
    }
    check(*this, *p, value);
    values[name] = value;
  }
  return values;
}

std::string Reference::validity_violation(const Values& set) const {
  const Values values = complete(set);
  return violation ? violation(values) : std::string();
}

std::vector<NamedValue> Reference::evaluate(const Values& set, Outside outside) const {
  const Values values = complete(set);
  if (outside == Outside::Refuse && violation) {
    if (const std::string why = violation(values); !why.empty()) {
      throw ReferenceError("reference '" + id + "' is not valid here: " + why);
    }
  }
  const std::vector<double> numbers = compute(values);
  std::vector<NamedValue> named;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    named.push_back({outputs[i].name, numbers.at(i), outputs[i].unit});
  }
  return named;
}

const std::vector<Reference>& all() {
  static const std::vector<Reference> references = collect();
  return references;
}

const Reference& find(const std::string& id) {
  for (const Reference& reference : all()) {
    if (reference.id == id) return reference;
  }
  std::string known;
  for (const Reference& reference : all()) known += (known.empty() ? "" : ", ") + reference.id;
  throw ReferenceError("no reference '" + id + "', expected one of: " + known);
}

}  // namespace deformbench::references
