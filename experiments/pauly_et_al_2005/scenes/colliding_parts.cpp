// SPDX-License-Identifier: BSD-3-Clause
// Bodies of nodes in self-contact: two colliding fragments, a fragment falling on another, and a hairpin bar with
// closing arms. [PKAGDG05] §5, §6
#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "experiments/pauly_et_al_2005/scenes/crack_surfaces.hpp"
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Both halves of the block; the second is turned about its centre and moved along x until its lowest corner is `gap`
/// above the cut. Closing speed `speed`.
void place_fragments(const Parameters& p, Scene& scene) {
  const double length = p.real("length_m"), side = p.real("side_m"), cut = 0.5 * length;
  Matrix3 axes;  // normal x
  axes << Vector3::UnitY(), Vector3::UnitZ(), Vector3::UnitX();
  scene.cracks.push_back(plane_cut({cut, 0, 0}, axes, Vector3(length, side, side).norm(), 0.0));
  const Vector3 centre(0.75 * length, 0, 0), half(0.25 * length, 0.5 * side, 0.5 * side);
  const Matrix3 turn =
      Eigen::AngleAxisd(radians(p.real("turn_deg")), vector_of(p, "turn_axis").normalized()).toRotationMatrix();
  const double reach =
      turn.row(0).cwiseAbs().dot(half.transpose());  // extent of the turned half from its centre, along x
  const Vector3 place(cut + p.real("gap_m") + reach, 0, 0);
  for (Eigen::Index i = 0; i < scene.initial_positions.rows(); ++i) {
    const Vector3 rest = scene.particles.rest_positions.row(i);
    const bool is_second = rest.x() > cut;
    if (is_second) scene.initial_positions.row(i) = (place + turn * (rest - centre)).transpose();
    const bool is_stack = p.text("arrangement") == "stack";
    const double speed = p.real("speed_m_s");
    scene.initial_velocities(i, 0) = is_second ? (is_stack ? -speed : -0.5 * speed) : (is_stack ? 0.0 : 0.5 * speed);
  }
  if (p.text("arrangement") != "stack") return;
  model::PrescribedMotion held;
  held.vertices = scene.vertex_sets.at("root");
  scene.prescribed = {held};
}

/// The bar bent by half a turn in its middle, arms along −x, `gap` between their inner faces. The arms turn about the
/// ends of the bend; the tips close at `speed`.
void fold_bar(const Parameters& p, Scene& scene) {
  const double length = p.real("length_m"), radius = 0.5 * (p.real("gap_m") + p.real("side_m"));
  const double bend = std::numbers::pi * radius, arm = 0.5 * (length - bend);
  for (Eigen::Index i = 0; i < scene.initial_positions.rows(); ++i) {
    const Vector3 rest = scene.particles.rest_positions.row(i);
    const double along = rest.x() - 0.5 * length, out = radius - rest.y();
    const double beyond = std::abs(along) - 0.5 * bend, sign = along < 0.0 ? -1.0 : 1.0;
    if (beyond > 0.0) {
      scene.initial_positions.row(i) << -beyond, sign * out, rest.z();
      scene.initial_velocities(i, 1) = -0.5 * sign * p.real("speed_m_s") * beyond / arm;
    } else {
      scene.initial_positions.row(i) << out * std::cos(along / radius), out * std::sin(along / radius), rest.z();
    }
  }
}

Scene build_colliding_parts(const Parameters& p) {
  Scene scene = build_node_block("colliding_parts", p);
  scene.initial_positions = scene.particles.rest_positions;
  scene.initial_velocities = Points::Zero(scene.initial_positions.rows(), 3);
  if (p.text("arrangement") == "folded")
    fold_bar(p, scene);
  else
    place_fragments(p, scene);
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor colliding_parts() {
  ParameterSpec spec =
      cloud_parameters({.length = 1.0, .side = 0.5, .nodes_across = 5, .jitter = 0.3, .time_step = 2e-3});
  spec.push_back(choice_parameter(
      "arrangement", "fragments", {"fragments", "stack", "folded"},
      "Both halves of a block that is cut across, flying at each other; the second one falling on the first, whose end "
      "is held, where gravity points along -x; or a bar bent to a hairpin, whose arms close."));
  spec.push_back(positive_parameter("gap_m", "m", 0.05, "Between the parts at the start, along x; between the arms."));
  spec.push_back(real_parameter("speed_m_s", "m/s", 2.0, "At which the parts, or the tips of the arms, close."));
  spec.push_back(real_parameter("turn_deg", "1", 0.0, "By which the second fragment is turned, in degrees."));
  spec.push_back(vector_parameter("turn_axis", "1", {0, 1, 1}, "About which."));
  spec.push_back(bounded_parameter());
  return {"colliding_parts", "A body of nodes in two fragments, or folded, whose parts hit each other.",
          std::move(spec), build_colliding_parts};
}

}  // namespace deformbench::scenes
