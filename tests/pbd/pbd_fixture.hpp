// SPDX-License-Identifier: BSD-3-Clause
// Small scenes, simulations and sums for the tests of methods/pbd.
#pragma once

#include <Eigen/Geometry>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/model/position_constraint.hpp"
#include "methods/numerics/random.hpp"
#include "methods/pbd/pbd_simulation.hpp"
#include "methods/pbd/register_pbd.hpp"

namespace deformbench::pbd {

using Settings = std::map<std::string, ParameterValue>;

inline PbdOptions options_of(const std::string& id, const Settings& settings = {}) {
  const bool is_compliant = id == "xpbd";
  return pbd_options(Parameters(pbd_parameters(is_compliant), settings, id), is_compliant);
}

inline std::unique_ptr<Simulation> make(const std::string& id, const Scene& scene, const Settings& settings = {},
                                        std::uint64_t seed = 1) {
  return make_pbd_simulation(scene, options_of(id, settings), {seed, 1, false});
}

/// The iterations of one step.
inline std::vector<Iteration> watched_step(Simulation& simulation) {
  IterationLog log;
  auto& facet = dynamic_cast<IterationFacet&>(simulation);
  facet.watch_iterations(&log);
  log.begin_step();
  simulation.step();
  facet.watch_iterations(nullptr);
  return log.rows();
}

inline Scene particle_scene(const Points& positions, const Eigen::VectorXd& masses, double time_step = 0.01) {
  Scene scene;
  scene.name = "particles";
  scene.particles.rest_positions = positions;
  scene.particles.masses = masses;
  scene.time_step = time_step;
  return scene;
}

inline model::PositionConstraint distance_constraint(int a, int b, double rest, double stiffness = 1.0,
                                                     double compliance = 0.0) {
  return {model::ConstraintKind::Distance, {a, b, -1, -1}, rest, stiffness, compliance, false};
}

/// Vertex 0 is held at the origin, and `masses` hang below it at distances of `spacing` m.
inline Scene hanging_chain(int links, double spacing, double mass, double stiffness = 1.0, double compliance = 0.0) {
  Points x = Points::Zero(links + 1, 3);
  for (int i = 0; i <= links; ++i) x(i, 1) = -spacing * i;
  Scene scene = particle_scene(x, Eigen::VectorXd::Constant(links + 1, mass));
  scene.gravity = {0, -9.81, 0};
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0};
  for (int i = 0; i < links; ++i)
    scene.constraints.push_back(distance_constraint(i, i + 1, spacing, stiffness, compliance));
  return scene;
}

/// n × n vertices in the plane y = 0, `spacing` m apart, diagonals alternating.
inline model::ClothMesh square_cloth(int n, double spacing, double area_density = 0.1) {
  model::ClothMesh cloth;
  cloth.area_density = area_density;
  cloth.rest_positions.resize(n * n, 3);
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < n; ++c) cloth.rest_positions.row(r * n + c) << c * spacing, 0, r * spacing;
  cloth.triangles.resize(2 * (n - 1) * (n - 1), 3);
  Eigen::Index t = 0;
  for (int r = 0; r + 1 < n; ++r) {
    for (int c = 0; c + 1 < n; ++c) {
      const int a = r * n + c, b = a + 1, d = a + n, e = d + 1;
      if ((r + c) % 2 == 0) {
        cloth.triangles.row(t++) << a, d, b;
        cloth.triangles.row(t++) << b, d, e;
      } else {
        cloth.triangles.row(t++) << a, e, b;
        cloth.triangles.row(t++) << a, d, e;
      }
    }
  }
  return cloth;
}

/// A held triangle in the plane y = 0 and a small free one `height` m above it, with `speed` (m/s) along x; two pieces
/// that are far apart at rest.
inline Scene triangle_over_triangle(double height, double time_step, double speed = 0.0) {
  Scene scene;
  scene.name = "triangle_over_triangle";
  scene.cloth.area_density = 1.0;
  scene.cloth.rest_positions.resize(6, 3);
  scene.cloth.rest_positions << -3, 0, -3, 0, 0, 4, 4, 0, -3, 0, 1, 0, 0, 1, 0.1, 0.1, 1, 0;
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 1, 2, 3, 4, 5;
  scene.initial_positions = scene.cloth.rest_positions;
  scene.initial_positions.bottomRows(3).col(1).array() = height;
  scene.initial_velocities = Points::Zero(6, 3);
  scene.initial_velocities.bottomRows(3).col(0).array() = speed;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = {0, 1, 2};
  scene.time_step = time_step;
  return scene;
}

inline Points random_points(Eigen::Index count, numerics::RandomStream& random, double size = 1.0) {
  Points x(count, 3);
  for (Eigen::Index i = 0; i < x.size(); ++i) x.data()[i] = random.uniform(-size, size);
  return x;
}

/// Log-uniform in 1e-2 … 1e2 kg.
inline Eigen::VectorXd random_masses(Eigen::Index count, numerics::RandomStream& random) {
  Eigen::VectorXd masses(count);
  for (double& m : masses) m = std::pow(10.0, random.uniform(-2.0, 2.0));
  return masses;
}

inline Vector3 linear_momentum(const Simulation& simulation) {
  const StateView state = simulation.state();
  Vector3 sum = state.velocities.transpose() * state.masses;
  for (const RigidBodyState& body : state.rigid_bodies)
    if (std::isfinite(body.mass)) sum += body.mass * body.velocity;
  return sum;
}

/// About the origin.
inline Vector3 angular_momentum(const Simulation& simulation) {
  const StateView state = simulation.state();
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < state.masses.size(); ++i)
    sum += state.masses[i] * Vector3(state.positions.row(i)).cross(Vector3(state.velocities.row(i)));
  for (const RigidBodyState& body : state.rigid_bodies) {
    if (!std::isfinite(body.mass)) continue;
    sum += body.mass * body.position.cross(body.velocity);
    sum += body.orientation * (body.inertia * (body.orientation.transpose() * body.angular_velocity));
  }
  return sum;
}

}  // namespace deformbench::pbd
