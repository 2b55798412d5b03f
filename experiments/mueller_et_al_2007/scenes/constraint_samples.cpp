// SPDX-License-Identifier: BSD-3-Clause
// Many disjoint, slightly violated constraints of one kind, with masses over four decades and some particles held:
// one projection tests residuals, momenta and mass weighting of all. [MHHR07] §3.3
#include <algorithm>
#include <cmath>

#include <Eigen/Geometry>

#include "experiments/scenes/particles.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

using Corners = std::array<Vector3, 4>;
using model::ConstraintKind;

ConstraintKind kind_of(const std::string& name) {
  for (const auto kind : {ConstraintKind::Bend, ConstraintKind::TetraVolume, ConstraintKind::TrianglePoint,
                          ConstraintKind::TrianglePointScaled})
    if (name == model::type_of(kind).name) return kind;
  return ConstraintKind::Distance;
}

/// Two triangles across the edge of corners 0 and 1, folded by ±0.5 … ±2.2 rad: far from singular angles.
Corners hinge(numerics::RandomStream& random) {
  const double fold = random.uniform(0.5, 2.2) * (random.below(2) ? 1 : -1);
  const double h1 = random.uniform(0.5, 1.5), h2 = random.uniform(0.5, 1.5);
  return {Vector3(0, 0, 0), Vector3(random.uniform(0.7, 1.4), 0, 0), Vector3(random.uniform(0, 1), h1, 0),
          Vector3(random.uniform(0, 1), -h2 * std::cos(fold), h2 * std::sin(fold))};
}

/// A triangle in the plane z = 0, and a point above it with barycentric coordinates by `place`.
Corners point_over_triangle(numerics::RandomStream& random, const std::string& place) {
  Corners x{Vector3(0, 0, 0),
            Vector3(random.uniform(0.7, 1.4), 0, 0),
            Vector3(random.uniform(0, 1), random.uniform(0.6, 1.3), 0),
            {}};
  std::array<double, 3> b{1.0 / 3, 1.0 / 3, 1.0 / 3};
  if (place == "edge") b = {0.5, 0.5, 0.0};
  if (place == "corner") b = {1.0, 0.0, 0.0};
  if (place == "random") {
    std::array<double, 2> cut{random.uniform(), random.uniform()};
    std::sort(cut.begin(), cut.end());
    b = {cut[0], cut[1] - cut[0], 1 - cut[1]};
  }
  x[3] = b[0] * x[0] + b[1] * x[1] + b[2] * x[2] + Vector3(0, 0, random.uniform(0.1, 0.4));
  return x;
}

Corners tetrahedron(numerics::RandomStream& random) {
  Corners x{Vector3(0, 0, 0), Vector3(1, 0, 0), Vector3(0.5, 0.9, 0), Vector3(0.5, 0.3, 0.8)};
  for (Vector3& corner : x) corner += 0.15 * random.direction();
  return x;
}

Corners sample(ConstraintKind kind, const std::string& place, numerics::RandomStream& random) {
  switch (kind) {
    case ConstraintKind::Distance:
      return {Vector3::Zero(), random.uniform(0.5, 1.5) * Vector3::UnitX(), {}, {}};
    case ConstraintKind::Bend:
      return hinge(random);
    case ConstraintKind::TetraVolume:
      return tetrahedron(random);
    default:
      return point_over_triangle(random, place);
  }
}

/// Held corners among the first `cardinality`; never all of them.
std::vector<int> held_corners(const std::string& held, int cardinality, numerics::RandomStream& random) {
  if (held == "triangle") return {0, 1, 2};
  if (held == "point") return {3};
  if (held == "none" || random.below(2) == 0) return {};
  std::vector<int> corners;
  while (corners.empty() || int(corners.size()) == cardinality) {
    corners.clear();
    for (int k = 0; k < cardinality; ++k)
      if (random.below(2)) corners.push_back(k);
  }
  return corners;
}

Scene build_constraint_samples(const Parameters& p) {
  const auto count = int(p.integer("samples"));
  const ConstraintKind kind = kind_of(p.text("kind"));
  const int cardinality = model::type_of(kind).cardinality;
  const double decades = p.real("mass_decades"), low = p.list("stiffness").at(0), high = p.list("stiffness").at(1);
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  Scene scene = particle_scene("constraint_samples", p, Eigen::Index(count) * cardinality);
  std::vector<int> held;
  for (int s = 0; s < count; ++s) {
    const Corners corners = sample(kind, p.text("place"), random);
    const Matrix3 turn = random.rotation();
    const Vector3 shift(random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5), random.uniform(-0.5, 0.5));
    model::PositionConstraint constraint;
    constraint.kind = kind;
    for (int k = 0; k < cardinality; ++k) {
      const int v = s * cardinality + k;
      constraint.vertices[std::size_t(k)] = v;
      scene.particles.rest_positions.row(v) = (turn * corners[std::size_t(k)] + shift).transpose();
      scene.particles.masses[v] = std::pow(10.0, random.uniform(-decades / 2, decades / 2));
    }
    for (const int k : held_corners(p.text("held"), cardinality, random)) held.push_back(s * cardinality + k);
    const double value = model::constraint_value(constraint, scene.particles.rest_positions);
    const bool is_angle = kind == ConstraintKind::Bend;
    const double violation = p.real("violation") * (is_angle ? 1.0 : std::abs(value)) * (random.below(2) ? 1 : -1);
    constraint.rest_value = value - violation;
    constraint.stiffness = low + (high - low) * random.uniform();
    scene.constraints.push_back(constraint);
  }
  if (!held.empty()) hold_particles(scene, held);
  return scene;
}

}  // namespace

SceneDescriptor constraint_samples() {
  ParameterInfo stiffness{"stiffness", "1", std::vector<double>{1.0, 1.0}, "Lowest and highest k, uniform between."};
  stiffness.length = 2;
  stiffness.minimum = 0.0;
  stiffness.maximum = 1.0;
  return {
      "constraint_samples", "Many constraints of one kind that share no particle, each violated a little.",
      particle_parameters(
          Vector3::Zero(), 0.01,
          {choice_parameter("kind", "distance",
                            {"distance", "bend", "tetra_volume", "triangle_point", "triangle_point_scaled"},
                            "Of all constraints."),
           count_parameter("samples", 1000, 1, "How many constraints."),
           positive_parameter("violation", "1", 0.01,
                              "Of every constraint at the start, over its value; rad for angles. Its sign is random."),
           non_negative_parameter("mass_decades", "1", 4.0, "Masses are log-uniform over so many decades about 1 kg."),
           choice_parameter(
               "held", "none", {"none", "some", "triangle", "point"},
               "Nothing; of every second constraint a random part; of vertex against triangle the one or the other."),
           choice_parameter("place", "random", {"random", "centroid", "edge", "corner"},
                            "Of a point over its triangle."),
           stiffness, seed_parameter("Seed of everything random.")}),
      build_constraint_samples};
}

}  // namespace deformbench::scenes
