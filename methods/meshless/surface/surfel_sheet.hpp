// SPDX-License-Identifier: BSD-3-Clause
// Surface defined by surfels: points where the weighted mean normal is perpendicular to the vector to the weighted mean
// position. [AA04], [PKAGDG05] §3.1
//   a(x) = Σ θ_k p_k / Σ θ_k,  n(x) = Σ θ_k n_k / |Σ θ_k n_k|,  f(x) = n(x)·(x − a(x)),  θ_k = ω(|x − p_k| / H_k)
// with the spline ω of the nodes and H_k = 2.4 r_k, r_k the radius of surfel k: its in-plane variance is about that
// of exp(−d²/r²). On a sphere of radius R the surface lies about ½ r²/R inside, for any sampling.
#pragma once

#include <span>
#include <vector>

#include "methods/meshless/surface/point_grid.hpp"
#include "methods/meshless/surface/sheet.hpp"
#include "methods/meshless/surface/surfel.hpp"
#include "methods/meshless/surface/surfel_mean.hpp"

namespace deformbench::meshless {

/// Surfels can be appended as a crack grows; existing ones keep their number. Results are bitwise equal to those of a
/// sheet built at once.
class SurfelSheet final : public Sheet {
 public:
  static constexpr double kKernelWidth = kSurfelKernelWidth;  ///< H_k / r_k
  static constexpr double kReach = kSurfelReach;              ///< range of projection / largest radius

  /// `typical_radius` (m, > 0) determines the cell size of the search grid.
  explicit SurfelSheet(double typical_radius) : grid_(kKernelWidth * typical_radius) {}

  void append(const Surfel& surfel);
  std::span<const Surfel> surfels() const { return surfels_; }

  /// n(x)·(x − a(x)) at x (m), without projection; nothing outside all kernels.
  std::optional<double> implicit_value(const Vector3& x) const;

  /// The y with f(y) = 0 and x − y along n(y), by the fixed-point iteration y ← x − n(y) (n(y)·(x − a(y))) from the
  /// nearest surfel's plane ([AA04], almost orthogonal projection). Converges closer to the sheet than its smallest
  /// radius of curvature. Nothing if it diverges, no surfel is within kReach largest radii, or y leaves all kernels.
  std::optional<Vector3> project(const Vector3& x) const override;
  std::optional<double> signed_distance(const Vector3& x) const override;
  /// n(x); outside all kernels, the normal of the nearest surfel within reach. Throws std::invalid_argument if there is
  /// none.
  Vector3 normal(const Vector3& on_sheet) const override;
  /// First sign change of f within a splat, from either side; beyond the outermost splats there is no sheet. Steps are
  /// a fifth of the smallest radius: two closer crossings may be missed.
  std::optional<double> first_hit(const Vector3& a, const Vector3& b) const override;

 private:
  std::optional<SurfelMean> mean(const Vector3& x) const;
  /// Index of the nearest surfel within kReach largest radii, or -1.
  int nearest(const Vector3& x) const;
  bool is_in_a_splat(const Vector3& x, std::span<const int> candidates) const;
  /// Indices of surfels whose ball intersects the segment, ascending.
  std::vector<int> near_segment(const Vector3& a, const Vector3& b) const;
  std::optional<double> crossing_in(const Vector3& a, const Vector3& b, double from, double to, double step,
                                    std::span<const int> candidates) const;

  std::vector<Surfel> surfels_;
  std::vector<double> radii_;
  double largest_radius_ = 0.0;
  PointGrid grid_;
};

}  // namespace deformbench::meshless
