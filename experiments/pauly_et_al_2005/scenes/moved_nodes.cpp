// SPDX-License-Identifier: BSD-3-Clause
// A block of nodes with a given initial deformation and noise. [PKAGDG05] §2
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

constexpr std::uint64_t kJitterStream = 10, kTurnStream = 11, kAffineStream = 12, kShiftStream = 13;

std::uint64_t seed_of(const Parameters& p) {
  return std::uint64_t(p.integer("seed"));
}

/// Halves the cell size beyond the middle of x, like two levels of an octree. Supports are support_ratio times the
/// largest axial distance between centres of neighbouring cells, as in a uniform block.
void refine_beyond_the_middle(const Parameters& p, Scene& scene) {
  const double side = p.real("side_m"), jitter = p.real("jitter");
  const auto across = int(p.integer("nodes_across"));
  const double coarse = side / across, middle = coarse * std::lround(p.real("length_m") / coarse / 2);
  const int finest = 2 * int(std::lround((p.real("length_m") - middle) / coarse));
  std::vector<Vector3> nodes;
  std::vector<double> supports, volumes;
  numerics::RandomStream random(seed_of(p), kJitterStream);
  const auto add_layers = [&](double from, double size, int layers, int cells, bool is_fine) {
    for (int i = 0; i < layers; ++i)
      for (int j = 0; j < cells; ++j)
        for (int k = 0; k < cells; ++k) {
          Vector3 x(from + (i + 0.5) * size, (j + 0.5) * size - 0.5 * side, (k + 0.5) * size - 0.5 * side);
          for (int c = 0; c < 3; ++c) x[c] += jitter * size * random.uniform(-1.0, 1.0);
          nodes.push_back(x);
          supports.push_back(p.real("support_ratio") * (is_fine && i == 0 ? 0.75 * coarse : size));
          volumes.push_back(size * size * size);
        }
  };
  add_layers(0.0, coarse, int(std::lround(middle / coarse)), across, false);
  const auto root = int(nodes.size());
  add_layers(middle, 0.5 * coarse, finest, 2 * across, true);
  const auto count = Eigen::Index(nodes.size());
  auto& particles = scene.particles;
  particles.rest_positions.resize(count, 3);
  for (Eigen::Index i = 0; i < count; ++i) particles.rest_positions.row(i) = nodes[std::size_t(i)].transpose();
  particles.supports = Eigen::Map<const Eigen::VectorXd>(supports.data(), count);
  particles.masses = scene.materials[0].density * Eigen::Map<const Eigen::VectorXd>(volumes.data(), count);
  auto& tip = scene.vertex_sets["tip"];
  tip.clear();
  for (int i = int(count) - 4 * across * across; i < int(count); ++i) tip.push_back(i);
  auto& first = scene.vertex_sets["root"];
  first.clear();
  for (int i = 0; i < std::min(root, across * across); ++i) first.push_back(i);
}

/// Keeps one layer of nodes, in the plane z = 0.
void flatten(const Parameters& p, Scene& scene) {
  auto& particles = scene.particles;
  const auto across = Eigen::Index(p.integer("nodes_across")), count = particles.rest_positions.rows() / across;
  Points plane(count, 3);
  for (Eigen::Index i = 0; i < count; ++i) plane.row(i) = particles.rest_positions.row(i * across);
  plane.col(2).setZero();
  particles.rest_positions = plane;
  particles.supports = Eigen::VectorXd(particles.supports.head(count));
  particles.masses = Eigen::VectorXd(particles.masses.head(count));
  scene.skin = {};
  scene.vertex_sets.clear();
}

/// Principal stretches in [1/2, 2], log-symmetric (s and 1/s equally likely), between two random rotations.
Matrix3 random_gradient(const Parameters& p) {
  numerics::RandomStream random(seed_of(p), kAffineStream);
  Vector3 stretches;
  for (int c = 0; c < 3; ++c) stretches[c] = std::exp2(random.uniform(-1.0, 1.0));
  const Matrix3 first = random.rotation(), second = random.rotation();
  return first * stretches.asDiagonal() * second;
}

/// Waves in three directions oblique to the axes of the block.
Vector3 wave(const Vector3& x, double length) {
  Matrix3 numbers;
  numbers << 4, 2, 1, -2, 4, 2, 1, -2, 4;
  return (numbers * x / length).array().sin();
}

Points moved(const Parameters& p, const Points& rest) {
  const std::string& field = p.text("field");
  const double amplitude = p.real("amplitude_m"), length = p.real("length_m");
  Points x = rest;
  if (field == "affine" || field == "turned_affine") {
    Matrix3 gradient = random_gradient(p);
    Vector3 shift = Vector3::Zero();
    if (field == "turned_affine") {
      numerics::RandomStream random(seed_of(p), kShiftStream);
      gradient = random.rotation() * gradient;
      shift = p.real("shift_m") * random.direction();
    }
    x = (rest * gradient.transpose()).rowwise() + shift.transpose();
  } else if (field == "stretch") {
    const double stretch = p.real("stretch");
    const double side = 1.0 - p.real("poisson_ratio") * (stretch * stretch - 1.0);  // squared, for zero lateral stress
    x *= Vector3(stretch, std::sqrt(std::max(side, 0.0)), std::sqrt(std::max(side, 0.0))).asDiagonal();
  } else if (field == "isochoric") {
    const double stretch = p.real("stretch"), across = 1.0 / std::sqrt(stretch);
    x *= Vector3(stretch, across, across).asDiagonal();
  } else if (field == "wave") {
    for (Eigen::Index i = 0; i < x.rows(); ++i) x.row(i) += amplitude * wave(rest.row(i), length).transpose();
  } else if (field == "longitudinal") {
    x.col(0).array() += amplitude * (std::numbers::pi / length * rest.col(0).array()).cos();
  }
  return x + normal_points(p, 1, x.rows(), p.real("noise_m"));
}

void hold_ends(const Parameters& p, Scene& scene) {
  const std::string& ends = p.text("ends");
  if (ends == "free") return;
  for (const char* end : {"root", "tip"}) {
    if (ends == "root_held" && std::string(end) == "tip") continue;
    model::PrescribedMotion motion;
    motion.vertices = scene.vertex_sets[end];
    motion.targets = scene.initial_positions(motion.vertices, Eigen::all);
    if (ends == "rollers") motion.components = {true, false, false};
    if (!motion.vertices.empty()) scene.prescribed.push_back(std::move(motion));
  }
}

}  // namespace

SceneDescriptor moved_nodes() {
  ParameterSpec spec = cloud_parameters({.nodes_across = 8, .jitter = 0.3, .time_step = 1e-3});
  spec.push_back(choice_parameter("sampling", "one_size", {"one_size", "two_levels", "plane"},
                                  "Cells of one size; of half that size beyond the middle of x, as neighbours in an "
                                  "octree; or all nodes in the plane z = 0."));
  spec.push_back(choice_parameter("orientation", "axes", {"axes", "random"},
                                  "Along the axes, or the body at rest turned at random about the origin."));
  spec.push_back(choice_parameter(
      "field", "none", {"none", "affine", "turned_affine", "stretch", "isochoric", "wave", "longitudinal"},
      "Deformation at the start: a random affine map of stretches from 0.5 to 2; the same, turned and shifted; a "
      "stretch along x without stress across, in Green's strain; a stretch along x that keeps the volume; amplitude_m "
      "times the sines of (4 2 1)x/L, (-2 4 "
      "2)x/L, "
      "(1 -2 4)x/L; or u_x = amplitude_m cos(pi x/L), the first mode of a free bar."));
  spec.push_back(real_parameter("amplitude_m", "m", 1e-2, "Of `wave` and `longitudinal`."));
  spec.push_back(positive_parameter("stretch", "1", 1.2, "Of `stretch` and `isochoric`."));
  spec.push_back(non_negative_parameter("shift_m", "m", 0.0, "Length of the shift of `turned_affine`."));
  spec.push_back(non_negative_parameter("noise_m", "m", 0.0, "Standard deviation added to every start coordinate."));
  spec.push_back(non_negative_parameter("noise_m_s", "m/s", 0.0, "Standard deviation of every start velocity."));
  spec.push_back(choice_parameter("ends", "free", {"free", "root_held", "rollers"},
                                  "Whether the layer of nodes at small x is held, or the layers at both ends of x keep "
                                  "the x that they start with and are free across."));
  spec.push_back(bounded_parameter());
  return {"moved_nodes", "A block of nodes that starts from a given deformation, noise and velocities.",
          std::move(spec), [](const Parameters& p) {
            Scene scene = build_node_block("moved_nodes", p);
            if (p.text("sampling") == "two_levels") refine_beyond_the_middle(p, scene);
            if (p.text("sampling") == "plane") flatten(p, scene);
            if (p.text("orientation") == "random") {
              numerics::RandomStream random(seed_of(p), kTurnStream);
              const Matrix3 turn = random.rotation().transpose();
              scene.particles.rest_positions *= turn;
              scene.skin.positions *= turn;
            }
            const Points& rest = scene.rest_positions();
            scene.initial_positions = moved(p, rest);
            if (p.real("noise_m_s") > 0)
              scene.initial_velocities = normal_points(p, 2, rest.rows(), p.real("noise_m_s"));
            hold_ends(p, scene);
            lift_bounds(p, scene);
            return scene;
          }};
}

}  // namespace deformbench::scenes
