// SPDX-License-Identifier: BSD-3-Clause
// A method that does what the test says: cloth with any positions, rigid bodies in any state, any number of contacts.
#pragma once

#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "methods/facets.hpp"
#include "tests/experiments/probe_measure.hpp"

namespace deformbench::tests {

class Puppet final : public Simulation, public ContactFacet {
 public:
  explicit Puppet(const Scene& scene)
      : positions(scene.start_positions()), velocities(scene.start_velocities()), masses_(lumped_masses(scene)) {
    for (const model::RigidBody& body : scene.rigid_bodies) {
      RigidBodyState state;
      const bool is_fixed = body.is_kinematic();
      state.mass = is_fixed ? std::numeric_limits<double>::infinity() : body.mass;
      state.inertia = is_fixed ? Matrix3(Matrix3::Zero()) : model::solid_inertia(body.shape, body.mass);
      state.position = body.start.position;
      state.orientation = body.start.orientation;
      state.velocity = body.velocity;
      state.angular_velocity = body.angular_velocity;
      bodies.push_back(state);
    }
  }
  StepReport step() override { return {}; }
  StateView state() const override {
    return {0.0, PointsView(positions.data(), positions.rows(), 3), PointsView(velocities.data(), velocities.rows(), 3),
            ScalarsView(masses_.data(), masses_.size()), bodies};
  }
  Contacts step_contacts() const override { return contacts; }

  Points positions, velocities;
  std::vector<RigidBodyState> bodies;
  Contacts contacts;

 private:
  Eigen::VectorXd masses_;
};

inline std::vector<double> measured_by(const std::string& channel, const Scene& scene, const Puppet& puppet) {
  return measured(channel, scene, puppet, puppet.positions, puppet.velocities);
}
/// At these positions, of vertices at rest.
inline double number(const std::string& channel, const Scene& scene, const Points& positions) {
  Puppet puppet(scene);
  puppet.positions = positions;
  return measured_by(channel, scene, puppet).at(0);
}
inline double number(const std::string& channel, const Scene& scene) {
  return number(channel, scene, scene.rest_positions());
}

/// Two triangles over the unit square, 2 kg/m², with the diagonal (0, 2).
inline Scene unit_square() {
  Scene scene;
  scene.name = "unit_square";
  scene.cloth.rest_positions.resize(4, 3);
  scene.cloth.rest_positions << 0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0;
  scene.cloth.triangles.resize(2, 3);
  scene.cloth.triangles << 0, 1, 2, 0, 2, 3;
  scene.cloth.area_density = 2.0;
  return scene;
}

/// Closed boxes, each of 12 triangles wound outward, as one cloth.
inline Scene boxes(const std::vector<std::pair<Vector3, Vector3>>& centre_and_half_extents) {
  Scene scene;
  scene.name = "boxes";
  for (const auto& [centre, half] : centre_and_half_extents) {
    model::Shape shape;
    shape.kind = model::ShapeKind::Box;
    shape.half_extents = half;
    const model::TriangleMesh mesh = model::surface_of(shape);
    const auto vertices = scene.cloth.rest_positions.rows(), triangles = scene.cloth.triangles.rows();
    scene.cloth.rest_positions.conservativeResize(vertices + mesh.vertex_count(), 3);
    scene.cloth.rest_positions.bottomRows(mesh.vertex_count()) = mesh.positions.rowwise() + centre.transpose();
    scene.cloth.triangles.conservativeResize(triangles + mesh.triangle_count(), 3);
    scene.cloth.triangles.bottomRows(mesh.triangle_count()) = mesh.triangles.array() + int(vertices);
  }
  return scene;
}

}  // namespace deformbench::tests
