// SPDX-License-Identifier: BSD-3-Clause
// Global checks of the internal forces: sums, torques, balance, and consistency with the energy gradient.
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

Points elastic_forces(const ProbeInput& input) {
  return facet_of<ElasticityFacet>(input).elastic_forces(input.positions);
}

double largest_row(const Points& forces) {
  return forces.rows() == 0 ? 0.0 : std::sqrt(forces.rowwise().squaredNorm().maxCoeff());
}

Vector3 torque_about(const Vector3& centre, const Points& positions, const Points& forces) {
  Vector3 sum = Vector3::Zero();
  for (Eigen::Index i = 0; i < positions.rows(); ++i) {
    const Vector3 arm = positions.row(i).transpose() - centre;
    const Vector3 force = forces.row(i);
    sum += arm.cross(force);
  }
  return sum;
}

/// Vertices on a plane or a kinematic body are balanced by an unreported contact force.
bool touches_an_obstacle(const Scene& scene, double time, const Vector3& position, double tolerance) {
  const auto is_on_plane = [&](const model::PlaneCollider& plane) {
    return plane.normal.dot(position) - plane.offset <= tolerance;
  };
  const auto is_on_body = [&](const model::RigidBody& body) {
    if (!body.is_kinematic()) return false;
    const model::Pose pose = body.pose_at(time);
    Vector3 closest, normal;
    return model::signed_distance(body.shape, pose.orientation.transpose() * (position - pose.position), closest,
                                  normal) <= tolerance;
  };
  return std::any_of(scene.colliders.begin(), scene.colliders.end(), is_on_plane) ||
         std::any_of(scene.rigid_bodies.begin(), scene.rigid_bodies.end(), is_on_body);
}

ChannelEntry unbalanced_force_channel() {
  ChannelEntry entry;
  entry.spec = {
      "unbalanced_force", "N", "force",
      "Largest |f_int + f_ext| of a vertex that is neither prescribed, be it in one component, nor in touch with "
      "a plane or a kinematic body."};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    const auto& rest = scene.rest_positions();
    const double size = rest.rows() > 0 ? (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm() : 0.0;
    return function_probe(s, [is_free = free_vertices(scene), size](const ProbeInput& input, std::span<double> row) {
      const Points balance = elastic_forces(input) + external_forces(input.scene, input.masses, input.time);
      double largest = 0.0;
      for (Eigen::Index i = 0; i < balance.rows(); ++i)
        if (is_free[std::size_t(i)] &&
            !touches_an_obstacle(input.scene, input.time, input.positions.row(i).transpose(), 1e-9 * size))
          largest = std::max(largest, balance.row(i).norm());
      row[0] = largest;
    });
  };
  return entry;
}

/// max|f + ∇Ψ| / max|f|, sampled at up to 200 vertices, evenly spaced in the numbering.
double energy_gradient_error(const ProbeInput& input) {
  const auto& elasticity = facet_of<ElasticityFacet>(input);
  const auto& mesh = input.scene.tet_mesh;
  const Points forces = elasticity.elastic_forces(input.positions);
  const double mean_edge = std::cbrt(model::total_volume(mesh, mesh.rest_positions) / double(mesh.element_count()));
  // Central differences: truncation h² and rounding ε/h balance near h = ε^(1/3).
  const double h = std::cbrt(std::numeric_limits<double>::epsilon()) * mean_edge;
  const Eigen::Index stride = std::max<Eigen::Index>(1, input.positions.rows() / 200);
  Points moved = input.positions;
  double largest = 0.0;
  for (Eigen::Index i = 0; i < moved.rows(); i += stride) {
    Vector3 mismatch = forces.row(i);
    for (int axis = 0; axis < 3; ++axis) {
      const double here = moved(i, axis);
      moved(i, axis) = here + h;
      const double above = elasticity.elastic_energy(moved);
      moved(i, axis) = here - h;
      const double below = elasticity.elastic_energy(moved);
      moved(i, axis) = here;
      mismatch[axis] += (above - below) / (2 * h);
    }
    largest = std::max(largest, mismatch.norm());
  }
  return largest / std::max(largest_row(forces), std::numeric_limits<double>::min());
}

double largest_principal_stress(const ProbeInput& input) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const Vector6& s : facet_of<StressFacet>(input).element_stresses(input.positions)) {
    Matrix3 tensor;
    tensor << s[0], s[3], s[5], s[3], s[1], s[4], s[5], s[4], s[2];
    const Eigen::SelfAdjointEigenSolver<Matrix3> principal(tensor, Eigen::EigenvaluesOnly);
    largest = std::max(largest, principal.eigenvalues()[2]);
  }
  return largest;
}

/// Sum, or torque about the origin, of the elastic forces on a vertex set: the load on its support.
ChannelEntry set_force_channel(ChannelSpec spec, std::string set, bool is_torque) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.spec.row_shape = {3};
  entry.make = [set, is_torque](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    return function_probe(
        s, [vertices = vertex_set(scene, set, s.name), is_torque](const ProbeInput& input, std::span<double> row) {
          const Points forces = elastic_forces(input)(vertices, Eigen::all);
          const Points positions = input.positions(vertices, Eigen::all);
          const Vector3 value = is_torque ? torque_about(Vector3::Zero(), positions, forces)
                                          : Vector3(forces.colwise().sum().transpose());
          std::copy_n(value.data(), 3, row.begin());
        });
  };
  return entry;
}

}  // namespace

std::vector<ChannelEntry> force_channels() {
  std::vector<ChannelEntry> entries{
      vector_channel({"elastic_force_sum", "N", "force", "Sum of the elastic forces on all vertices."},
                     [](const ProbeInput& input) -> Vector3 { return elastic_forces(input).colwise().sum(); }),
      vector_channel({"elastic_torque_sum", "N m", "torque", "Torque of the elastic forces about the centre of mass."},
                     [](const ProbeInput& input) {
                       return torque_about(centre_of_mass(input), input.positions, elastic_forces(input));
                     }),
      scalar_channel({"max_elastic_force", "N", "force", "Largest elastic force on a vertex."},
                     [](const ProbeInput& input) { return largest_row(elastic_forces(input)); }),
      unbalanced_force_channel(),
      scalar_channel({"energy_gradient_error", "1", "relative error",
                      "max|f + ∇Ψ| / max|f| with central differences of elastic_energy (at most some 200 vertices)."},
                     energy_gradient_error),
      set_force_channel({"root_elastic_force", "N", "force", "Sum of the elastic forces on the vertex set root."},
                        "root", false),
      set_force_channel({"root_elastic_torque", "N m", "torque",
                         "Torque of the elastic forces on the vertex set root about the origin."},
                        "root", true),
      set_force_channel({"tip_elastic_force", "N", "force", "Sum of the elastic forces on the vertex set tip."}, "tip",
                        false),
      set_force_channel({"tip_elastic_torque", "N m", "torque",
                         "Torque of the elastic forces on the vertex set tip about the origin."},
                        "tip", true),
  };
  for (auto& entry : entries) entry = from_facet<ElasticityFacet>(std::move(entry), "ElasticityFacet");
  entries.push_back(from_facet<StressFacet>(
      scalar_channel({"max_stress_principal", "Pa", "stress", "Largest principal stress of an element."},
                     largest_principal_stress),
      "StressFacet"));
  return entries;
}

}  // namespace deformbench::harness
