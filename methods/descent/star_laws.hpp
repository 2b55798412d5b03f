// SPDX-License-Identifier: BSD-3-Clause
// Laws of elasticity at one vertex: force and 3×3 block of the tetrahedra around it, one per lane. Isotropic laws do
// not change when the rest shape is rotated, so a tetrahedron with rest edges Q R (columns from the vertex, R upper
// triangular) needs only U = R⁻¹: F Q = D U, D the current edges. V: double or Pack<double, 4>. For .cpp files and
// private headers only (see lanes.hpp).
#pragma once

#include "methods/fem/nonlinear/laws/st_venant_kirchhoff.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean.hpp"
#include "methods/fem/nonlinear/laws/stable_neo_hookean_core.hpp"
#include "methods/numerics/lane_math.hpp"

namespace deformbench::numerics::detail {
template <>
struct LanesOfType<Pack<double, 4>> {
  using Scalar = double;
  using Mask = decltype(Pack<double, 4>{} < Pack<double, 4>{});
};
}  // namespace deformbench::numerics::detail

namespace deformbench::descent {

/// A tetrahedron seen from its vertex 0.
template <class V>
struct Corner {
  V f[9];            ///< F Q, column by column: entry i of column j is f[3j+i]
  V g[3];            ///< Qᵀ ∇N₀, 1/m
  V fg[3];           ///< F ∇N₀, 1/m
  V cg[3];           ///< ∂J/∂x₀, 1/m
  V squares, j, gg;  ///< F:F, det F, ∇N₀·∇N₀
  V lambda, mu;      ///< times the volume at rest, J

  /// u: U row by row, 00 01 02 11 12 22. d: x₁ − x₀, x₂ − x₀, x₃ − x₀ (m).
  DEFORMBENCH_INLINE Corner(const V u[6], const V d[9], const V& lambda_volume, const V& mu_volume)
      : lambda(lambda_volume), mu(mu_volume) {
    for (int i = 0; i < 3; ++i) {
      f[i] = u[0] * d[i];
      f[3 + i] = u[1] * d[i] + u[3] * d[3 + i];
      f[6 + i] = u[2] * d[i] + u[4] * d[3 + i] + u[5] * d[6 + i];
    }
    g[0] = -u[0], g[1] = -(u[1] + u[3]), g[2] = -(u[2] + u[4] + u[5]);
    gg = g[0] * g[0] + g[1] * g[1] + g[2] * g[2];
    for (int i = 0; i < 3; ++i) fg[i] = f[i] * g[0] + f[3 + i] * g[1] + f[6 + i] * g[2];
    squares = f[0] * f[0];
    for (int k = 1; k < 9; ++k) squares = squares + f[k] * f[k];
    // J is affine in x₀: its gradient is parallel to the area vector of the opposite face.
    V a[3], b[3];
    for (int i = 0; i < 3; ++i) a[i] = d[3 + i] - d[i], b[i] = d[6 + i] - d[i];
    const V scale = -(u[0] * u[3] * u[5]);
    cg[0] = scale * (a[1] * b[2] - a[2] * b[1]);
    cg[1] = scale * (a[2] * b[0] - a[0] * b[2]);
    cg[2] = scale * (a[0] * b[1] - a[1] * b[0]);
    j = -(d[0] * cg[0] + d[1] * cg[1] + d[2] * cg[2]);
  }
};

/// Sums over the tetrahedra of a vertex. Symmetric 3×3 matrices are six numbers: 00 11 22 01 02 12.
template <class V>
struct LocalSums {
  V force[3] = {};  ///< −∂E/∂x₀, N
  V isotropic{};    ///< factor of I in the block, N/m
  V block[6] = {};  ///< the rest of ∂²E/∂x₀²

  DEFORMBENCH_INLINE void add_force(const V& factor, const V v[3]) {
    for (int i = 0; i < 3; ++i) force[i] = force[i] - factor * v[i];
  }
  /// block += factor v vᵀ
  DEFORMBENCH_INLINE void add_outer(const V& factor, const V v[3]) {
    const V a[3] = {factor * v[0], factor * v[1], factor * v[2]};
    for (int i = 0; i < 3; ++i) block[i] = block[i] + a[i] * v[i];
    block[3] = block[3] + a[0] * v[1], block[4] = block[4] + a[0] * v[2], block[5] = block[5] + a[1] * v[2];
  }
};

/// Laws in I_C and J, whose Terms give P = shear F + volume ∂J/∂F. ∂²J/∂x₀² = 0: the block is positive semidefinite.
template <class Law>
struct InvariantStar {
  template <class V>
  static DEFORMBENCH_INLINE void add(const Corner<V>& c, LocalSums<V>& sums) {
    const typename Law::template Terms<V> terms(c.squares, c.j, c.lambda, c.mu);
    sums.add_force(terms.shear, c.fg);
    sums.add_force(terms.volume, c.cg);
    sums.isotropic = sums.isotropic + terms.shear * c.gg;
    if constexpr (Law::kHasShare) sums.add_outer(terms.share, c.fg);
    sums.add_outer(terms.l, c.cg);
  }
  static double energy(const Corner<double>& c) {
    return Law::template energy_of_invariants<double>(c.squares, c.j, c.lambda, c.mu);
  }
};

/// Ψ = μ E:E + λ/2 tr²E of the strain E = ½(FᵀF − I) − E₀, P = F S. Per volume, the block ∂²Ψ/∂x₀² is
/// (∇N·S∇N) I + (λ + μ) F∇N ⊗ F∇N + μ (∇N·∇N) F Fᵀ, which is indefinite in strong compression.
struct GreenStar {
  template <class V>
  static DEFORMBENCH_INLINE void strain(const Corner<V>& c, V e[6]) {
    const auto product = [&](int a, int b) {
      return c.f[3 * a] * c.f[3 * b] + c.f[3 * a + 1] * c.f[3 * b + 1] + c.f[3 * a + 2] * c.f[3 * b + 2];
    };
    for (int a = 0; a < 3; ++a) e[a] = 0.5 * (product(a, a) - 1.0);
    e[3] = 0.5 * product(0, 1), e[4] = 0.5 * product(0, 2), e[5] = 0.5 * product(1, 2);
  }
  /// e: Qᵀ E Q.
  template <class V>
  static DEFORMBENCH_INLINE void add(const Corner<V>& c, const V e[6], const V& lambda, const V& mu,
                                     LocalSums<V>& sums) {
    const V pressure = lambda * (e[0] + e[1] + e[2]), twice = 2.0 * mu;
    const V s[3] = {pressure * c.g[0] + twice * (e[0] * c.g[0] + e[3] * c.g[1] + e[4] * c.g[2]),
                    pressure * c.g[1] + twice * (e[3] * c.g[0] + e[1] * c.g[1] + e[5] * c.g[2]),
                    pressure * c.g[2] + twice * (e[4] * c.g[0] + e[5] * c.g[1] + e[2] * c.g[2])};  // S ∇N
    for (int a = 0; a < 3; ++a) sums.add_force(s[a], c.f + 3 * a);
    sums.isotropic = sums.isotropic + (s[0] * c.g[0] + s[1] * c.g[1] + s[2] * c.g[2]);
    sums.add_outer(lambda + mu, c.fg);
    for (int a = 0; a < 3; ++a) sums.add_outer(mu * c.gg, c.f + 3 * a);
  }
  static double energy(const double e[6], double lambda, double mu) {
    const double trace = e[0] + e[1] + e[2];
    return mu * (e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + 2.0 * (e[3] * e[3] + e[4] * e[4] + e[5] * e[5])) +
           0.5 * lambda * trace * trace;
  }
};

struct StVenantKirchhoffStar {
  template <class V>
  static DEFORMBENCH_INLINE void add(const Corner<V>& c, LocalSums<V>& sums) {
    V e[6];
    GreenStar::strain(c, e);
    GreenStar::add(c, e, c.lambda, c.mu, sums);
  }
  static double energy(const Corner<double>& c) {
    double e[6];
    GreenStar::strain(c, e);
    return GreenStar::energy(e, c.lambda, c.mu);
  }
};

}  // namespace deformbench::descent
