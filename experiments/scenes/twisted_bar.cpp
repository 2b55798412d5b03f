// SPDX-License-Identifier: BSD-3-Clause
// A bar in torsion: end faces counter-rotated and held, or the whole bar initially twisted and released. Torque
// against St. Venant (closed form `torsion_of_rectangular_bar`), volume against linear FEM's 1 + Θ²/3 (closed form
// `torsion_of_linear_fem`), change of length of a bar whose ends slide along x, drift of a free body under methods
// whose internal forces do not sum to zero ([MG04] §2.3).
#include <Eigen/Geometry>
#include <algorithm>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Prevents sliding of the whole body: without other forces along x this vertex carries none.
void hold_nearest_to_axis(Scene& scene) {
  const auto& rest = scene.tet_mesh.rest_positions;
  const auto& root = scene.vertex_sets.at("root");
  const auto distance = [&](int v) { return rest.row(v).tail<2>().squaredNorm(); };
  model::PrescribedMotion held;
  held.vertices = {
      *std::min_element(root.begin(), root.end(), [&](int a, int b) { return distance(a) < distance(b); })};
  held.components = {true, false, false};
  scene.prescribed.push_back(std::move(held));
}

}  // namespace

SceneDescriptor twisted_bar() {
  return {"twisted_bar", "A bar twisted about x, with its end faces held or free.",
          block_parameters(
              {}, {real_parameter("angle_deg", "deg", 45.0, "Angle of the tip face against the root face."),
                   non_negative_parameter("ramp_s", "s", 0.0, "Time over which a held tip face turns; 0: at once."),
                   choice_parameter("held", "both", {"both", "root", "none"}, "Which end faces are held."),
                   choice_parameter("start", "rest", {"rest", "twisted"},
                                    "Start from the rest shape, or twisted in proportion to x."),
                   {"free_axially", "", false,
                    "Whether held faces slide along x, and so warp; all but the root's vertex nearest to the axis."}}),
          [](const Parameters& p) {
            Scene scene = build_block("twisted_bar", p);
            const double angle = radians(p.real("angle_deg"));
            const auto& rest = scene.tet_mesh.rest_positions;
            if (p.text("start") == "twisted") {
              scene.initial_positions.resize(rest.rows(), 3);
              for (Eigen::Index i = 0; i < rest.rows(); ++i) {
                const double here = angle * rest(i, 0) / p.real("length_m");
                const Matrix3 turn = Eigen::AngleAxisd(here, Vector3::UnitX()).toRotationMatrix();
                scene.initial_positions.row(i) = rest.row(i) * turn.transpose();
              }
            }
            if (p.text("held") != "none") hold(scene, "root");
            if (p.text("held") == "both") {
              model::PrescribedMotion turned;
              turned.vertices = scene.vertex_sets.at("tip");
              turned.axis = Vector3::UnitX();
              turned.angle = angle;
              turned.ramp = ramp_over(p.real("ramp_s"));
              scene.prescribed.push_back(std::move(turned));
            }
            if (p.flag("free_axially") && !scene.prescribed.empty()) {
              for (auto& face : scene.prescribed) face.components = {false, true, true};
              hold_nearest_to_axis(scene);
            }
            return scene;
          }};
}

}  // namespace deformbench::scenes
