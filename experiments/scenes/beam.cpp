// SPDX-License-Identifier: BSD-3-Clause
// A slender cantilever released from one of its bending modes (Euler–Bernoulli, clamped–free), for frequencies and
// integrator damping.
#include <array>
#include <cmath>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Roots β_k L of cos β cosh β = −1.
constexpr std::array<double, 4> kClampedFree{1.8751040687119611, 4.6940911329741745, 7.8547574382376126,
                                             10.995540734875467};

struct ModeShape {
  double value;  ///< 1 at the tip
  double slope;  ///< derivative with respect to x/L
};

ModeShape mode_shape(int mode, double along) {
  const double beta = kClampedFree[std::size_t(mode - 1)];
  const double ratio = (std::cosh(beta) + std::cos(beta)) / (std::sinh(beta) + std::sin(beta));
  const auto shape = [&](double s) {
    return std::cosh(beta * s) - std::cos(beta * s) - ratio * (std::sinh(beta * s) - std::sin(beta * s));
  };
  const double slope = beta * (std::sinh(beta * along) + std::sin(beta * along) -
                               ratio * (std::cosh(beta * along) - std::cos(beta * along)));
  const double tip = shape(1.0);
  return {shape(along) / tip, slope / tip};
}

}  // namespace

SceneDescriptor beam() {
  BlockDefaults defaults;
  defaults.cells_across = 4;
  ParameterInfo mode{"mode", "1", 1LL, "Number of the bending mode."};
  mode.minimum = 1;
  mode.maximum = 4;
  return {
      "beam", "A cantilever released from a bending mode (along y), without gravity.",
      block_parameters(
          defaults, {mode, real_parameter("amplitude_m", "m", 1e-3, "Displacement of the tip in that mode."),
                     choice_parameter("start", "displacement", {"displacement", "velocity"},
                                      "The mode is the initial displacement, or (per second) the initial velocity.")}),
      [](const Parameters& p) {
        Scene scene = build_block("beam", p);
        hold(scene, "root");
        const auto& rest = scene.tet_mesh.rest_positions;
        const double length = p.real("length_m");
        Points mode_field(rest.rows(), 3);
        for (Eigen::Index i = 0; i < rest.rows(); ++i) {
          const ModeShape shape = mode_shape(int(p.integer("mode")), rest(i, 0) / length);
          // Sections stay normal to the axis: u_x = −y w′.
          mode_field.row(i) << -rest(i, 1) * shape.slope / length, shape.value, 0.0;
        }
        mode_field *= p.real("amplitude_m");
        for (const int v : scene.vertex_sets.at("root")) mode_field.row(v).setZero();
        if (p.text("start") == "displacement") {
          scene.initial_positions = rest + mode_field;
        } else {
          scene.initial_velocities = mode_field;
        }
        return scene;
      }};
}

}  // namespace deformbench::scenes
