// SPDX-License-Identifier: BSD-3-Clause
// Bodies with closed-form surfaces, sampled by nodes, with a fine skin, for projections onto surfels. [PKAGDG05]
// §3.1, §3.2
#include <Eigen/Geometry>
#include <cmath>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/round_surfaces.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

constexpr double kTube = 0.5;          // tube radius of the torus / ring radius
constexpr int kSphereLevels = 5;       // 20480 triangles
constexpr int kAround = 376;           // quadrilaterals around the torus
constexpr int kAcross = 124;           // quadrilaterals around its tube
constexpr double kCrackReach = 0.3;    // position of crack fronts in the box / half side
constexpr double kVertexShift = 0.25;  // maximum tangential shift of skin vertices / shortest edge

/// The nearest point of the ring.
Vector3 ring_point(const Vector3& x, double ring) {
  const Vector3 flat(x[0], x[1], 0.0);
  return flat.norm() > 0.0 ? Vector3(ring * flat.normalized()) : Vector3(ring, 0.0, 0.0);
}

bool is_inside(const std::string& shape, double size, const Vector3& x) {
  if (shape == "sphere") return x.norm() < size;
  if (shape == "torus") return (x - ring_point(x, size)).norm() < kTube * size;
  return x.cwiseAbs().maxCoeff() < size;
}

Vector3 on_surface(const std::string& shape, double size, const Vector3& x) {
  if (shape == "sphere") return size * x.normalized();
  const Vector3 ring = ring_point(x, size);
  return ring + kTube * size * (x - ring).normalized();
}

/// Moves vertices of round shapes along the surface, for a different sampling per seed.
model::TriangleMesh skin_of(const std::string& shape, double size, numerics::RandomStream& random) {
  if (shape == "box") return box_surface(Vector3::Constant(-size), Vector3::Constant(size));
  model::TriangleMesh skin =
      shape == "sphere" ? icosphere(size, kSphereLevels) : torus(size, kTube * size, kAround, kAcross);
  double shortest = size;
  for (Eigen::Index t = 0; t < skin.triangle_count(); ++t)
    shortest = std::min(shortest,
                        (skin.positions.row(skin.triangles(t, 0)) - skin.positions.row(skin.triangles(t, 1))).norm());
  for (Eigen::Index v = 0; v < skin.vertex_count(); ++v) {
    const Vector3 moved = Vector3(skin.positions.row(v)) + kVertexShift * shortest * random.direction();
    skin.positions.row(v) = on_surface(shape, size, moved);
  }
  return skin;
}

/// Two parallel cracks through the box from one side, at a random height.
std::vector<model::InitialCrack> parallel_cracks(double size, double gap, numerics::RandomStream& random) {
  std::vector<model::InitialCrack> cracks;
  const double middle = size * random.uniform(-0.3, 0.3), front = size * (kCrackReach + random.uniform(0.0, 0.1));
  for (const double z : {middle - 0.5 * gap, middle + 0.5 * gap}) {
    model::InitialCrack crack;
    crack.surface.positions.resize(4, 3);
    crack.surface.positions << -size, -size, z, front, -size, z, front, size, z, -size, size, z;
    crack.surface.triangles.resize(2, 3);
    crack.surface.triangles << 0, 1, 2, 0, 2, 3;
    crack.fronts = {{1, 2}};
    cracks.push_back(crack);
  }
  return cracks;
}

Scene build_surfel_shape(const Parameters& p) {
  const std::string& shape = p.text("shape");
  const double size = p.real("size_m"), gap = p.real("crack_gap_m");
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  Scene scene;
  scene.name = "surfel_shape";
  scene.materials = {material_of(p)};
  scene.time_step = p.real("time_step_s");
  scene.skin = skin_of(shape, size, random);
  if (gap > 0.0) scene.cracks = parallel_cracks(size, gap, random);

  const auto across = int(p.integer("nodes_across"));
  const double reach = shape == "torus" ? (1.0 + kTube) * size : size, spacing = 2.0 * reach / across;
  std::vector<Vector3> nodes;
  for (int i = 0; i < across; ++i)
    for (int j = 0; j < across; ++j)
      for (int k = 0; k < across; ++k) {
        const Vector3 centre = spacing * (Vector3(i, j, k) + Vector3::Constant(0.5)) - Vector3::Constant(reach);
        if (!is_inside(shape, size, centre)) continue;  // same number of nodes for every seed
        Vector3 x = centre;
        for (int c = 0; c < 3; ++c) x[c] += 0.3 * spacing * random.uniform(-1.0, 1.0);
        nodes.push_back(is_inside(shape, size, x) ? x : centre);
      }
  const auto count = Eigen::Index(nodes.size());
  scene.particles.rest_positions.resize(count, 3);
  for (Eigen::Index i = 0; i < count; ++i) scene.particles.rest_positions.row(i) = nodes[std::size_t(i)];
  scene.particles.masses.setConstant(count, scene.materials[0].density * std::pow(spacing, 3));
  scene.particles.supports.setConstant(count, p.real("support_ratio") * spacing);
  return scene;
}

}  // namespace

SceneDescriptor surfel_shape() {
  ParameterInfo across{"nodes_across", "1", 8LL,
                       "Cells of the lattice of nodes across the body; nodes outside are left out."};
  across.minimum = 4;
  return {
      "surfel_shape",
      "A sphere, a torus whose tube has half the radius of its ring, or a box about the origin; nodes inside.",
      {
          choice_parameter("shape", "sphere", {"sphere", "torus", "box"}, "Its surface."),
          positive_parameter("size_m", "m", 1.0,
                             "Radius of the sphere, of the ring of the torus, half side of the box."),
          non_negative_parameter("crack_gap_m", "m", 0.0, "Distance of two parallel cracks of a box; 0: no cracks."),
          std::move(across),
          seed_parameter("Seed of nodes, of the skin's vertices along round surfaces, and of the place of cracks."),
          positive_parameter("support_ratio", "1", 2.2, "Support h of a node over the node spacing."),
          positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."),
          poisson_parameter(0.33),
          positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
          positive_parameter("time_step_s", "s", 1e-3, "Time step."),
      },
      build_surfel_shape};
}

}  // namespace deformbench::scenes
