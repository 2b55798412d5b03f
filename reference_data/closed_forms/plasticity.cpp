// SPDX-License-Identifier: BSD-3-Clause
#include "reference_data/closed_forms/plasticity.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "reference_data/closed_forms/families.hpp"

namespace deformbench::references {
namespace {

/// Flow and cap of one step: the new ε_p for a total strain.
double flowed(const Creep& creep, double total, double plastic, double dt) {
  const double elastic = total - plastic;
  if (std::abs(elastic) > creep.yield) {
    const double absorbed =
        creep.flow == FlowRate::RadialReturn ? 1 - creep.yield / std::abs(elastic) : 1 - kept_share(creep, dt);
    plastic += absorbed * elastic;
  }
  if (std::abs(plastic) > creep.cap) plastic *= creep.cap / std::abs(plastic);
  return plastic;
}

}  // namespace

double kept_share(const Creep& creep, double dt) {
  if (creep.flow == FlowRate::RadialReturn) throw std::domain_error("creep: radial return keeps no fixed share");
  const double share = creep.rate * dt;
  if (creep.flow == FlowRate::Exponential) return std::exp(-share);
  return std::abs(1 - share) < 1e-12 ? 0.0 : 1 - share;  // c = 1/Δt is a special case, despite rounding
}

long held_flow_steps(const Creep& creep, double strain, double dt) {
  if (strain <= creep.yield) return 0;
  if (creep.flow == FlowRate::RadialReturn) return 1;
  const double q = kept_share(creep, dt);
  if (!(q >= 0 && q < 1)) throw std::domain_error("creep: c dt must lie in (0, 1]");
  if (q == 0) return 1;
  if (creep.yield == 0) throw std::domain_error("creep: without a yield the flow never stops");
  // Flow stops at the first e that does not exceed the yield.
  auto steps = long(std::ceil(std::log(creep.yield / strain) / std::log(q)));
  while (strain * std::pow(q, double(steps - 1)) <= creep.yield) --steps;  // rounding of the quotient
  while (strain * std::pow(q, double(steps)) > creep.yield) ++steps;
  return steps;
}

double held_elastic_strain(const Creep& creep, double strain, double dt, long steps) {
  const long flowing = std::min(steps, held_flow_steps(creep, strain, dt));
  double elastic = strain;
  if (flowing > 0)
    elastic =
        creep.flow == FlowRate::RadialReturn ? creep.yield : strain * std::pow(kept_share(creep, dt), double(flowing));
  return steps > 0 ? std::max(elastic, strain - creep.cap) : strain;
}

double held_elastic_strain_continuous(const Creep& creep, double strain, double time) {
  if (strain <= creep.yield) return strain;
  return std::max({strain * std::exp(-creep.rate * time), creep.yield, strain - creep.cap});
}

double constant_load_plastic_strain(const Creep& creep, double elastic, double time) {
  if (elastic <= creep.yield) return 0.0;
  return std::min(creep.rate * elastic * time, creep.cap);
}

double constant_rate_elastic_strain(const Creep& creep, double r, double time) {
  const double onset = creep.yield / r;
  if (time <= onset) return r * time;
  const double limit = r / creep.rate;
  const double elastic = limit + (creep.yield - limit) * std::exp(-creep.rate * (time - onset));
  // ε_p = r t − e; at its cap all further strain is elastic.
  const double flowing = limit > creep.yield ? elastic : creep.yield;  // slow straining: e stays at the yield
  return std::max(flowing, r * time - creep.cap);
}

double dissipated_share(const Creep& creep, double dt) {
  const double q = kept_share(creep, dt);
  return 1 - q * q;
}

double engineering_norm_of_shear(double shear, double angle) {
  // ε = γ/2 [cos 2α on xy, ± sin 2α on xx, yy]; the 6-vector holds γ_xy = 2 ε_xy.
  const double normal = shear / 2 * std::sin(2 * angle);
  return std::hypot(normal, normal, shear * std::cos(2 * angle));
}

BarState creeping_bar(const CreepingBar& bar, long steps) {
  if (steps < 0) throw std::domain_error("creeping bar: negative number of steps");
  BarState s;
  const double dt = bar.time_step, k = bar.stiffness;
  const double pivot = bar.mass + dt * bar.damping + dt * dt * k;
  for (long n = 1; n <= steps; ++n) {
    const double force = double(n) * dt <= bar.hold_time + dt / 2 ? bar.force : 0.0;
    const double before = s.plastic_strain;
    s.plastic_strain = flowed(bar.creep, s.position, before, dt);
    // [MG04] §6: (m + Δt C + Δt² k) v⁺ = m v − Δt (k x − s k ε_p − f)
    const double resisting =
        k * s.position - bar.plastic_sign * k * (bar.force_before_flow ? before : s.plastic_strain);
    s.velocity = (bar.mass * s.velocity - dt * (resisting - force)) / pivot;
    s.position += dt * s.velocity;
  }
  return s;
}

namespace {

const char* const kRule = "M. Müller, M. Gross, Interactive Virtual Materials, 2004, §3; recursion derived here";

Parameter yield(double value) {
  return {"yield_strain", "1", value, "norm of the elastic strain beyond which there is flow", 0, kInfinity};
}
Parameter rate(double value) {
  return positive("creep_1_s", "1/s", value, "c, rate of the flow");
}
Parameter cap(double value) {
  return positive("plastic_max", "1", value, "largest norm of the plastic strain");
}
Parameter flow() {
  return {"flow", "1", 0.0, "0: share c dt as printed; 1: 1 - exp(-c dt); 2: radial return", 0, 2, false, true};
}
Parameter step() {
  return positive("time_step_s", "s", 0.01, "time step");
}
Parameter time(double value) {
  return {"time_s", "s", value, "time, a whole number of steps", 0, 1e9};
}
Creep creep(const Values& v) {
  return {v.at("yield_strain"), v.at("creep_1_s"), v.at("plastic_max"),
          v.count("flow") ? FlowRate(std::lround(v.at("flow"))) : FlowRate::Printed};
}
std::string over_relaxed(const Values& v) {
  const double share = v.at("creep_1_s") * v.at("time_step_s");
  const bool printed = !v.count("flow") || v.at("flow") == 0;
  return printed && share > 1 + 1e-12 ? "c dt = " + std::to_string(share) + ", expected at most 1" : "";
}

}  // namespace

std::vector<Reference> plasticity_references() {
  return {
      {.id = "held_strain_creep",
       .summary =
           "Relaxation of the elastic strain at held total strain: the exact recursion, and its continuous limit",
       .citation = kRule,
       .kind = Kind::ExactInvariant,
       .validity = "strain held along one direction, measured in the norm that yields; c dt <= 1 as printed",
       .uncertainty = 1e-10,
       .abscissa = "time_s",
       .parameters = {positive("held_strain", "1", 0.1, "norm of the total strain"), yield(0.02), rate(10.0), cap(10.0),
                      flow(), step(), time(1.0)},
       .outputs = {{"elastic_strain", "1", "norm of the elastic strain"},
                   {"plastic_strain", "1", "norm of the plastic strain"},
                   {"flow_steps", "1", "steps with flow, were there no cap"},
                   {"continuous_elastic_strain", "1", "limit of small steps"},
                   {"continuous_flow_time_s", "s", "when the flow stops in that limit, were there no cap"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const Creep c = creep(v);
         const double held = v.at("held_strain"), dt = v.at("time_step_s");
         const double e = held_elastic_strain(c, held, dt, steps(v));
         const double stop = held > c.yield ? std::log(held / c.yield) / c.rate : 0.0;
         return {e, held - e, double(held_flow_steps(c, held, dt)),
                 held_elastic_strain_continuous(c, held, v.at("time_s")), stop};
       },
       .violation = [](const Values& v) -> std::string {
         if (v.at("yield_strain") <= 0) return "yield 0, expected a positive one: the flow would never stop";
         const std::string why = over_relaxed(v);
         return why.empty() ? between_steps(v) : why;
       }},
      {.id = "constant_load_creep",
       .summary = "Plastic strain under a constant stress, and the time at which it is at its cap",
       .citation = kRule,
       .kind = Kind::ClosedForm,
       .validity = "elastic strain constant and beyond the yield; inertia apart",
       .uncertainty = kRounding,
       .abscissa = "time_s",
       .parameters = {positive("elastic_strain", "1", 0.1, "stress over Young's modulus"),
                      yield(0.01),
                      rate(20.0),
                      cap(0.3),
                      {"time_s", "s", 1.0, "time under load", 0, 1e9}},
       .outputs = {{"plastic_strain", "1", "c e t up to the cap"},
                   {"total_strain", "1", "elastic and plastic"},
                   {"cap_time_s", "s", "cap / (c e)"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const Creep c = creep(v);
         const double e = v.at("elastic_strain"), plastic = constant_load_plastic_strain(c, e, v.at("time_s"));
         return {plastic, e + plastic, c.cap / (c.rate * e)};
       },
       .violation = [](const Values& v) -> std::string {
         return v.at("elastic_strain") > v.at("yield_strain") ? "" : "the elastic strain does not exceed the yield";
       }},
      {.id = "constant_rate_creep",
       .summary = "Elastic strain when the total strain grows at a constant rate",
       .citation = kRule,
       .kind = Kind::ClosedForm,
       .validity = "limit of small steps, monotonic loading from zero along one direction",
       .uncertainty = kRounding,
       .abscissa = "time_s",
       .parameters = {positive("strain_rate_1_s", "1/s", 1.0, "rate of the total strain"),
                      yield(0.01),
                      rate(20.0),
                      cap(10.0),
                      {"time_s", "s", 1.0, "time", 0, 1e9}},
       .outputs = {{"elastic_strain", "1", "tends to r / c"}, {"plastic_strain", "1", "the rest"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double r = v.at("strain_rate_1_s"), t = v.at("time_s");
         const double e = constant_rate_elastic_strain(creep(v), r, t);
         return {e, r * t - e};
       }},
      {.id = "creep_dissipation",
       .summary = "Share of the elastic energy that one step of flow dissipates at fixed total strain",
       .citation = kRule,
       .kind = Kind::ExactInvariant,
       .validity = "one step of flow below the cap; positive for c dt < 2 as printed",
       .uncertainty = kRounding,
       .abscissa = "",
       .parameters = {rate(10.0),
                      step(),
                      {"flow", "1", 0.0, "0: share c dt as printed; 1: 1 - exp(-c dt)", 0, 1, false, true}},
       .outputs = {{"dissipated_share", "1", "of the elastic energy before the step"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const Creep c{0.0, v.at("creep_1_s"), kInfinity, FlowRate(std::lround(v.at("flow")))};
         return {dissipated_share(c, v.at("time_step_s"))};
       }},
      {.id = "yield_onset_shear",
       .summary = "Pure shear at which flow begins, against the orientation of the element",
       .citation = "derived here; erratum B-IVM-4",
       .kind = Kind::ClosedForm,
       .validity = "pure shear, small enough that the rotation is the identity",
       .uncertainty = kRounding,
       .abscissa = "angle_deg",
       .parameters = {yield(0.02), {"angle_deg", "deg", 0.0, "angle of the axes from the shear frame", -360, 360}},
       .outputs = {{"engineering_onset", "1", "2-norm of the 6-vector with engineering shear, as printed"},
                   {"frobenius_onset", "1", "Frobenius norm of the strain tensor"}},
       .compute = [](const Values& v) -> std::vector<double> {
         const double y = v.at("yield_strain");
         return {y / engineering_norm_of_shear(1.0, radians(v.at("angle_deg"))), y * std::sqrt(2.0)};
       }},
      {.id = "creeping_bar",
       .summary =
           "A bar that is loaded, held and released, one degree of freedom: the printed loop stepped as a scalar",
       .citation = "M. Müller, M. Gross, Interactive Virtual Materials, 2004, §6; erratum B-IVM-1",
       .kind = Kind::ExactInvariant,
       .validity = "uniaxial strain without rotation, exact solves",
       .uncertainty = 1e-10,
       .abscissa = "time_s",
       .parameters = {positive("stiffness_n_m", "N/m", 100.0, "k of a bar 1 m long"),
                      positive("mass_kg", "kg", 0.01, "mass"),
                      {"mass_damping_1_s", "1/s", 200.0, "damper over the mass, C = alpha m", 0, kInfinity},
                      {"force_n", "N", 10.0, "load"},
                      {"hold_time_s", "s", 1.0, "until when it acts", 0, kInfinity},
                      yield(0.01),
                      rate(20.0),
                      cap(0.3),
                      flow(),
                      step(),
                      time(2.0),
                      {"plastic_sign", "1", 1.0, "1: resisting force K(x - x_p); -1: the listing's sign", -1, 1, false,
                       true},
                      {"force_before_flow", "1", 0.0, "1: the plastic force is assembled before the flow", 0, 1, false,
                       true}},
       .outputs = {{"position_m", "m", "displacement of the end"},
                   {"velocity_m_s", "m/s", "velocity of the end"},
                   {"plastic_strain", "1", "plastic strain"}},
       .compute = [](const Values& v) -> std::vector<double> {
         CreepingBar bar;
         bar.stiffness = v.at("stiffness_n_m");
         bar.mass = v.at("mass_kg");
         bar.damping = v.at("mass_damping_1_s") * bar.mass;
         bar.force = v.at("force_n");
         bar.hold_time = v.at("hold_time_s");
         bar.time_step = v.at("time_step_s");
         bar.creep = creep(v);
         bar.plastic_sign = int(std::lround(v.at("plastic_sign")));
         bar.force_before_flow = v.at("force_before_flow") != 0;
         const BarState s = creeping_bar(bar, steps(v));
         return {s.position, s.velocity, s.plastic_strain};
       },
       .violation = [](const Values& v) -> std::string {
         if (v.at("plastic_sign") == 0) return "plastic_sign 0, expected 1 or -1";
         return between_steps(v);
       }},
  };
}

}  // namespace deformbench::references
