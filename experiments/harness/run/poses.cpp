// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/run/poses.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "experiments/harness/run/cell_setup.hpp"
#include "methods/model/error.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::harness {
namespace {

constexpr int kMostPoses = 1'000'000;

double radians(double degrees) {
  return degrees * std::numbers::pi / 180.0;
}

/// Bounding box of the rest shape: fields are meant for bars along x.
struct Box {
  explicit Box(const Scene& scene) {
    const auto& rest = scene.rest_positions();
    low = rest.colwise().minCoeff();
    high = rest.colwise().maxCoeff();
    centre = 0.5 * (low + high);
    length = high.x() - low.x();
  }
  Vector3 low, high, centre;
  double length;
};

template <class Map>
Points mapped(const Scene& scene, Map&& map) {
  Points positions = scene.rest_positions();
  for (Eigen::Index i = 0; i < positions.rows(); ++i) positions.row(i) = map(Vector3(positions.row(i))).transpose();
  return positions;
}

/// Each value of a sample field has its own stream, so that a longer list keeps the first samples.
numerics::RandomStream stream_of(double value, std::uint64_t seed) {
  if (value < 0 || value != std::floor(value))
    throw InputError(fmt::format("poses: sample {}, expected a non-negative integer", value));
  return numerics::RandomStream(seed, std::uint64_t(value));
}

Points rest_pose(const Scene& scene, const Parameters&, double, std::uint64_t) {
  return scene.rest_positions();
}

/// Pure bending: the axis becomes a circular arc of equal length; sections stay plane and normal to it.
Points bend(const Scene& scene, const Parameters&, double value, std::uint64_t) {
  const Box box(scene);
  const double total = radians(value);
  return mapped(scene, [&](const Vector3& x) -> Vector3 {
    const double s = x.x() - box.low.x(), angle = total * s / box.length, y = x.y() - box.centre.y();
    // ∫cos and ∫sin along the arc, with their limits for a straight bar.
    const double half = 0.5 * angle;
    const double chord = std::abs(half) < 1e-8 ? s : s * std::sin(half) / half;
    return {box.low.x() + chord * std::cos(half) - y * std::sin(angle),
            box.centre.y() + chord * std::sin(half) + y * std::cos(angle), x.z()};
  });
}

/// The bent bar with one coordinate perturbed by ±h: central differences of the forces at a bent pose.
Points bend_differences(const Scene& scene, const Parameters& parameters, double value, std::uint64_t seed) {
  Points positions = bend(scene, parameters, parameters.real("angle_deg"), seed);
  if (value < 0 || value != std::floor(value) || value >= 2.0 * double(positions.size()))
    throw InputError(fmt::format("poses: sample {} of bend_differences, expected an integer from 0 to {}", value,
                                 2 * positions.size() - 1));
  const auto sample = Eigen::Index(value);
  positions(sample / 6, sample / 2 % 3) += (sample % 2 == 0 ? 1.0 : -1.0) * parameters.real("step_m");
  return positions;
}

/// Sections scaled by `squash` along y, then rotated about the axis in proportion to their distance from the root.
Points squashed_and_twisted(const Scene& scene, double squash, double degrees) {
  const Box box(scene);
  return mapped(scene, [&](const Vector3& x) -> Vector3 {
    const double angle = radians(degrees) * (x.x() - box.low.x()) / box.length;
    const Vector3 arm(0, squash * (x.y() - box.centre.y()), x.z() - box.centre.z());
    return Vector3(x.x(), box.centre.y(), box.centre.z()) + Eigen::AngleAxisd(angle, Vector3::UnitX()) * arm;
  });
}

Points twist(const Scene& scene, const Parameters&, double value, std::uint64_t) {
  return squashed_and_twisted(scene, 1.0, value);
}

/// u = φ(x) x̂ × r with φ linear: torsion in linear elasticity (closed form `torsion_of_linear_fem`).
Points linear_twist(const Scene& scene, const Parameters&, double value, std::uint64_t) {
  const Box box(scene);
  return mapped(scene, [&](const Vector3& x) -> Vector3 {
    const double angle = radians(value) * (x.x() - box.low.x()) / box.length;
    return x + angle * Vector3(0, -(x.z() - box.centre.z()), x.y() - box.centre.y());
  });
}

Points rotate(const Scene& scene, const Parameters& parameters, double value, std::uint64_t) {
  const Box box(scene);
  const auto& axis = parameters.list("axis");
  const Vector3 direction(axis[0], axis[1], axis[2]);
  if (!(direction.norm() > 0)) throw InputError("poses: 'axis' of rotate is zero, expected a direction");
  const Matrix3 rotation = Eigen::AngleAxisd(radians(value), direction.normalized()).toRotationMatrix();
  return mapped(scene, [&](const Vector3& x) -> Vector3 { return box.centre + rotation * (x - box.centre); });
}

Points random_rigid(const Scene& scene, const Parameters& parameters, double value, std::uint64_t seed) {
  const Box box(scene);
  auto random = stream_of(value, seed);
  const Matrix3 rotation = random.rotation();
  const double deviation = parameters.real("translation_m");
  const Vector3 shift = deviation * Vector3(random.normal(), random.normal(), random.normal());
  return mapped(scene, [&](const Vector3& x) -> Vector3 { return box.centre + shift + rotation * (x - box.centre); });
}

Points random_positions(const Scene& scene, const Parameters& parameters, double value, std::uint64_t seed) {
  auto random = stream_of(value, seed);
  Points positions = scene.rest_positions();
  for (Eigen::Index i = 0; i < positions.size(); ++i)
    positions.data()[i] += parameters.real("deviation_m") * random.normal();
  return positions;
}

Points random_turns(const Scene& scene, const Parameters& parameters, double value, std::uint64_t seed) {
  const Tetrahedra& tetrahedra = scene.tet_mesh.tetrahedra;
  if (tetrahedra.size() != scene.vertex_count())
    throw InputError("poses: random_turns moves each tetrahedron by itself, expected tetrahedra that share no vertex");
  auto random = stream_of(value, seed);
  Points positions = scene.rest_positions();
  for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e) {
    Eigen::Matrix<double, 4, 3> corners;
    for (int k = 0; k < 4; ++k) corners.row(k) = scene.rest_positions().row(tetrahedra(e, k));
    const Eigen::RowVector3d centre = corners.colwise().mean();
    double longest = 0.0;
    for (int a = 1; a < 4; ++a)
      for (int b = 0; b < a; ++b) longest = std::max(longest, (corners.row(a) - corners.row(b)).norm());
    const Matrix3 rotation = random.rotation();
    const double deviation = parameters.real("deviation") * longest;
    for (int k = 0; k < 4; ++k) {
      const Eigen::RowVector3d noise(random.normal(), random.normal(), random.normal());
      positions.row(tetrahedra(e, k)) = centre + (corners.row(k) - centre) * rotation.transpose() + deviation * noise;
    }
  }
  return positions;
}

Points random_affine(const Scene& scene, const Parameters& parameters, double value, std::uint64_t seed) {
  const Box box(scene);
  auto random = stream_of(value, seed);
  Matrix3 gradient = Matrix3::Identity();
  for (int i = 0; i < 9; ++i) gradient(i / 3, i % 3) += parameters.real("deviation") * random.normal();
  return mapped(scene, [&](const Vector3& x) -> Vector3 { return box.centre + gradient * (x - box.centre); });
}

Points scaled(const Scene& scene, const Vector3& factors) {
  const Box box(scene);
  return mapped(scene, [&](const Vector3& x) -> Vector3 { return box.centre + factors.cwiseProduct(x - box.centre); });
}

Points stretch(const Scene& scene, const Parameters& parameters, double value, std::uint64_t) {
  const double lateral = 1.0 - parameters.real("lateral_ratio") * (value - 1.0);
  return scaled(scene, {value, lateral, lateral});
}

Points dilate(const Scene& scene, const Parameters&, double value, std::uint64_t) {
  return scaled(scene, Vector3::Constant(value));
}

Points squash(const Scene& scene, const Parameters& parameters, double value, std::uint64_t) {
  const double twist = parameters.real("twist_deg");
  return twist == 0.0 ? scaled(scene, {1, value, 1}) : squashed_and_twisted(scene, value, twist);
}

Points shear(const Scene& scene, const Parameters&, double value, std::uint64_t) {
  const Box box(scene);
  return mapped(scene, [&](const Vector3& x) -> Vector3 {
    return {x.x() + value * (x.y() - box.centre.y()), x.y(), x.z()};
  });
}

ParameterInfo deviation(std::string name, std::string unit, double value, std::string doc) {
  ParameterInfo info{std::move(name), std::move(unit), value, std::move(doc)};
  info.minimum = 0.0;
  return info;
}

ParameterInfo axis_parameter() {
  ParameterInfo info{"axis", "1", std::vector<double>{0, 0, 1}, "Direction of the axis."};
  info.length = 3;
  return info;
}

const PoseField& field_named(const std::string& id) {
  for (const auto& field : pose_fields())
    if (field.id == id) return field;
  std::vector<std::string> known;
  for (const auto& field : pose_fields()) known.push_back(field.id);
  throw InputError(fmt::format("poses: field '{}' is unknown, expected one of {}", id, fmt::join(known, ", ")));
}

}  // namespace

const std::vector<PoseField>& pose_fields() {
  static const std::vector<PoseField> fields{
      {"rest", "not used", "The rest positions.", {}, rest_pose},
      {"bend", "total angle, deg", "The bar's axis as a circular arc in the xy plane, root kept.", {}, bend},
      {"bend_differences",
       "sample number",
       "The bent bar with coordinate k/2, counted vertex by vertex, moved up (k even) or down (k odd).",
       {{"angle_deg", "deg", 0.0, "Total angle of the bend."},
        deviation("step_m", "m", 1e-6, "How far the coordinate is moved.")},
       bend_differences},
      {"twist", "total angle, deg", "Sections turned about the bar's axis in proportion to x.", {}, twist},
      {"linear_twist", "total angle, deg", "The same to first order: u = φ(x) x̂ × r.", {}, linear_twist},
      {"rotate", "angle, deg", "The whole body turned about its centre.", {axis_parameter()}, rotate},
      {"random_rigid",
       "sample number",
       "A uniformly random rotation about the centre and a random translation.",
       {deviation("translation_m", "m", 1.0, "Standard deviation of each component of the translation.")},
       random_rigid},
      {"random_positions",
       "sample number",
       "Every coordinate displaced at random.",
       {deviation("deviation_m", "m", 0.1, "Standard deviation of the displacement of every coordinate.")},
       random_positions},
      {"random_turns",
       "sample number",
       "Every tetrahedron turned at random about its centre, and its corners displaced; of tetrahedra that share no "
       "vertex.",
       {deviation("deviation", "1", 0.1,
                  "Standard deviation of the displacement of every coordinate, in longest edges of the element.")},
       random_turns},
      {"random_affine",
       "sample number",
       "One random affine map about the centre.",
       {deviation("deviation", "1", 0.3, "Standard deviation of the entries of F − I.")},
       random_affine},
      {"stretch",
       "stretch along x",
       "Homogeneous stretch about the centre.",
       {{"lateral_ratio", "1", 0.0, "Lateral contraction per axial strain."}},
       stretch},
      {"dilate", "factor", "The same factor on all coordinates, about the centre.", {}, dilate},
      {"squash",
       "factor along y",
       "0 is flat, negative inverted; then twisted about x.",
       {{"twist_deg", "deg", 0.0, "Angle between the ends after squashing, about the bar's axis."}},
       squash},
      {"shear", "γ", "Simple shear x += γ y.", {}, shear},
  };
  return fields;
}

PoseSequence::PoseSequence(const nlohmann::json& poses) : field_(&field_named(poses.at("field").get<std::string>())) {
  const std::string owner = "pose field " + field_->id;
  parameters_ = Parameters(field_->parameters,
                           parameter_values(poses.value("parameters", nlohmann::json::object()), owner), owner);
  const auto values = poses.value("values", nlohmann::json());
  const bool is_list = values.is_array() && !values.empty() &&
                       std::all_of(values.begin(), values.end(), [](const auto& v) { return v.is_number(); });
  if (is_list) {
    values_ = values.get<std::vector<double>>();
  } else if (values.is_object() && values.size() == 1 && values.contains("count") &&
             values["count"].is_number_integer() && values["count"].get<double>() > 0 &&
             values["count"].get<double>() <= kMostPoses) {
    for (long long k = 0; k < values["count"].get<long long>(); ++k) values_.push_back(double(k));
  } else {
    throw InputError(
        fmt::format("poses: 'values' is {}, expected a list of numbers or {{\"count\": n}} with n at most {}",
                    values.dump(), kMostPoses));
  }
}

Points PoseSequence::positions(const Scene& scene, std::size_t index, std::uint64_t seed) const {
  if (scene.vertex_count() == 0)
    throw InputError(fmt::format("poses: scene '{}' has no vertices, expected a deformable body", scene.name));
  return field_->positions(scene, parameters_, values_.at(index), seed);
}

}  // namespace deformbench::harness
