// SPDX-License-Identifier: BSD-3-Clause
// A block of irregular nodes with one crack, at rest or growing. [PKAGDG05] Fig. 2, §3.2
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/pauly_et_al_2005/scenes/crack_surfaces.hpp"
#include "experiments/pauly_et_al_2005/scenes/node_clouds.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/triangle_distance.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

ParameterSpec cracked_parameters() {
  ParameterSpec spec = cloud_parameters({.nodes_across = 8, .jitter = 0.3, .time_step = 1e-3});
  const ParameterSpec more{
      choice_parameter(
          "crack", "flat", {"flat", "kink", "disc", "cap", "through", "none"},
          "A strip from the face at x = 0 to a straight front, flat or bent; a disc or a cap of a sphere in "
          "the middle, with a closed front; a plane through the body, without front; no crack."),
      real_parameter("crack_length", "1", 0.5,
                     "x of the middle of the front, in lengths of the block; below 0 it ends before it."),
      real_parameter("tilt_deg", "deg", 20.0, "Angle of the crack against the plane of x and z, about z."),
      real_parameter("roll_deg", "deg", 15.0, "Further angle about x."),
      real_parameter("bend_deg", "deg", 45.0, "Of a kink: the angle between its two planes."),
      non_negative_parameter("bend_at", "1", 0.7, "Of a kink: how far behind the front, in supports."),
      positive_parameter("disc_radius", "1", 0.9, "Of a disc or a cap: radius of the front, in supports."),
      positive_parameter("cap_radius", "1", 2.0, "Of a cap: radius of the sphere, in supports."),
      non_negative_parameter("clearance", "1", 0.02,
                             "Nodes nearer to the crack are moved to this distance from it, in supports."),
      real_parameter("advance", "1", 0.0,
                     "How far the front of a strip advances, in lengths of the block; never backwards."),
      real_parameter("skew_deg", "deg", 0.0, "Direction of the advance in the crack's plane, from straight ahead."),
      non_negative_parameter("advance_time_s", "s", 0.1, "How long the advance takes."),
      positive_parameter("initial_stretch", "1", 1.0, "Stretch along y that the nodes start with."),
      non_negative_parameter("support_grading", "1", 0.0,
                             "Supports rise along x, from 1 − this to 1 + this times their mean."),
      flag_parameter("ends_held", false, "The outer layers across y keep the y that they start with."),
      flag_parameter("is_planar", false, "One layer of nodes in the plane z = 0."),
      flag_parameter("is_concave", false, "Without the quarter of large x and y."),
  };
  spec.insert(spec.end(), more.begin(), more.end());
  return spec;
}

/// Lattice cells of the block, with nodes at their centres.
struct Lattice {
  Eigen::Vector3i count;
  Vector3 spacing, low;
};
Lattice lattice_of(const Parameters& p) {
  const double length = p.real("length_m"), side = p.real("side_m");
  const auto across = int(p.integer("nodes_across"));
  const int along = std::max(1, int(std::lround(length / side * across)));
  const bool is_planar = p.flag("is_planar");
  const Vector3 spacing(length / along, side / across, side / across);
  return {{along, across, is_planar ? 1 : across},
          spacing,
          {0.0, -0.5 * side, is_planar ? -0.5 * spacing.z() : -0.5 * side}};
}

void add_nodes(const Parameters& p, const Lattice& lattice, Scene& scene) {
  numerics::RandomStream random(std::uint64_t(p.integer("seed")));
  const double jitter = p.real("jitter"), grading = p.real("support_grading"), length = p.real("length_m");
  std::vector<Vector3> nodes;
  for (int i = 0; i < lattice.count[0]; ++i)
    for (int j = 0; j < lattice.count[1]; ++j)
      for (int k = 0; k < lattice.count[2]; ++k) {
        if (p.flag("is_concave") && 2 * i >= lattice.count[0] && 2 * j >= lattice.count[1]) continue;
        Vector3 cell(i + 0.5, j + 0.5, k + 0.5);
        for (int c = 0; c < (p.flag("is_planar") ? 2 : 3); ++c) cell[c] += jitter * random.uniform(-1.0, 1.0);
        if (i == 0) scene.vertex_sets["root"].push_back(int(nodes.size()));
        if (i == lattice.count[0] - 1) scene.vertex_sets["tip"].push_back(int(nodes.size()));
        if (j == 0) scene.vertex_sets["bottom"].push_back(int(nodes.size()));
        if (j == lattice.count[1] - 1) scene.vertex_sets["top"].push_back(int(nodes.size()));
        nodes.push_back(lattice.low + lattice.spacing.cwiseProduct(cell));
      }
  auto& particles = scene.particles;
  const auto count = Eigen::Index(nodes.size());
  particles.rest_positions.resize(count, 3);
  particles.supports.resize(count);
  const double support = p.real("support_ratio") * lattice.spacing.maxCoeff();
  for (Eigen::Index i = 0; i < count; ++i) {
    const Vector3& x = nodes[std::size_t(i)];
    particles.rest_positions.row(i) = x;
    particles.supports[i] = support * (1.0 + grading * (2.0 * std::clamp(x.x() / length, 0.0, 1.0) - 1.0));
  }
  particles.masses.setConstant(count, scene.materials[0].density * lattice.spacing.prod());
}

model::InitialCrack crack_of(const Parameters& p, const Lattice& lattice) {
  const std::string& kind = p.text("crack");
  const double length = p.real("length_m"), side = p.real("side_m");
  const double support = p.real("support_ratio") * lattice.spacing.maxCoeff();
  const double room = 2.0 * (length + side);  // larger than any distance in the block
  const double roll = p.flag("is_planar") ? 0.0 : radians(p.real("roll_deg"));
  const double tip = kind == "through" ? room : p.real("crack_length") * length;
  CrackFrame frame = crack_frame(Vector3::Zero(), radians(p.real("tilt_deg")), roll);
  if (kind == "disc" || kind == "cap") {
    frame.tip = {0.5 * length, 0.0, 0.0};
    const double curvature = kind == "disc" ? std::numeric_limits<double>::infinity() : p.real("cap_radius") * support;
    return cap_crack(frame, p.real("disc_radius") * support, curvature);
  }
  // Passes through the middle of the block for all tilts.
  frame.tip = Vector3(0.5 * length, 0.0, 0.0) + (tip - 0.5 * length) * frame.ahead;
  const double bend = kind == "kink" ? radians(p.real("bend_deg")) : 0.0;
  model::InitialCrack crack = strip_crack(frame, 1.5 * (length + side), 2.0 * room, bend, p.real("bend_at") * support);
  if (kind == "through") crack.fronts.clear();
  const double skew = radians(p.real("skew_deg"));
  crack.advance = p.real("advance") * length * (std::cos(skew) * frame.ahead + std::sin(skew) * frame.along);
  crack.ramp.end = p.real("advance_time_s");
  return crack;
}

/// Moves nodes away from the surface along its normal; nodes on the surface move along +normal.
void clear(const model::InitialCrack& crack, double clearance, bool is_planar, model::ParticleSet& nodes) {
  const auto& [positions, triangles] = crack.surface;
  for (Eigen::Index i = 0; i < nodes.vertex_count(); ++i) {
    const Vector3 x = nodes.rest_positions.row(i);
    double least = std::numeric_limits<double>::infinity();
    Vector3 away = Vector3::Zero();
    for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
      const Vector3 a = positions.row(triangles(t, 0)), b = positions.row(triangles(t, 1)),
                    c = positions.row(triangles(t, 2));
      const Vector3 weights = model::closest_on_triangle(x, a, b, c).weights;
      const Vector3 way = x - weights[0] * a - weights[1] * b - weights[2] * c;
      if (way.norm() >= least) continue;
      least = way.norm();
      away = (b - a).cross(c - a).normalized();
      if (away.dot(way) < 0.0) away = -away;
    }
    if (is_planar) away.z() = 0.0;
    const double wanted = clearance * nodes.supports[i];
    if (least < wanted) nodes.rest_positions.row(i) += (wanted - least) * away;
  }
}

Scene build_cracked_block(const Parameters& p) {
  const Lattice lattice = lattice_of(p);
  const Vector3 size = lattice.spacing.cwiseProduct(lattice.count.cast<double>());
  Scene scene;
  scene.name = "cracked_block";
  scene.gravity = vector_of(p, "gravity_m_s2");
  scene.materials = {material_of(p)};
  scene.time_step = p.real("time_step_s");
  scene.skin = box_surface(lattice.low, lattice.low + size);
  add_nodes(p, lattice, scene);
  if (p.text("crack") != "none") {
    scene.cracks = {crack_of(p, lattice)};
    clear(scene.cracks[0], p.real("clearance"), p.flag("is_planar"), scene.particles);
  }
  if (const double stretch = p.real("initial_stretch"); stretch != 1.0) {
    scene.initial_positions = scene.particles.rest_positions;
    scene.initial_positions.col(1) *= stretch;
  }
  if (p.flag("ends_held")) {
    const Points& start = scene.initial_positions.size() > 0 ? scene.initial_positions : scene.particles.rest_positions;
    for (const char* end : {"bottom", "top"}) {
      model::PrescribedMotion held;
      held.vertices = scene.vertex_sets.at(end);
      held.targets = start(held.vertices, Eigen::all);
      held.components = {false, true, false};
      scene.prescribed.push_back(std::move(held));
    }
  }
  return scene;
}

}  // namespace

SceneDescriptor cracked_block() {
  return {"cracked_block",
          "A free block of nodes on a jittered cubic lattice, with a crack that is there from the start and may grow.",
          cracked_parameters(), build_cracked_block};
}

}  // namespace deformbench::scenes
