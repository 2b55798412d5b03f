// SPDX-License-Identifier: BSD-3-Clause
// A block under stress with a closed surface inside, a sphere or a torus: the surface must be cut with the block and stay
// closed ([MG04] §5.2, X12). Random velocities make every seed break in its own way. What the paper presupposes can be
// broken on purpose: the surface may stick out of the mesh, or have a hole.
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/flaws.hpp"
#include "experiments/scenes/scene_list.hpp"

namespace deformbench::scenes {
namespace {

/// Icosahedron with every triangle split into four `levels` times, on the sphere.
model::TriangleMesh icosphere(double radius, int levels) {
  const double g = std::numbers::phi;
  std::vector<Vector3> points{{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0}, {0, -1, g}, {0, 1, g},
                              {0, -1, -g}, {0, 1, -g}, {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  std::vector<std::array<int, 3>> faces{{0, 11, 5}, {0, 5, 1}, {0, 1, 7}, {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                                        {11, 10, 2}, {10, 7, 6}, {7, 1, 8}, {3, 9, 4}, {3, 4, 2}, {3, 2, 6}, {3, 6, 8},
                                        {3, 8, 9}, {4, 9, 5}, {2, 4, 11}, {6, 2, 10}, {8, 6, 7}, {9, 8, 1}};
  for (int level = 0; level < levels; ++level) {
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
      const auto [entry, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(points.size()));
      if (is_new) points.push_back(0.5 * (points[static_cast<std::size_t>(a)] + points[static_cast<std::size_t>(b)]));
      return entry->second;
    };
    std::vector<std::array<int, 3>> finer;
    for (const auto& [a, b, c] : faces) {
      const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    faces = std::move(finer);
  }
  model::TriangleMesh mesh;
  mesh.positions.resize(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    mesh.positions.row(static_cast<Eigen::Index>(i)) = radius * points[i].normalized();
  mesh.triangles.resize(static_cast<Eigen::Index>(faces.size()), 3);
  for (std::size_t t = 0; t < faces.size(); ++t)
    mesh.triangles.row(static_cast<Eigen::Index>(t)) << faces[t][0], faces[t][1], faces[t][2];
  return mesh;
}

/// Torus round z, `around` × `across` quadrilaterals, two triangles each.
model::TriangleMesh torus(double radius, double tube, int around, int across) {
  model::TriangleMesh mesh;
  mesh.positions.resize(around * across, 3);
  mesh.triangles.resize(2 * around * across, 3);
  const auto number = [&](int i, int j) { return (i % around) * across + j % across; };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
      const double r = radius + tube * std::cos(v);
      mesh.positions.row(number(i, j)) << r * std::cos(u), r * std::sin(u), tube * std::sin(v);
      const int t = 2 * number(i, j);
      mesh.triangles.row(t) << number(i, j), number(i + 1, j), number(i + 1, j + 1);
      mesh.triangles.row(t + 1) << number(i, j), number(i + 1, j + 1), number(i, j + 1);
    }
  return mesh;
}

model::TriangleMesh skin_of(const Parameters& p) {
  const double radius = p.real("skin_radius_m");
  const int level = static_cast<int>(p.integer("skin_level"));
  model::TriangleMesh mesh =
      p.text("skin") == "sphere" ? icosphere(radius, level)
                                 : torus(radius - p.real("tube_radius_m"), p.real("tube_radius_m"), 9 << (level - 1), 9 << (level - 2));
  if (p.flag("skin_open")) mesh.triangles = mesh.triangles.topRows(mesh.triangles.rows() - 1).eval();
  mesh.positions.rowwise() += vector_of(p, "skin_offset_m").transpose();
  return mesh;
}

}  // namespace

harness::SceneDescriptor skinned_block() {
  BlockDefaults defaults;
  defaults.side = 1.0;
  defaults.cells_across = 4;
  defaults.split = "kuhn_six";
  ParameterInfo level{"skin_level", "1", 4LL, "Fineness n: about 20·4ⁿ triangles."};
  level.minimum = 2;
  level.maximum = 7;
  ParameterSpec own = stress_parameters();
  own.push_back(choice_parameter("skin", "sphere", {"sphere", "torus"}, "Surface in the middle of the block."));
  own.push_back(level);
  own.push_back(positive_parameter("skin_radius_m", "m", 0.45, "Largest distance of the surface from its centre."));
  own.push_back(positive_parameter("tube_radius_m", "m", 0.14, "Radius of the tube of a torus."));
  own.push_back(vector_parameter("skin_offset_m", "m", {0, 0, 0}, "Shift of the surface; it may then leave the mesh."));
  own.push_back({"skin_open", "", false, "Leave out one triangle of the surface."});
  own.push_back(non_negative_parameter("random_velocity_m_s", "m/s", 0.0, "Standard deviation of every velocity component."));
  return {"skinned_block", "A free block under stress with a sphere or a torus embedded in it.",
          block_parameters(defaults, std::move(own)),
          [](const Parameters& p) {
            Scene scene = build_block("skinned_block", p, BlockPlace::CentredAtOrigin);
            scene.skin = skin_of(p);
            if (p.real("random_velocity_m_s") > 0)
              scene.initial_velocities = normal_points(p, 1, scene.tet_mesh.vertex_count(), p.real("random_velocity_m_s"));
            stress_faces(scene, p, 0.0);
            return scene;
          }};
}

}  // namespace deformbench::scenes
