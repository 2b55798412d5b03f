// SPDX-License-Identifier: BSD-3-Clause
// A bag that hangs from its mouth: the scene of [MHHR07] Figure 3, where stretching and bending stiffness are varied
// independently. The paper gives neither shape nor size: both are our choice.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

constexpr double kRoundness = 4.0;  // the bag is a unit ball of this p-norm, between sphere (2) and box (∞)
constexpr double kAngle = 0.63;     // rad; 0 keeps the box lattice even, π/4 suits a sphere

struct Bag {
  model::TriangleMesh mesh;  ///< normals point outwards
  std::vector<int> rim;      ///< vertices of the mouth
};

/// The surface of a box without its top, `cells` squares along every edge, projected to a rounded bag.
Bag make_bag(int cells, const Vector3& half_extents, bool is_closed) {
  using Key = std::array<int, 3>;
  std::map<Key, int> numbers;
  std::vector<Vector3> points;
  std::vector<std::array<int, 3>> triangles;
  const auto vertex = [&](const Key& key) {  // lattice point 0 … cells on each axis
    const auto [entry, is_new] = numbers.try_emplace(key, int(points.size()));
    if (is_new) {
      Vector3 p;
      for (int k = 0; k < 3; ++k) {
        // Equal angles instead of equal lengths keep the squares similar at rounded corners.
        const double s = 2.0 * key[std::size_t(k)] / cells - 1.0;
        p[k] = std::tan(kAngle * s) / std::tan(kAngle);
      }
      p /= std::pow(p.array().abs().pow(kRoundness).sum(), 1.0 / kRoundness);
      points.push_back(p.cwiseProduct(half_extents));
    }
    return entry->second;
  };
  for (int axis = 0; axis < 3; ++axis)
    for (int side = 0; side < 2; ++side) {
      if (axis == 1 && side == 1 && !is_closed) continue;
      const int u = (axis + 1) % 3, w = (axis + 2) % 3;
      for (int i = 0; i < cells; ++i)
        for (int j = 0; j < cells; ++j) {
          const auto corner = [&](int di, int dj) {
            Key key{};
            key[std::size_t(axis)] = side * cells;
            key[std::size_t(u)] = i + di;
            key[std::size_t(w)] = j + dj;
            return vertex(key);
          };
          std::array<int, 4> quad{corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
          if (side == 0) std::swap(quad[1], quad[3]);
          const auto first = std::size_t((i + j) % 2);
          triangles.push_back({quad[first], quad[first + 1], quad[first + 2]});
          triangles.push_back({quad[first], quad[first + 2], quad[(first + 3) % 4]});
        }
    }
  Bag bag;
  model::TriangleMesh& mesh = bag.mesh;
  mesh.positions.resize(Eigen::Index(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i) mesh.positions.row(Eigen::Index(i)) = points[i];
  mesh.triangles.resize(Eigen::Index(triangles.size()), 3);
  for (std::size_t t = 0; t < triangles.size(); ++t)
    mesh.triangles.row(Eigen::Index(t)) << triangles[t][0], triangles[t][1], triangles[t][2];
  for (const auto& [key, number] : numbers)
    if (key[1] == cells && (key[0] == 0 || key[0] == cells || key[2] == 0 || key[2] == cells))
      bag.rim.push_back(number);
  return bag;
}

Scene build_cloth_bag(const Parameters& p) {
  Scene scene = empty_cloth_scene("cloth_bag", p);
  const Vector3 half(0.5 * p.real("width_m"), 0.5 * p.real("height_m"), 0.5 * p.real("depth_m"));
  const Bag bag = make_bag(int(p.integer("cells")), half, p.text("mouth") == "closed");
  add_cloth(scene, bag.mesh);
  scene.vertex_sets["rim"] = bag.rim;
  double widest = 0.0;
  for (const int v : bag.rim) widest = std::max(widest, bag.mesh.positions(v, 0));
  std::vector<int> held;
  for (const int v : bag.rim)
    if (p.text("hung_by") == "rim" || std::abs(bag.mesh.positions(v, 0)) > p.real("handle_fraction") * widest)
      held.push_back(v);
  if (p.text("hung_by") != "nothing") hold_vertices(scene, "held", held);
  if (p.flag("floor")) scene.colliders.push_back(floor_at(-half.y() - p.real("floor_distance_m"), p.real("friction")));
  disturb_start(scene, p);
  return scene;
}

}  // namespace

SceneDescriptor cloth_bag() {
  ClothDefaults defaults;
  defaults.time_step = 0.002;
  ParameterInfo fraction = non_negative_parameter(
      "handle_fraction", "1", 0.9, "A handle is what of the rim lies beyond this part of its half width.");
  fraction.maximum = 1.0;
  return {"cloth_bag", "A bag that hangs from its mouth ([MHHR07] Fig. 3).",
          cloth_parameters(
              defaults,
              {positive_parameter("width_m", "m", 0.5, "Extent along x."),
               positive_parameter("height_m", "m", 0.6, "Extent along y."),
               positive_parameter("depth_m", "m", 0.3, "Extent along z."),
               count_parameter("cells", 12, 2, "Squares along every edge of the box that the bag is made of."),
               choice_parameter("mouth", "open", {"open", "closed"}, "Whether the bag has an opening on top."),
               choice_parameter("hung_by", "handles", {"handles", "rim", "nothing"}, "What of the mouth is held."),
               fraction,
               {"floor", "", false, "A plane below."},
               non_negative_parameter("floor_distance_m", "m", 0.2, "Its distance below the bag.")}),
          build_cloth_bag};
}

}  // namespace deformbench::scenes
