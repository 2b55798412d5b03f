// SPDX-License-Identifier: BSD-3-Clause
// A block of nodes cut by planes in three directions into many pieces, at once or by advancing fronts. [PKAGDG05] §4,
// §6
#include <algorithm>
#include <cmath>

#include "experiments/pauly_et_al_2005/scenes/crack_surfaces.hpp"
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

constexpr std::uint64_t kPlanesStream = 3;  // random stream; the nodes use another
constexpr double kAside = 0.4;              // maximum displacement of a plane, relative to the plane spacing

Matrix3 axes_with_normal(const Matrix3& frame, int normal) {
  Matrix3 axes;
  axes << frame.col((normal + 1) % 3), frame.col((normal + 2) % 3), frame.col(normal);
  return axes;
}

/// Distances of the planes of one direction from the centre of the block, m.
std::vector<double> places(double extent, int pieces, bool is_random, numerics::RandomStream& random) {
  std::vector<double> found;
  const double distance = extent / pieces;
  if (!is_random) {
    for (int k = 1; k < pieces; ++k) found.push_back(k * distance - 0.5 * extent);
    return found;
  }
  const int each_side = int(std::ceil(2.0 * pieces));  // enough to cover the corners of a turned block
  for (int k = -each_side; k <= each_side; ++k) found.push_back((k + kAside * random.uniform(-1.0, 1.0)) * distance);
  return found;
}

Scene build_chopped_block(const Parameters& p) {
  Scene scene = build_node_block("chopped_block", p);
  const Vector3 size(p.real("length_m"), p.real("side_m"), p.real("side_m")), centre(0.5 * size.x(), 0.0, 0.0);
  const bool is_random = p.text("planes") == "random";
  const auto pieces = int(p.integer("pieces_across"));
  numerics::RandomStream random(std::uint64_t(p.integer("seed")), kPlanesStream);
  const Matrix3 frame = is_random ? random.rotation() : Matrix3(Matrix3::Identity());
  if (pieces > 1)
    for (int normal = 0; normal < 3; ++normal)
      for (const double place : places(is_random ? size.maxCoeff() : size[normal], pieces, is_random, random))
        scene.cracks.push_back(plane_cut(centre + place * frame.col(normal), axes_with_normal(frame, normal),
                                         size.norm(), p.real("advance_end_s")));
  if (p.real("noise_m_s") > 0.0)
    scene.initial_velocities = normal_points(p, 2, scene.rest_positions().rows(), p.real("noise_m_s"));
  lift_bounds(p, scene);
  return scene;
}

}  // namespace

SceneDescriptor chopped_block() {
  ParameterSpec spec = cloud_parameters({.nodes_across = 12, .jitter = 0.3, .time_step = 1e-3});
  ParameterInfo pieces{"pieces_across", "1", 3LL,
                       "Pieces along each axis; 1: whole. Of random planes: the block's length "
                       "over their mean distance."};
  pieces.minimum = 1;
  spec.push_back(pieces);
  spec.push_back(choice_parameter("planes", "even", {"even", "random"},
                                  "Along the axes, at even distances; or turned together at random, each at random up "
                                  "to two fifths of a distance off its place."));
  spec.push_back(non_negative_parameter("advance_end_s", "s", 0.0,
                                        "When the fronts of all planes, which start together, have passed the block; "
                                        "0: the planes are there from the start."));
  spec.push_back(non_negative_parameter("noise_m_s", "m/s", 0.0, "Standard deviation of every start velocity."));
  spec.push_back(bounded_parameter());
  return {"chopped_block",
          "A free block of nodes on a jittered lattice that planes in three directions cut into pieces.",
          std::move(spec), build_chopped_block};
}

}  // namespace deformbench::scenes
