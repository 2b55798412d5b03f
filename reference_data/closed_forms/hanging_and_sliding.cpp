// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/hanging_and_sliding.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {
namespace {

/// Root of an increasing function in (low, high), to rounding.
template <class Function>
double increasing_root(Function f, double low, double high) {
  for (int i = 0; i < 200 && high - low > 1e-16 * std::abs(high); ++i) {
    const double middle = low + (high - low) / 2;
    (f(middle) < 0 ? low : high) = middle;
  }
  return low + (high - low) / 2;
}

void check_chain(double length, double span) {
  if (!(span > 0 && length > span)) throw std::domain_error("hung chain: expected length > span > 0");
}

}  // namespace

HungChain catenary(double length, double span) {
  check_chain(length, span);
  const double u = increasing_root([&](double x) { return std::sinh(x) / x - length / span; }, 1e-9, 700.0);
  const double a = span / (2 * u);
  return {a * 2 * std::sinh(u / 2) * std::sinh(u / 2), a / length};
}

HungChain linked_chain(double length, double span, int links) {
  check_chain(length, span);
  if (links < 2) throw std::domain_error("hung chain: at least two links");
  // Link i carries the vertical force W (N − 1 − 2i)/2, W the weight of a joint; with H it gives its slope.
  const auto slope = [&](double weight_over_h, int i) { return weight_over_h * (links - 1 - 2 * i) / 2; };
  const auto width = [&](double r) {
    double x = 0;
    for (int i = 0; i < links; ++i) x += length / links / std::hypot(1.0, slope(r, i));
    return x;
  };
  // With an odd number of links the middle link stays horizontal even if the others are vertical.
  if (width(1e12) >= span) throw std::domain_error("hung chain: the middle link alone is as long as the span");
  const double r = std::exp(increasing_root([&](double log_r) { return span - width(std::exp(log_r)); }, -40.0, 27.0));
  double sag = 0, lowest = 0;
  for (int i = 0; i < links; ++i) {
    sag += length / links * slope(r, i) / std::hypot(1.0, slope(r, i));
    lowest = std::fmax(lowest, sag);
  }
  return {lowest, 1 / (r * (links - 1))};
}

double pendulum_period_ratio(double amplitude) {
  return 2 / std::numbers::pi * std::comp_ellint_1(std::sin(amplitude / 2));
}

double slope_acceleration(double slope, double friction, double g) {
  return g * (std::sin(slope) - friction * std::cos(slope));
}

double slope_stop_distance(double slope, double friction, double g, double speed) {
  const double a = slope_acceleration(slope, friction, g);
  return a < 0 ? speed * speed / (-2 * a) : kInfinity;
}

double bounce_height_ratio(double restitution) {
  return restitution * restitution;
}

namespace {
const char* const kMechanics = "textbook mechanics; Timoshenko & Young, Engineering Mechanics, 1956";
Parameter slope() {
  return {"slope_deg", "deg", 30, "angle of the plane", 0, 89};
}
Parameter friction() {
  return {"friction", "1", 0.5, "Coulomb coefficient", 0, kInfinity};
}
}  // namespace

std::vector<Reference> hanging_and_sliding_references() {
  return {
      {.id = "hung_chain",
       .summary =
           "Sag and end force of an inextensible chain between two points at one height: catenary, and straight links",
       .citation =
           "J. Bernoulli, G. Leibniz, C. Huygens, Acta Eruditorum, 1691; links: force balance at the joints, here",
       .kind = Kind::NumericalSolution,
       .validity = "length > span; links of equal length with equal masses at the inner joints",
       .uncertainty = 1e-10,
       .abscissa = "",
       .parameters = {positive("length_m", "m", 1.5, "of the chain"),
                      positive("span_m", "m", 1.0, "between the ends"),
                      {"links", "1", 20, "straight links", 2, 1e5, false, true}},
       .outputs = {{"sag_m", "m", "of the continuous chain"},
                   {"horizontal_force_ratio", "1", "H over the weight of the continuous chain"},
                   {"linked_sag_m", "m", "of the chain of links"},
                   {"linked_horizontal_force_ratio", "1", "H over the weight of the inner joints"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double length = v.at("length_m"), span = v.at("span_m");
         const HungChain smooth = catenary(length, span);
         const HungChain links = linked_chain(length, span, int(std::lround(v.at("links"))));
         return {smooth.sag, smooth.horizontal_force, links.sag, links.horizontal_force};
       },
       .violation = [](const Values& v) -> std::string {
         if (v.at("length_m") <= v.at("span_m")) return "chain not longer than the span";
         const bool odd = std::lround(v.at("links")) % 2 != 0;
         return odd && v.at("length_m") / v.at("links") >= v.at("span_m") ? "the middle link is as long as the span"
                                                                          : "";
       }},
      {.id = "pendulum_period",
       .summary = "Period of a pendulum of finite amplitude",
       .citation = "Landau & Lifshitz, Mechanics, §11",
       .kind = Kind::ClosedForm,
       .validity = "point mass on a rigid massless rod",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {positive("length_m", "m", 1.0, "of the rod"),
                      gravity(),
                      {"amplitude_deg", "deg", 60, "largest angle from the vertical", 0, 179.9}},
       .outputs = {{"period_s", "s", "of a full swing"}, {"period_ratio", "1", "over that of small swings"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double ratio = pendulum_period_ratio(radians(v.at("amplitude_deg")));
         return {ratio * 2 * std::numbers::pi * std::sqrt(v.at("length_m") / v.at("gravity_m_s2")), ratio};
       },
       .violation = [](const Values& v) -> std::string {
         return v.at("gravity_m_s2") > 0 ? "" : "no gravity, no swing";
       }},
      {.id = "sliding_particle",
       .summary = "Coulomb friction on a slope: acceleration, and the way to a stop",
       .citation = kMechanics,
       .kind = Kind::ClosedForm,
       .validity = "sliding: friction below tan(slope) from rest, or a speed downhill",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {slope(), friction(), gravity(), {"speed_m_s", "m/s", 0, "downhill, at the start", 0, kInfinity}},
       .outputs = {{"acceleration_m_s2", "m/s^2", "downhill while it slides"},
                   {"sticks", "1", "1 where a particle at rest stays at rest"},
                   {"stop_time_s", "s", "until it stops; -1 where it does not"},
                   {"stop_distance_m", "m", "downhill until it stops; -1 where it does not"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double alpha = radians(v.at("slope_deg")), mu = v.at("friction"), g = v.at("gravity_m_s2"),
                      v0 = v.at("speed_m_s");
         const double a = slope_acceleration(alpha, mu, g);
         const bool stops = a < 0;
         return {a, std::tan(alpha) <= mu ? 1.0 : 0.0, stops ? v0 / -a : -1.0,
                 stops ? slope_stop_distance(alpha, mu, g, v0) : -1.0};
       }},
      {.id = "bounce",
       .summary = "First bounce of a dropped particle",
       .citation = kMechanics,
       .kind = Kind::ClosedForm,
       .validity = "drop from rest on a level plane",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {{"restitution", "1", 0.5, "coefficient e", 0, 1}, positive("height_m", "m", 1.0, "of the drop")},
       .outputs = {{"apex_m", "m", "e^2 h"}},
       .compute = [](const Values& v) -> std::vector<double> {
         return {bounce_height_ratio(v.at("restitution")) * v.at("height_m")};
       }},
  };
}

}  // namespace deformbench::references
