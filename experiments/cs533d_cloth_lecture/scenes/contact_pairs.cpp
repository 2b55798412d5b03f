// SPDX-License-Identifier: BSD-3-Clause
// Many separate pairs that each collide once within the first step: vertex–triangle interior or edge–edge. Vertex
// masses vary over four decades: every vertex in contact has an attached triangle that is large at rest, small at the
// start, and moves with it. [B05] §11
#include <algorithm>
#include <array>
#include <cmath>

#include "experiments/scenes/cloth_pieces.hpp"
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

using numerics::RandomStream;

constexpr double kCornerSize = 0.2;      ///< m, rest size of light parts
constexpr double kClothDensity = 0.01;   ///< kg/m²
constexpr double kStepMotion = 0x1p-20;  ///< m, default vertex motion in a step; no pair meets twice

/// Rounds to multiples of 2⁻⁴⁰ m, so that start + step·velocity is exact in double precision, and so is the contact.
Vector3 whole(const Vector3& metres) {
  return (metres * 0x1p40).array().round().matrix() * 0x1p-40;
}

/// The four vertices in contact.
struct Pair {
  std::array<Vector3, 4> contact, velocity;  ///< velocity: in units of the step's motion, below 1
  std::array<double, 4> weights;
};

Pair random_pair(RandomStream& random, bool is_point, double flattest) {
  Pair pair{};
  const double share = std::exp(random.uniform() * std::log(flattest));  // log-uniform from 1 to the flattest
  if (is_point) {
    // Triangle with base 1 and height `share`; the point is in its interior, away from the edges.
    std::array<double, 3> w{};
    for (double& x : w) x = 0.1 + random.uniform();
    const double sum = w[0] + w[1] + w[2];
    const Vector3 a(0, 0, 0), b(1, 0, 0), c(random.uniform(), share, 0);
    pair.weights = {1.0, -w[0] / sum, -w[1] / sum, -w[2] / sum};
    const Vector3 at = (w[0] * a + w[1] * b + w[2] * c) / sum;
    pair.contact = {Vector3::Zero(), a - at, b - at, c - at};
  } else {
    const double s = random.uniform(0.05, 0.95), t = random.uniform(0.05, 0.95), angle = share * 1.5;
    const Vector3 u = Vector3::UnitX(), w(std::cos(angle), std::sin(angle), 0.0);
    pair.weights = {1.0 - s, s, t - 1.0, -t};
    pair.contact = {Vector3(-s * u), Vector3((1.0 - s) * u), Vector3(-t * w), Vector3((1.0 - t) * w)};
  }
  Vector3 relative;
  do {
    relative.setZero();
    for (std::size_t k = 0; k < 4; ++k) {
      pair.velocity[k] = random.uniform() * random.direction();
      relative += pair.weights[k] * pair.velocity[k];
    }
  } while (relative.z() > -0.2);
  return pair;
}

/// Collects the vertices of one pair; vertices 0 to 3 are in contact.
class PairBuilder {
 public:
  PairBuilder(Scene& scene, const Matrix3& turn, const Vector3& place, double time, double step, double motion)
      : scene_(scene), turn_(turn), place_(place), time_(time), step_(step), motion_(motion) {}

  /// `at`: position at the contact; `velocity` in units of the step's motion.
  void put(const Vector3& at, const Vector3& velocity, const Vector3& at_rest) {
    rest_.push_back(at_rest + place_);
    now_.push_back(whole(turn_ * (at - time_ * motion_ * velocity) + place_));
    velocities_.push_back(whole(turn_ * (motion_ * velocity)) / step_);
  }
  void join(int a, int b, int c) { triangles_.push_back({a, b, c}); }
  /// Adds a triangle on edge (a, b) that gives `mass` (kg) to each of a and b; its third vertex moves with a.
  void weigh(int a, int b, double mass, const Vector3& at, const Vector3& velocity) {
    const Vector3 from = rest_[std::size_t(a)], along = rest_[std::size_t(b)] - from;
    const double height = 6.0 * mass / kClothDensity / along.norm();
    put(at, velocity, Vector3(from + 0.5 * along + height * Vector3::UnitZ() - place_));
    join(b, a, int(rest_.size()) - 1);
  }
  /// Returns the index of the pair's first vertex.
  int finish(Eigen::Index vertices_before, Eigen::Index triangles_before) {
    for (std::size_t k = 0; k < rest_.size(); ++k) {
      const Eigen::Index row = vertices_before + Eigen::Index(k);
      scene_.cloth.rest_positions.row(row) = rest_[k].transpose();
      scene_.initial_positions.row(row) = now_[k].transpose();
      scene_.initial_velocities.row(row) = velocities_[k].transpose();
    }
    for (std::size_t t = 0; t < triangles_.size(); ++t)
      for (int k = 0; k < 3; ++k)
        scene_.cloth.triangles(triangles_before + Eigen::Index(t), k) =
            int(vertices_before) + triangles_[t][std::size_t(k)];
    return int(vertices_before);
  }

 private:
  Scene& scene_;
  const Matrix3 turn_;
  const Vector3 place_;
  const double time_, step_, motion_;
  std::vector<Vector3> rest_, now_, velocities_;
  std::vector<std::array<int, 3>> triangles_;
};

void build_point_and_triangle(PairBuilder& builder, const Pair& pair, RandomStream& random) {
  const auto mass = [&] { return std::pow(10.0, random.uniform(-2.0, 2.0)); };
  const Vector3 up = Vector3::UnitZ(), s = Vector3::Constant(kCornerSize);
  const Vector3 corners[] = {Vector3::Zero(), {s.x(), 0, 0}, {0, s.x(), 0}};
  const Vector3 beside[] = {{0.5 * s.x(), -0.5 * s.x(), 0}, {s.x(), s.x(), 0}, {-0.5 * s.x(), 0.5 * s.x(), 0}};
  const double leg = std::sqrt(6.0 * mass() / kClothDensity);
  builder.put(pair.contact[0], pair.velocity[0], up);
  for (std::size_t k = 0; k < 3; ++k) builder.put(pair.contact[k + 1], pair.velocity[k + 1], corners[k]);
  for (const double side : {1.0, -1.0})
    builder.put(pair.contact[0] + Vector3(-0.05, 0.03 * side, 1.0), pair.velocity[0],
                up + leg * (side > 0.0 ? Vector3::UnitX() : Vector3::UnitY()));
  builder.join(0, 4, 5);
  builder.join(1, 2, 3);
  // A triangle down and outwards from every edge, then a weight for the edge's first vertex.
  for (int k = 0; k < 3; ++k) {
    const int a = 1 + k, b = 1 + (k + 1) % 3;
    const Vector3 &at_a = pair.contact[std::size_t(a)], &at_b = pair.contact[std::size_t(b)];
    const Vector3 outwards = (at_b - at_a).cross(up).normalized();
    builder.put(0.5 * (at_a + at_b) + 0.3 * outwards - 0.5 * up,
                0.5 * (pair.velocity[std::size_t(a)] + pair.velocity[std::size_t(b)]), beside[k]);
    builder.join(b, a, 6 + k);
  }
  for (int k = 0; k < 3; ++k) {
    const int a = 1 + k, b = 1 + (k + 1) % 3;
    const Vector3 &at_a = pair.contact[std::size_t(a)], &at_b = pair.contact[std::size_t(b)];
    const Vector3 outwards = (at_b - at_a).cross(up).normalized();
    builder.weigh(a, 6 + k, mass(), at_a + 0.4 * outwards - 0.9 * up, pair.velocity[std::size_t(a)]);
  }
}

void build_edges(PairBuilder& builder, const Pair& pair, RandomStream& random) {
  const auto mass = [&] { return std::pow(10.0, random.uniform(-2.0, 2.0)); };
  const Vector3 up = Vector3::UnitZ();
  for (std::size_t k = 0; k < 4; ++k)
    builder.put(pair.contact[k], pair.velocity[k], Vector3(k % 2 == 0 ? 0.0 : kCornerSize, 0.0, k < 2 ? 1.0 : 0.0));
  for (std::size_t k = 0; k < 4; k += 2)
    builder.put(0.5 * (pair.contact[k] + pair.contact[k + 1]) + (k == 0 ? 0.5 : -0.5) * up,
                0.5 * (pair.velocity[k] + pair.velocity[k + 1]), Vector3(0.0, kCornerSize, k == 0 ? 1.0 : 0.0));
  builder.join(0, 1, 4);
  builder.join(2, 3, 5);
  // A weight beyond each end of an edge, on the side that goes up or down from it.
  for (int k = 0; k < 4; ++k) {
    const std::size_t own = std::size_t(k), other = std::size_t(k ^ 1);
    const Vector3 outwards = (pair.contact[own] - pair.contact[other]).normalized();
    const Vector3 at = pair.contact[own] + 0.3 * outwards + (k < 2 ? 0.4 : -0.4) * up;
    const int top = k < 2 ? 4 : 5;
    if (k % 2 == 0)
      builder.weigh(top, k, mass(), at, pair.velocity[own]);
    else
      builder.weigh(k, top, mass(), at, pair.velocity[own]);
  }
}

Scene build_contact_pairs(const Parameters& p) {
  Scene scene;
  scene.name = "contact_pairs";
  scene.time_step = p.real("time_step_s");
  scene.cloth.area_density = p.real("area_density_kg_m2");
  const bool is_point = p.text("kind") == "point_triangle";
  const Eigen::Index count = p.integer("count"), vertices = is_point ? 12 : 10, triangles = is_point ? 8 : 6;
  scene.cloth.rest_positions.resize(vertices * count, 3);
  scene.initial_positions.resize(vertices * count, 3);
  scene.initial_velocities.resize(vertices * count, 3);
  scene.cloth.triangles.resize(triangles * count, 3);
  model::PrescribedMotion held;
  const int side = int(std::ceil(std::cbrt(double(count))));
  for (Eigen::Index n = 0; n < count; ++n) {
    RandomStream random(std::uint64_t(p.integer("seed")), std::uint64_t(n));
    Pair pair = random_pair(random, is_point, p.real("flattest"));
    std::array<bool, 4> is_held{};
    if (random.uniform() < p.real("held_share"))
      for (bool& flag : is_held) flag = random.uniform() < 0.4;
    if (std::all_of(is_held.begin(), is_held.end(), [](bool flag) { return flag; })) is_held[0] = false;
    // A held vertex stands still; free ones are sped up until the pair approaches.
    double approach = 0.0;
    for (std::size_t k = 0; k < 4; ++k) {
      if (is_held[k]) pair.velocity[k].setZero();
      approach += pair.weights[k] * pair.velocity[k].z();
    }
    for (std::size_t k = 0; k < 4 && approach > -0.1; ++k) {
      if (is_held[k]) continue;
      const double push = -(approach + 0.3) / pair.weights[k];
      pair.velocity[k].z() += push;
      approach += pair.weights[k] * push;
    }
    const Vector3 place = 6.0 * Vector3(double(n % side), double(n / side % side), double(n / side / side));
    PairBuilder builder(scene, random.rotation(), place, random.uniform(0.3, 0.8), scene.time_step, p.real("motion_m"));
    if (is_point)
      build_point_and_triangle(builder, pair, random);
    else
      build_edges(builder, pair, random);
    const int first = builder.finish(vertices * n, triangles * n);
    for (int k = 0; k < 4; ++k)
      if (is_held[std::size_t(k)]) held.vertices.push_back(first + k);
  }
  if (!held.vertices.empty()) {
    held.targets.resize(Eigen::Index(held.vertices.size()), 3);
    for (std::size_t k = 0; k < held.vertices.size(); ++k)
      held.targets.row(Eigen::Index(k)) = scene.initial_positions.row(held.vertices[k]);
    scene.vertex_sets["held"] = held.vertices;
    scene.prescribed.push_back(held);
  }
  return scene;
}

}  // namespace

SceneDescriptor contact_pairs() {
  ParameterInfo flattest = positive_parameter("flattest", "1", 1e-2, "Least height of a triangle over its base.");
  flattest.maximum = 1.0;
  ParameterInfo share = non_negative_parameter("held_share", "1", 0.3, "Of pairs some of whose vertices are held.");
  share.maximum = 1.0;
  return {
      "contact_pairs",
      "Separate pairs of a point and a triangle, or of two edges, that meet once, with masses over four decades.",
      {choice_parameter("kind", "point_triangle", {"point_triangle", "edge_edge"}, "What meets what."),
       count_parameter("count", 100, 1, "Number of pairs."), flattest, share,
       positive_parameter("area_density_kg_m2", "kg/m^2", kClothDensity,
                          "Mass per area; masses of 0.01 to 100 kg are those of the default."),
       positive_parameter("motion_m", "m", kStepMotion, "Largest of a vertex in the step; edges are about 1 m long."),
       positive_parameter("time_step_s", "s", 0x1p-7, "Time step."), seed_parameter("Seed of shapes and motions.")},
      build_contact_pairs};
}

}  // namespace deformbench::scenes
