// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/surface/surfel_motion.hpp"

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <utility>

namespace deformbench::meshless {
namespace {

constexpr double kInwards = 1e-6;  ///< offset into the solid from which a surfel sees nodes, in its radii

Vector3 moved(const Vector3& x, const Points& rest, std::span<const int> nodes, std::span<const double> weights,
              const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients) {
  Vector3 sum = Vector3::Zero();
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const Vector3 from = x - rest.row(nodes[k]).transpose();
    sum += weights[k] * (u.row(nodes[k]).transpose() + gradients[std::size_t(nodes[k])] * from);
  }
  return sum;
}

}  // namespace

SurfelMotion::SurfelMotion(const Points& rest, std::vector<double> supports, const WeightRule& rule)
    : rest_(rest),
      supports_(std::move(supports)),
      rule_(rule),
      largest_support_(*std::max_element(supports_.begin(), supports_.end())),
      grid_(largest_support_) {
  for (Eigen::Index i = 0; i < rest_.rows(); ++i) grid_.append(rest_.row(i));
}

Vector3 SurfelMotion::inwards(const Surfel& surfel) {
  return -kInwards * surfel.radius() * surfel.normal;
}

std::vector<int> SurfelMotion::nodes_about(const Vector3& x) const {
  std::vector<int> found;
  grid_.for_cells_of({x.array() - largest_support_, x.array() + largest_support_}, [&](int j) {
    if ((rest_.row(j).transpose() - x).norm() < supports_[std::size_t(j)]) found.push_back(j);
  });
  std::sort(found.begin(), found.end());
  return found;
}

int SurfelMotion::nearest_node(const Vector3& x) const {
  Eigen::Index nearest = 0;
  (rest_.rowwise() - x.transpose()).rowwise().squaredNorm().minCoeff(&nearest);
  return int(nearest);
}

/// [PKAGDG05] §3.2, weights of §2.1 between a surfel and a node, with the node's support.
double SurfelMotion::weight_of(const Vector3& x, const Vector3& towards, const CrackGeometry* cracks, int node) const {
  const Vector3 at = rest_.row(node);
  const auto depth = cracks != nullptr ? cracks->crossing_depth(x + towards, at) : std::nullopt;
  return rule_.weight((x - at).norm(), supports_[std::size_t(node)], depth);
}

void SurfelMotion::weigh(const Vector3& x, const Vector3& towards, const CrackGeometry* cracks, Range& range) const {
  range.plain.clear();
  for (const int j : range.nodes) range.plain.push_back(weight_of(x, towards, cracks, j));
  normalise(range);
}

void SurfelMotion::normalise(Range& range) {
  double sum = 0.0;
  for (const double weight : range.plain) sum += weight;
  range.is_unseen = !(sum > 0.0);
  range.weights = range.plain;
  for (double& weight : range.weights) weight = range.is_unseen ? 0.0 : weight / sum;
}

SurfelMotion::Counts SurfelMotion::append(std::span<const Surfel> surfels, const CrackGeometry* cracks) {
  Counts counts;
  for (const Surfel& surfel : surfels) {
    Range range{nodes_about(surfel.position), {}, {}};
    weigh(surfel.position, inwards(surfel), cracks, range);
    counts.surfels += 1;
    counts.pairs += std::int64_t(range.nodes.size());
    surfels_.push_back(surfel);
    ranges_.push_back(std::move(range));
  }
  return counts;
}

SurfelMotion::Counts SurfelMotion::renew_nodes(const Points& rest, std::vector<double> supports,
                                               const CrackGeometry& cracks) {
  SurfelMotion renewed(rest, std::move(supports), rule_);
  std::vector<bool> is_kept(std::size_t(rest.rows()), false);
  for (Eigen::Index j = 0; j < std::min(rest.rows(), rest_.rows()); ++j)
    is_kept[std::size_t(j)] =
        rest.row(j) == rest_.row(j) && renewed.supports_[std::size_t(j)] == supports_[std::size_t(j)];
  Counts counts;
  for (std::size_t s = 0; s < surfels_.size(); ++s) {
    const Surfel& surfel = surfels_[s];
    const Range& old = ranges_[s];
    Range range{renewed.nodes_about(surfel.position), {}, {}};
    for (const int j : range.nodes) {
      if (is_kept[std::size_t(j)]) {  // also in the old range
        const auto at = std::lower_bound(old.nodes.begin(), old.nodes.end(), j) - old.nodes.begin();
        range.plain.push_back(old.plain[std::size_t(at)]);
        continue;
      }
      range.plain.push_back(renewed.weight_of(surfel.position, inwards(surfel), &cracks, j));
      counts.pairs += 1;
    }
    normalise(range);
    counts.surfels += 1;
    renewed.ranges_.push_back(std::move(range));
  }
  renewed.surfels_ = std::move(surfels_);
  *this = std::move(renewed);
  return counts;
}

SurfelMotion::Counts SurfelMotion::update(const CrackGeometry& cracks, std::span<const numerics::Box> advanced) {
  Counts counts;
  if (advanced.empty()) return counts;
  numerics::Box all = advanced.front();  // most surfels are far from all boxes
  for (const numerics::Box& box : advanced) all = {all.low.cwiseMin(box.low), all.high.cwiseMax(box.high)};
  const double reach = largest_support_ + rule_.separating_depth(largest_support_);
  all = {all.low.array() - reach, all.high.array() + reach};
  for (std::size_t s = 0; s < surfels_.size(); ++s) {
    const Vector3 x = surfels_[s].position + inwards(surfels_[s]);
    if (!overlap(all, numerics::Box{x, x})) continue;
    Range& range = ranges_[s];
    const std::int64_t before = counts.pairs;
    for (std::size_t k = 0; k < range.nodes.size(); ++k) {
      const int j = range.nodes[k];
      const Vector3 node = rest_.row(j);
      const double margin = rule_.separating_depth(supports_[std::size_t(j)]);
      const numerics::Box pair{x.cwiseMin(node).array() - margin, x.cwiseMax(node).array() + margin};
      if (std::none_of(advanced.begin(), advanced.end(), [&](const auto& box) { return overlap(pair, box); })) continue;
      range.plain[k] = weight_of(surfels_[s].position, inwards(surfels_[s]), &cracks, j);
      counts.pairs += 1;
    }
    if (counts.pairs == before) continue;
    normalise(range);
    counts.surfels += 1;
  }
  return counts;
}

/// [MKNPGA04] moves the ends of the axes; here F maps them, and its cofactor maps the normal: F⁻ᵀ n up to length, also
/// for singular F.
std::vector<Surfel> SurfelMotion::carried(const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients) const {
  std::vector<Surfel> result;
  result.reserve(surfels_.size());
  for (std::size_t s = 0; s < surfels_.size(); ++s) {
    const Surfel& surfel = surfels_[s];
    const Range& range = ranges_[s];
    const int alone[] = {range.is_unseen ? nearest_node(surfel.position) : -1};
    const double whole[] = {1.0};
    const std::span<const int> nodes = range.is_unseen ? std::span<const int>(alone) : range.nodes;
    const std::span<const double> weights = range.is_unseen ? std::span<const double>(whole) : range.weights;
    Matrix3 f = Matrix3::Identity();
    for (std::size_t k = 0; k < nodes.size(); ++k) f += weights[k] * gradients[std::size_t(nodes[k])];
    Matrix3 cofactor;
    cofactor << f.col(1).cross(f.col(2)), f.col(2).cross(f.col(0)), f.col(0).cross(f.col(1));
    const Vector3 normal = cofactor * surfel.normal;
    const double length = normal.norm();
    result.push_back({surfel.position + moved(surfel.position, rest_, nodes, weights, u, gradients),
                      length > 0.0 ? Vector3(normal / length) : surfel.normal, f * surfel.axis_u, f * surfel.axis_v});
  }
  return result;
}

Vector3 SurfelMotion::displacement_at(const Vector3& x, const Vector3& towards, const CrackGeometry* cracks,
                                      const Eigen::Ref<const Points>& u, std::span<const Matrix3> gradients) const {
  Range range{nodes_about(x), {}, {}};
  weigh(x, towards, cracks, range);
  if (range.is_unseen) range = {{nearest_node(x)}, {1.0}, {1.0}};
  return moved(x, rest_, range.nodes, range.weights, u, gradients);
}

Matrix3 SurfelMotion::gradient_at(const Vector3& x, const CrackGeometry* cracks,
                                  std::span<const Matrix3> gradients) const {
  Range range{nodes_about(x), {}, {}};
  weigh(x, Vector3::Zero(), cracks, range);
  if (range.is_unseen) range = {{nearest_node(x)}, {1.0}, {1.0}};
  Matrix3 f = Matrix3::Identity();
  for (std::size_t k = 0; k < range.nodes.size(); ++k) f += range.weights[k] * gradients[std::size_t(range.nodes[k])];
  return f;
}

std::span<const int> SurfelMotion::nodes_of(std::size_t surfel) const {
  return ranges_[surfel].nodes;
}

std::span<const double> SurfelMotion::weights_of(std::size_t surfel) const {
  return ranges_[surfel].weights;
}

std::int64_t SurfelMotion::unseen_count() const {
  return std::count_if(ranges_.begin(), ranges_.end(), [](const Range& range) { return range.is_unseen; });
}

std::vector<int> pieces_of_surfels(const SurfelMotion& motion, const std::vector<int>& pieces) {
  std::vector<int> found(motion.surfels().size(), -1);
  for (std::size_t s = 0; s < found.size(); ++s) {
    const auto weights = motion.weights_of(s);
    const auto largest = std::max_element(weights.begin(), weights.end());
    if (largest == weights.end() || !(*largest > 0.0)) continue;
    found[s] = pieces[std::size_t(motion.nodes_of(s)[std::size_t(largest - weights.begin())])];
  }
  return found;
}

}  // namespace deformbench::meshless
