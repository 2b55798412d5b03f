// SPDX-License-Identifier: BSD-3-Clause
// Weighted means of surfels, and the projection that they define. [AA04]
//   a(x) = Σ θ_k p_k / Σ θ_k,  n(x) = Σ θ_k n_k / |Σ θ_k n_k|,  θ_k = ω(|x − p_k| / (2.4 r_k))
#pragma once

#include <limits>
#include <optional>

#include "methods/meshless/kernels.hpp"
#include "methods/meshless/surface/surfel.hpp"

namespace deformbench::meshless {

inline constexpr double kSurfelKernelWidth = 2.4;  ///< of θ_k over the radius of the surfel
inline constexpr double kSurfelReach = 4.0;        ///< largest radii from a surfel at which a point still projects

struct SurfelMean {
  Vector3 position, normal;  ///< a(x), n(x)
};

/// The means at x of the surfels that are added to it.
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
    position_ += theta * (surfel.position - x_);  // small numbers: no digits are lost far from the origin
    normal_ += theta * surfel.normal;
  }
  /// Nothing outside of all kernels.
  std::optional<SurfelMean> mean() const {
    constexpr double kLeastWeight = 1e-12;  // of Σ θ: less is the very edge of a kernel, whose mean is that one surfel
    const double length = normal_.norm();
    if (!(sum_ > kLeastWeight && length > 0.0)) return {};
    return SurfelMean{x_ + position_ / sum_, normal_ / length};
  }

 private:
  const Vector3 x_;
  double sum_ = 0.0;
  Vector3 position_ = Vector3::Zero(), normal_ = Vector3::Zero();
};

/// The fixed point of y ← x − n(y) (n(y)·(x − a(y))) that starts in the plane of `start`, the surfel nearest to x; the
/// almost orthogonal projection of [AA04]. `mean_at(y)` gives the means of all surfels of the sheet. Nothing where it
/// does not converge, or leaves all kernels.
template <class MeanAt>
std::optional<Vector3> project_by_means(const Vector3& x, const Surfel& start, double radius, MeanAt&& mean_at) {
  constexpr int kMostIterations = 100;
  constexpr int kUndamped = 20;               // iterations before steps are halved, for points that swing
  constexpr double kProjectionError = 1e-10;  // of the last step, in radii: the residual is at most this
  Vector3 y = x - start.normal * start.normal.dot(x - start.position);
  // Coordinates themselves have no more digits than this.
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
