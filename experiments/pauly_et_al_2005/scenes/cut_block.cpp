// SPDX-License-Identifier: BSD-3-Clause
// A block of nodes cut by a plane, at once or by an advancing straight front. [PKAGDG05] §4
#include <Eigen/Geometry>
#include <cmath>

#include "experiments/pauly_et_al_2005/scenes/crack_surfaces.hpp"
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

constexpr std::uint64_t kCutStream = 3;  // random stream; the nodes use another
constexpr double kLargestOffset =
    0.25;  // of the plane from the centre, in sides; leaves at least a tenth of the volume on each side

int nearest_node(const Points& nodes, const Vector3& x) {
  Eigen::Index nearest = 0;
  (nodes.rowwise() - x.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
  return int(nearest);
}

Scene build_cut_block(const Parameters& parameters) {
  Scene scene = build_node_block("cut_block", parameters);
  const Points& nodes = scene.particles.rest_positions;
  const double length = parameters.real("length_m"), side = parameters.real("side_m");
  const Vector3 centre(0.5 * length, 0.0, 0.0);
  numerics::RandomStream random(std::uint64_t(parameters.integer("seed")), kCutStream);
  const Matrix3 axes = random.rotation();
  const Vector3 normal = axes.col(2);
  const Vector3 on_plane = centre + random.uniform(-kLargestOffset, kLargestOffset) * std::min(length, side) * normal;
  const double diagonal = Vector3(length, side, side).norm();
  if (parameters.text("cut") != "none")
    scene.cracks.push_back(plane_cut(on_plane, axes, diagonal,
                                     parameters.text("cut") == "advancing" ? parameters.real("advance_end_s") : 0.0));

  const Vector3 turning = vector_of(parameters, "turning_1_s"), velocity = vector_of(parameters, "velocity_m_s");
  scene.initial_velocities.resize(nodes.rows(), 3);
  for (Eigen::Index i = 0; i < nodes.rows(); ++i)
    scene.initial_velocities.row(i) = velocity + turning.cross(Vector3(nodes.row(i)) - centre);
  if (const double push = parameters.real("push_n"); push > 0.0)
    for (const double way : {1.0, -1.0}) {
      const Vector3 middle = on_plane + way * 0.2 * std::min(length, side) * normal;
      scene.point_loads.push_back({nearest_node(nodes, middle), way * push * normal, {}});
    }
  return scene;
}

}  // namespace

SceneDescriptor cut_block() {
  ParameterSpec spec = cloud_parameters({.nodes_across = 8, .jitter = 0.3, .time_step = 1e-5});
  spec.push_back(
      choice_parameter("cut", "through", {"through", "advancing", "none"},
                       "A plane in a random direction, at most a quarter of a side off the centre, that cuts "
                       "the block through; its front goes through the block; or no cut."));
  spec.push_back(positive_parameter("advance_end_s", "s", 1e-3, "When the advancing front has passed the block."));
  spec.push_back(vector_parameter("turning_1_s", "1/s", Vector3::Zero(), "Angular velocity at the start."));
  spec.push_back(vector_parameter("velocity_m_s", "m/s", Vector3::Zero(), "Velocity of the centre at the start."));
  spec.push_back(non_negative_parameter(
      "push_n", "N", 0.0, "Force that pushes a node on either side of the plane away from it, along its normal."));
  return {"cut_block", "A free block of nodes on a jittered lattice that a plane cuts.", std::move(spec),
          build_cut_block};
}

}  // namespace deformbench::scenes
