// SPDX-License-Identifier: BSD-3-Clause
// Disjoint hinges (two triangles on an edge) of random shape, folded and turned at the start, flat or folded at rest.
// Each vertex belongs to one hinge, so its force is that hinge's.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {
namespace {

constexpr double kPi = std::numbers::pi;

/// A hinge in its own frame: edge (a, b) along x, triangle (a, c, b) in the plane, (a, b, d) folded.
struct Shape {
  double edge, foot_c, height_c, foot_d, height_d;
};

Points folded(const Shape& s, double angle) {
  Points x(4, 3);
  x << 0, 0, 0, s.edge, 0, 0, s.foot_c, s.height_c, 0, s.foot_d, -s.height_d * std::cos(angle),
      -s.height_d * std::sin(angle);
  return x;
}

/// Samples are stratified: decades of the angle from `least` to 1, the middle, decades of π − angle from 1 down to
/// `gap`.
double angle_of_class(numerics::RandomStream& random, Eigen::Index sample, double least, double gap) {
  const int low = int(std::lround(-std::log10(least))), high = int(std::lround(-std::log10(gap)));
  const int which = int(sample % (low + 1 + high));
  const double sign = random.below(2) == 0 ? -1.0 : 1.0, within = random.uniform();
  if (which < low) return sign * least * std::pow(10.0, which + within);
  if (which == low) return sign * (1.0 + (kPi - 2.0) * within);
  return sign * (kPi - gap * std::pow(10.0, which - low - 1 + within));
}

struct Pose {
  Points start, velocities;
};

/// Pose of copy `k` in a family of copies of one hinge, turned by `turn`, displaced by `a` and `b`.
Pose copied(const std::string& copies, Eigen::Index k, Eigen::Index count, const Points& turned, const Points& a,
            const Points& b, const Points& first, const Points& second) {
  Pose pose{turned, Points::Zero(4, 3)};
  if (copies == "loop") {
    const double phase = 2.0 * kPi * double(k) / double(count);
    pose.start += std::cos(phase) * a + std::sin(phase) * b;
    return pose;
  }
  // Two velocities, their combination, the rest shape, and 1.5 times the displacement from it.
  pose.start += (k == 3 ? 0.0 : k == 4 ? 1.5 : 1.0) * a;
  pose.velocities = k == 1 ? second : k == 2 ? Points(0.7 * first - 1.3 * second) : first;
  return pose;
}

Points drawn(numerics::RandomStream& random, double deviation) {
  Points field(4, 3);
  for (Eigen::Index i = 0; i < field.size(); ++i) field.data()[i] = deviation * random.normal();
  return field;
}

Scene build_hinge_samples(const Parameters& p) {
  Scene scene;
  scene.name = "hinge_samples";
  const std::string& copies = p.text("copies");
  const Eigen::Index family = copies == "none" ? 1 : copies == "loop" ? p.integer("loop_points") : 5;
  const Eigen::Index count = p.integer("count"), hinges = count * family;
  const double size = p.real("edge_m"), strain = p.real("in_plane_strain"), fold = p.real("rest_fold_rad");
  const double displacement = p.real("displacement") * size;
  const Vector3 offset = vector_of(p, "offset_m");
  scene.cloth.rest_positions.resize(4 * hinges, 3);
  scene.cloth.triangles.resize(2 * hinges, 3);
  scene.initial_positions.resize(4 * hinges, 3);
  scene.initial_velocities = Points::Zero(4 * hinges, 3);
  for (Eigen::Index sample = 0; sample < count; ++sample) {
    numerics::RandomStream random(std::uint64_t(p.integer("seed")), std::uint64_t(sample));
    const double thinness = std::log(p.real("least_height"));
    const auto height = [&] { return size * random.uniform(0.7, 1.0) * std::exp(thinness * random.uniform()); };
    const auto foot = [&] { return size * random.uniform(0.2, 0.8); };
    const Shape rest{size, foot(), height(), foot(), height()};
    const auto factor = [&] { return std::exp(random.uniform(-strain, strain)); };
    Shape now = rest;
    now.edge *= factor();
    now.height_c *= factor();
    now.height_d *= factor();
    now.foot_c += rest.height_c * random.uniform(-strain, strain);
    now.foot_d += rest.height_d * random.uniform(-strain, strain);
    const double rest_angle = random.uniform(-fold, fold);
    double angle = 0.0;
    if (p.text("angles") == "decades")
      angle = angle_of_class(random, sample, p.real("least_angle_rad"), p.real("least_gap_rad"));
    else if (p.text("angles") == "even")  // evenly from −π to π
      angle = count > 1 ? -kPi + 2.0 * kPi * double(sample) / double(count - 1) : 0.0;
    else if (p.text("angles") == "rest")
      angle = rest_angle;
    else
      angle = random.uniform(-2.5, 2.5);
    const Matrix3 turn = random.rotation();
    const Points a = drawn(random, displacement), b = drawn(random, displacement);
    const Points first = drawn(random, 1.0), second = drawn(random, 1.0);
    for (Eigen::Index k = 0; k < family; ++k) {
      const Eigen::Index at = 4 * (sample * family + k);
      scene.cloth.rest_positions.middleRows<4>(at) = folded(rest, rest_angle);
      const int v = int(at);
      scene.cloth.triangles.row(at / 2) << v, v + 2, v + 1;
      scene.cloth.triangles.row(at / 2 + 1) << v, v + 1, v + 3;
      const Points turned = folded(now, angle) * turn.transpose();
      Pose pose{turned, first};
      if (family > 1) pose = copied(copies, k, family, turned, a, b, first, second);
      scene.initial_positions.middleRows<4>(at) = pose.start.rowwise() + offset.transpose();
      scene.initial_velocities.middleRows<4>(at) = p.real("speed_m_s") * pose.velocities;
    }
  }
  scene.cloth.area_density = p.real("area_density_kg_m2");
  scene.time_step = p.real("time_step_s");
  lift_bounds(p, scene);
  return scene;
}

ParameterInfo whole(const char* name, long long value, double least, const char* doc) {
  ParameterInfo info{name, "1", value, doc};
  info.minimum = least;
  info.maximum = 1e6;
  return info;
}

}  // namespace

SceneDescriptor hinge_samples() {
  ParameterInfo least_height = positive_parameter(
      "least_height", "1", 0.7, "Least height of a triangle over the edge; heights are log-uniform down to it.");
  least_height.maximum = 1.0;
  return {"hinge_samples",
          "Pairs of triangles across an edge that share no vertex, folded at the start.",
          {whole("count", 100, 1.0, "Number of shapes."),
           choice_parameter("copies", "none", {"none", "loop", "combinations"},
                            "Of a shape one hinge; or several along a closed curve of states; or five, with two "
                            "velocities, their combination, at rest, and displaced half as far again."),
           whole("loop_points", 128, 4.0, "Hinges along a closed curve."),
           choice_parameter("angles", "uniform", {"uniform", "decades", "even", "rest"},
                            "At the start: uniform in ±2.5; every decade of the angle and of its distance from π "
                            "alike; evenly from −π to π; those at rest."),
           positive_parameter("least_angle_rad", "rad", 1e-9, "Least angle of the decades."),
           positive_parameter("least_gap_rad", "rad", 1e-6, "Least distance from π of the decades."),
           positive_parameter("edge_m", "m", 1.0, "Length of the edge at rest."), least_height,
           non_negative_parameter("in_plane_strain", "1", 0.0, "Largest log strain and shear, random, at the start."),
           non_negative_parameter("displacement", "1", 0.0, "Deviation of the copies' displacements over the edge."),
           non_negative_parameter("rest_fold_rad", "rad", 0.0, "Largest angle at rest, random."),
           non_negative_parameter("speed_m_s", "m/s", 0.0, "Deviation of random velocities at the start."),
           vector_parameter("offset_m", "m", {0, 0, 0}, "Added to all start positions."),
           positive_parameter("area_density_kg_m2", "kg/m^2", 1.0, "Mass per area."),
           positive_parameter("time_step_s", "s", 1e-9, "Time step."), bounded_parameter(),
           seed_parameter("Seed of shapes, angles, turns.")},
          build_hinge_samples};
}

}  // namespace deformbench::scenes
