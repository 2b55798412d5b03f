// SPDX-License-Identifier: BSD-3-Clause
// Corrections of N neo-Hookean tetrahedra at once, as in local_step.cpp. The material axes of each tetrahedron are the
// eigenvectors of its mobility g, which the isotropic law permits: g is the diagonal d there. For .cpp files only (see
// lanes.hpp).
#pragma once

#include "methods/pbd/sweeps/lane_math.hpp"
#include "methods/work.hpp"

namespace deformbench::pbd {

/// Entries (i, k): spatial axis i, material axis k.
template <int N>
struct LaneMatrix {
  Pack<double, N> at[3][3];
};

/// State and constants of N tetrahedra, with the meanings of LocalLaw, LocalMobility and Multipliers.
template <int N>
struct LaneStep {
  using P = Pack<double, N>;
  P d[3], root[3], root_inverse[3];  ///< root² = d
  P mu, lambda;                      ///< both times V Δt²
  LaneMatrix<N> f;
  LaneMatrix<N> applied;      ///< newton only
  P deviatoric, hydrostatic;  ///< multipliers; the linearised corrections only
};

#define DEFORMBENCH_FOR3(k) _Pragma("GCC unroll 3") for (int k = 0; k < 3; ++k)

template <int N>
DEFORMBENCH_INLINE LaneMatrix<N> lane_cofactors(const LaneMatrix<N>& f) {
  LaneMatrix<N> c;
  DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) {
    const int j = (i + 1) % 3, l = (i + 2) % 3, p = (k + 1) % 3, q = (k + 2) % 3;
    c.at[i][k] = f.at[j][p] * f.at[l][q] - f.at[j][q] * f.at[l][p];
  }
  return c;
}

/// a:(b g)
template <int N>
DEFORMBENCH_INLINE Pack<double, N> lane_product(const LaneMatrix<N>& a, const LaneMatrix<N>& b,
                                                const Pack<double, N>* d) {
  Pack<double, N> sum{};
  DEFORMBENCH_FOR3(k) {
    sum += d[k] * (a.at[0][k] * b.at[0][k] + (a.at[1][k] * b.at[1][k] + a.at[2][k] * b.at[2][k]));
  }
  return sum;
}

template <int N>
DEFORMBENCH_INLINE Pack<double, N> lane_square(const LaneMatrix<N>& a) {
  Pack<double, N> sum{};
  DEFORMBENCH_FOR3(k) sum += a.at[0][k] * a.at[0][k] + (a.at[1][k] * a.at[1][k] + a.at[2][k] * a.at[2][k]);
  return sum;
}

/// Row 0 of a times row 0 of b: det F if b are the cofactors of a = F.
template <int N>
DEFORMBENCH_INLINE Pack<double, N> first_rows(const LaneMatrix<N>& a, const LaneMatrix<N>& b) {
  return a.at[0][0] * b.at[0][0] + (a.at[0][1] * b.at[0][1] + a.at[0][2] * b.at[0][2]);
}

/// Correction S of `one_by_one` or `coupled`; updates the multipliers, and F if one by one.
template <int N, bool is_coupled>
DEFORMBENCH_INLINE LaneMatrix<N> linearised_change(LaneStep<N>& step) {
  using P = Pack<double, N>;
  const P norm = square_root<double, N>(lane_square(step.f));
  const P inverse_norm = norm > 0.0 ? 1.0 / norm : P{};
  const P soft = 1.0 / step.mu, bulk = 1.0 / step.lambda;
  const P ratio = step.mu / step.lambda;
  LaneMatrix<N> direction, change;
  DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) direction.at[i][k] = step.f.at[i][k] * inverse_norm;
  const P deviatoric = -norm - soft * step.deviatoric;
  if constexpr (is_coupled) {
    const LaneMatrix<N> cofactor = lane_cofactors(step.f);
    const P hydrostatic = -(first_rows(step.f, cofactor) - 1.0 - ratio) - bulk * step.hydrostatic;
    const P sum = lane_product(cofactor, cofactor, step.d) + bulk;
    const P share = lane_product(direction, cofactor, step.d) / sum;
    LaneMatrix<N> across;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) across.at[i][k] = direction.at[i][k] - share * cofactor.at[i][k];
    const P schur = soft + lane_product(across, across, step.d) + share * share * bulk;
    const P first = (deviatoric - share * hydrostatic) / schur, second = hydrostatic / sum;
    step.deviatoric += first;
    step.hydrostatic += second - share * first;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) change.at[i][k] = first * across.at[i][k] + second * cofactor.at[i][k];
  } else {
    const P first = deviatoric / (lane_product(direction, direction, step.d) + soft);
    step.deviatoric += first;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) step.f.at[i][k] += first * direction.at[i][k] * step.d[k];
    const LaneMatrix<N> cofactor = lane_cofactors(step.f);
    const P value = first_rows(step.f, cofactor) - 1.0 - ratio;
    const P second = (-value - bulk * step.hydrostatic) / (lane_product(cofactor, cofactor, step.d) + bulk);
    step.hydrostatic += second;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) change.at[i][k] = first * direction.at[i][k] + second * cofactor.at[i][k];
  }
  return change;
}

template <int N>
using LaneMask = decltype(Pack<double, N>{} < Pack<double, N>{});

template <int N>
DEFORMBENCH_INLINE bool all_set(LaneMask<N> mask) {
  auto every = mask[0];
  for (int k = 1; k < N; ++k) every &= mask[k];
  return every != 0;
}

/// local_system and its solution: z of (I + root K root) z = right, unknown 3i + k. `own`: the diagonal;
/// `along`: root ∂J/∂F; `turned`: curvature times adj(root) F. Returns the lanes with a positive definite system.
template <int N>
DEFORMBENCH_INLINE LaneMask<N> solve_local(const Pack<double, N> own[3], Pack<double, N> lambda,
                                           const LaneMatrix<N>& along, const LaneMatrix<N>& turned,
                                           const LaneMatrix<N>& right, LaneMatrix<N>& z) {
  using P = Pack<double, N>;
  P lower[9][9], scaled[9][9], inverse[9], y[9];  // LDLᵀ: `scaled` is L D
  LaneMask<N> is_definite = P{} < 1.0;
#pragma GCC unroll 9
  for (int r = 0; r < 9; ++r) {
    const int i = r / 3, p = r % 3;
    const P weighted = lambda * along.at[i][p];
#pragma GCC unroll 9
    for (int s = 0; s <= r; ++s) {
      const int j = s / 3, q = s % 3;
      P entry = weighted * along.at[j][q];
      if (r == s) entry += own[p];
      if (i != j && p != q) {
        // Blocks [f2]× at (1, 0), [f0]× at (2, 1), −[f1]× at (2, 0); [v]× has v_t at (t + 2, t + 1) modulo 3.
        const P value = turned.at[3 - i - j][3 - p - q];
        entry += ((i - j == 1) == ((p - q + 3) % 3 == 1)) ? value : -value;
      }
#pragma GCC unroll 9
      for (int t = 0; t < s; ++t) entry -= scaled[r][t] * lower[s][t];
      if (r == s) {
        is_definite &= entry > 0.0;
        inverse[r] = 1.0 / entry;
      } else {
        scaled[r][s] = entry;
        lower[r][s] = entry * inverse[s];
      }
    }
    P sum = right.at[i][p];
#pragma GCC unroll 9
    for (int t = 0; t < r; ++t) sum -= lower[r][t] * y[t];
    y[r] = sum;
  }
  P all{};
#pragma GCC unroll 9
  for (int r = 8; r >= 0; --r) {
    P sum = y[r] * inverse[r];
#pragma GCC unroll 9
    for (int t = r + 1; t < 9; ++t) sum -= lower[t][r] * y[t];
    y[r] = sum;
    z.at[r / 3][r % 3] = sum;
    all += sum;
  }
  return is_definite & (all - all == 0.0);
}

/// NeoHookean::energy times V Δt².
template <int N>
DEFORMBENCH_INLINE Pack<double, N> lane_energy(const LaneStep<N>& step, const LaneMatrix<N>& f) {
  using P = Pack<double, N>;
  LaneMatrix<N> h = f;
  DEFORMBENCH_FOR3(i) h.at[i][i] -= 1.0;
  const LaneMatrix<N> cofactor = lane_cofactors(h);
  const P trace = h.at[0][0] + h.at[1][1] + h.at[2][2];
  const P second = cofactor.at[0][0] + cofactor.at[1][1] + cofactor.at[2][2], determinant = first_rows(h, cofactor);
  const P growth = trace + second + determinant;
  return step.mu * (0.5 * lane_square(h) - second - determinant) + 0.5 * step.lambda * growth * growth;
}

template <int N>
DEFORMBENCH_INLINE int lanes_in(LaneMask<N> mask) {
  int count = 0;
  for (int k = 0; k < N; ++k) count += mask[k] != 0;
  return count;
}

/// newton_change; lanes without a tetrahedron add nothing to `work`.
template <int N>
DEFORMBENCH_INLINE LaneMatrix<N> newton_lanes(const LaneStep<N>& step, Work& work) {
  using P = Pack<double, N>;
  const LaneMask<N> is_real = step.root[0] + (step.root[1] + step.root[2]) > 0.0;
  const int lanes = lanes_in<N>(is_real);
  work.local_solves += lanes, work.energies += lanes;
  const LaneMatrix<N> cofactor = lane_cofactors(step.f);
  const P volume = step.lambda * (first_rows(step.f, cofactor) - 1.0) - step.mu, square = lane_square(step.f);
  const P adjugate[3] = {step.root[1] * step.root[2], step.root[2] * step.root[0], step.root[0] * step.root[1]};
  LaneMatrix<N> residual, along, turned, right, z;
  DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) {
    residual.at[i][k] = -(step.mu * step.f.at[i][k] + volume * cofactor.at[i][k]) - step.applied.at[i][k];
    along.at[i][k] = step.root[k] * cofactor.at[i][k];
    turned.at[i][k] = volume * (adjugate[k] * step.f.at[i][k]);
    right.at[i][k] = step.root[k] * residual.at[i][k];
  }
  P own[3];
  DEFORMBENCH_FOR3(k) own[k] = 1.0 + step.mu * step.d[k];
  LaneMask<N> is_solved = solve_local<N>(own, step.lambda, along, turned, right, z);
  // As in newton_change: more shear, then an upper bound.
  constexpr double kMoreShear[] = {0.0625, 0.25, 1.0};
  for (int attempt = 0; attempt <= 3 && !all_set<N>(is_solved); ++attempt) {
    const P bound = (volume < 0.0 ? -volume : volume) * square_root<double, N>(square);
    const P shear = attempt == 3 ? P(step.mu + bound) : P((1.0 + kMoreShear[attempt]) * step.mu);
    LaneMatrix<N> again, kept = turned;
    if (attempt == 3) kept = {};
    DEFORMBENCH_FOR3(k) own[k] = 1.0 + shear * step.d[k];
    work.local_solves += lanes_in<N>(is_real & ~is_solved);
    const LaneMask<N> now = solve_local<N>(own, step.lambda, along, kept, right, again);
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) z.at[i][k] = is_solved ? z.at[i][k] : again.at[i][k];
    is_solved |= now;
  }
  LaneMatrix<N> change, moved;
  P slope{};
  DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) {
    z.at[i][k] = is_solved ? z.at[i][k] : P{};
    change.at[i][k] = z.at[i][k] * step.root_inverse[k];
    slope -= right.at[i][k] * z.at[i][k];
  }
  const P start = 0.5 * lane_product(step.applied, step.applied, step.d) + lane_energy(step, step.f);
  const P rounding = 1e-13 * ((start < 0.0 ? -start : start) + step.mu * (3.0 + square));
  LaneMask<N> is_accepted = P{} > 1.0;
  double share = 1.0;
  for (int halvings = 0; halvings < 20; ++halvings, share *= 0.5) {
    LaneMatrix<N> all;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) {
      all.at[i][k] = step.applied.at[i][k] + change.at[i][k];
      moved.at[i][k] = step.f.at[i][k] + change.at[i][k] * step.d[k];
    }
    const int tried = halvings == 0 ? lanes : lanes_in<N>(is_real & ~is_accepted);
    work.trials += tried, work.energies += tried;
    const P objective = 0.5 * lane_product(all, all, step.d) + lane_energy(step, moved);
    is_accepted |= objective <= start + 1e-4 * share * slope + rounding;
    if (all_set<N>(is_accepted)) return change;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) change.at[i][k] = is_accepted ? change.at[i][k] : 0.5 * change.at[i][k];
  }
  DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) change.at[i][k] = is_accepted ? change.at[i][k] : P{};
  return change;
}

}  // namespace deformbench::pbd
