// SPDX-License-Identifier: BSD-3-Clause
// Every reference of this folder by name, with its citation, units and range of validity: listed by
// `deformbench list references` and requested by a declaration's "references".
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace deformbench::references {

/// Grounds for trusting a reference, strongest first.
enum class Kind {
  ExactInvariant,     ///< an algebraic identity of the discrete method: holds to rounding
  ClosedForm,         ///< exact solution of the stated continuous or discrete problem
  NumericalSolution,  ///< ordinary differential equation or root solved here to the stated uncertainty
  Estimate,           ///< leading-order formula; its uncertainty is a band, not rounding
};
const char* to_string(Kind kind);

/// One-line message: unknown id or parameter, value out of range, or outside the reference's validity.
class ReferenceError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct Parameter {
  std::string name;  ///< snake_case with its unit as suffix
  std::string unit;  ///< SI symbol, "1" if dimensionless
  double default_value;
  std::string doc;
  double minimum = -std::numeric_limits<double>::infinity();
  double maximum = std::numeric_limits<double>::infinity();
  bool is_open = false;  ///< the ends themselves are excluded
  bool is_integer = false;
};

struct Output {
  std::string name;
  std::string unit;
  std::string doc;
};

struct NamedValue {
  std::string name;
  double value;
  std::string unit;
};

using Values = std::map<std::string, double>;

/// Behaviour of `evaluate` where the formula is defined but not valid.
enum class Outside { Refuse, Allow };

struct Reference {
  std::string id;
  std::string summary;
  std::string citation;
  Kind kind;
  std::string validity;  ///< where the formula holds, in words
  double uncertainty;    ///< relative, inside the validity; rounding-level numbers are given as 1e-12
  std::string abscissa;  ///< the parameter that a run varies ("time_s", "angle_deg"), or empty
  std::vector<Parameter> parameters;
  std::vector<Output> outputs;
  std::function<std::vector<double>(const Values&)> compute;      ///< one value per output; input must be complete
  std::function<std::string(const Values&)> violation = nullptr;  ///< why the input is outside the validity, or empty

  /// Defaults overlaid with `set`. Throws ReferenceError: unknown name, not finite, out of range, not integer.
  Values complete(const Values& set) const;
  /// Empty inside the validity; otherwise the reason with the offending number. Throws as `complete`.
  std::string validity_violation(const Values& set) const;
  /// One value per output, in order. Throws ReferenceError as `complete`, and outside the validity unless `Allow` is
  /// given.
  std::vector<NamedValue> evaluate(const Values& set, Outside outside = Outside::Refuse) const;
};

/// All references, sorted by id.
const std::vector<Reference>& all();
/// Throws ReferenceError naming the known ids.
const Reference& find(const std::string& id);

}  // namespace deformbench::references
