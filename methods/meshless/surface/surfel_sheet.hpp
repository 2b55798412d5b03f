// SPDX-License-Identifier: BSD-3-Clause
// The surface that surfels define: where the weighted mean of their normals is perpendicular to the way to the weighted
// mean of their positions. [AA04], [PKAGDG05] §3.1
//   a(x) = Σ θ_k p_k / Σ θ_k,  n(x) = Σ θ_k n_k / |Σ θ_k n_k|,  f(x) = n(x)·(x − a(x)),  θ_k = ω(|x − p_k| / H_k)
// with the spline ω of the nodes and H_k = 2.4 r_k, r_k the radius of surfel k: its variance in a plane is that of a
// Gaussian of width r. On a sphere of radius R the surface lies ½ r²/R inside, whatever the sampling.
#pragma once

#include <span>
#include <vector>

#include "methods/meshless/surface/point_grid.hpp"
#include "methods/meshless/surface/sheet.hpp"
#include "methods/meshless/surface/surfel.hpp"
#include "methods/meshless/surface/surfel_mean.hpp"

namespace deformbench::meshless {

/// Surfels are added while a crack grows; the others keep their number, and every answer is the same bit for bit as of
/// a sheet that was given all of them at once.
class SurfelSheet final : public Sheet {
 public:
  static constexpr double kKernelWidth = kSurfelKernelWidth;  ///< H_k / r_k
  static constexpr double kReach = kSurfelReach;  ///< largest radii from a surfel at which a point still projects

  /// `typical_radius` (m, > 0) sizes the cells of the search.
  explicit SurfelSheet(double typical_radius) : grid_(kKernelWidth * typical_radius) {}

  void append(const Surfel& surfel);
  std::span<const Surfel> surfels() const { return surfels_; }

  /// n(x)·(x − a(x)) of the point x itself (m), without a projection; nothing outside of all kernels.
  std::optional<double> implicit_value(const Vector3& x) const;

  /// The points y with f(y) = 0 and x − y along n(y), by the fixed point y ← x − n(y) (n(y)·(x − a(y))) that starts in
  /// the nearest surfel's plane ([AA04], the almost orthogonal projection). It converges while x is nearer than the
  /// least radius of curvature; nothing where it does not, where no surfel is within kReach radii, and where y leaves
  /// all kernels, beyond a border of the sheet.
  std::optional<Vector3> project(const Vector3& x) const override;
  std::optional<double> signed_distance(const Vector3& x) const override;
  /// n(x); where no kernel reaches, the normal of the nearest surfel within reach. Throws std::invalid_argument where
  /// there is none either.
  Vector3 normal(const Vector3& on_sheet) const override;
  /// Where f changes its sign within the splat of a surfel: ahead of the outermost splats there is no sheet. From
  /// either side. Steps are a fifth of the least radius: two crossings closer than that may be missed.
  std::optional<double> first_hit(const Vector3& a, const Vector3& b) const override;

 private:
  std::optional<SurfelMean> mean(const Vector3& x) const;
  /// Index of the nearest surfel within kReach largest radii, or -1.
  int nearest(const Vector3& x) const;
  bool is_in_a_splat(const Vector3& x, std::span<const int> candidates) const;
  /// Indices of surfels whose ball meets the segment, ascending.
  std::vector<int> near_segment(const Vector3& a, const Vector3& b) const;
  std::optional<double> crossing_in(const Vector3& a, const Vector3& b, double from, double to, double step,
                                    std::span<const int> candidates) const;

  std::vector<Surfel> surfels_;
  std::vector<double> radii_;
  double largest_radius_ = 0.0;
  PointGrid grid_;
};

}  // namespace deformbench::meshless
