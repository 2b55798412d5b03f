// SPDX-License-Identifier: BSD-3-Clause
// Weighted means of surfels, and the projection defined by them. [AA04]
//   a(x) = Σ θ_k p_k / Σ θ_k,  n(x) = Σ θ_k n_k / |Σ θ_k n_k|,  θ_k = ω(|x − p_k| / (2.4 r_k))
#pragma once

#include <limits>
#include <optional>

#include "methods/meshless/nodes/kernels.hpp"
#include "methods/meshless/surface/surfel.hpp"

namespace deformbench::meshless {

inline constexpr double kSurfelKernelWidth = 2.4;  ///< of θ_k, in surfel radii
inline constexpr double kSurfelReach = 4.0;        ///< range of projection / largest radius

struct SurfelMean {
  Vector3 position, normal;  ///< a(x), n(x)
};

/// Means at x of the added surfels.
class SurfelMeanSum {
 public:
  explicit SurfelMeanSum(const Vector3& x) : x_(x) {}
  /// θ_k of a surfel.
  double weight(const Surfel& surfel, double radius) const {
    return mls_weight((x_ - surfel.position).norm() / (kSurfelKernelWidth * radius));
  }
  void add(const Surfel& surfel, double radius) {
    const double theta = weight(surfel, radius);
    sum_ += theta;
    position_ += theta * (surfel.position - x_);  // relative to x, so that no digits are lost far from the origin
    normal_ += theta * surfel.normal;
  }
  /// Nothing outside all kernels.
  std::optional<SurfelMean> mean() const {
    constexpr double kLeastWeight = 1e-12;  // minimum of Σ θ; below, x is at the edge of all kernels
    const double length = normal_.norm();
    if (!(sum_ > kLeastWeight && length > 0.0)) return {};
    return SurfelMean{x_ + position_ / sum_, normal_ / length};
  }

 private:
  const Vector3 x_;
  double sum_ = 0.0;
  Vector3 position_ = Vector3::Zero(), normal_ = Vector3::Zero();
};

/// Fixed point of y ← x − n(y) (n(y)·(x − a(y))), starting in the plane of `start`, the surfel nearest to x; the almost
/// orthogonal projection of [AA04]. `mean_at(y)` gives the means of the sheet's surfels. Nothing if it diverges or
/// leaves all kernels.
template <class MeanAt>
std::optional<Vector3> project_by_means(const Vector3& x, const Surfel& start, double radius, MeanAt&& mean_at) {
  constexpr int kMostIterations = 100;
  constexpr int kUndamped = 20;               // iterations before steps are halved, against oscillation
  constexpr double kProjectionError = 1e-10;  // of the last step, in radii; bounds the residual
  Vector3 y = x - start.normal * start.normal.dot(x - start.position);
  // Rounding of the coordinates themselves.
  const double rounding = 8.0 * std::numeric_limits<double>::epsilon() * x.cwiseAbs().maxCoeff();
  const double tolerance = std::max(kProjectionError * radius, rounding);
  for (int k = 0; k < kMostIterations; ++k) {
    const std::optional<SurfelMean> at = mean_at(y);
    if (!at) return {};
    const Vector3 next = x - at->normal * at->normal.dot(x - at->position);
    const Vector3 step = next - y;
    if (step.norm() <= tolerance) return next;
    y = k < kUndamped ? next : Vector3(y + 0.5 * step);
  }
  return {};
}

}  // namespace deformbench::meshless
