// SPDX-License-Identifier: BSD-3-Clause
// SIMD projection of packs of stretch or bend constraints. Positions are rows (x, y, z, w) with the inverse mass w.
// Idle lanes use vertices with w = 0. For .cpp files only (see lanes.hpp).
#pragma once

#include <limits>

#include "methods/pbd/sweeps/lane_math.hpp"

namespace deformbench::pbd {

/// Parameters common to all constraints of one kind.
template <class T>
struct ConstraintLaw {
  T share = T(1);       ///< k′; 1 for the compliant solver
  T compliance = T(0);  ///< α/Δt², compliant solver only
};

/// [MHHR07] eq. 9, 10; compliant: [MMC16] eq. 17, 18. `at`: 4·row, N for a, then N for b. `multipliers`: N values λ.
template <class T, int N, bool is_compliant>
DEFORMBENCH_INLINE void project_stretch(T* rows, const std::int32_t* at, const T* rest, T* multipliers,
                                        const ConstraintLaw<T>& law) {
  using P = Pack<T, N>;
  constexpr T least = std::numeric_limits<T>::min();
  Rows<T, N> a, b;
  a.gather(rows, at);
  b.gather(rows, at + N);
  const P dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  const P length = square_root<T, N>(dx * dx + (dy * dy + dz * dz));
  P value = length - numerics::load<P>(rest), sum = a.w + b.w;
  if constexpr (is_compliant) {
    const P multiplier = numerics::load<P>(multipliers);
    value += law.compliance * multiplier;
    sum += law.compliance;
    const P change = (length * (a.w + b.w) > least) ? value / sum : P{};
    numerics::store(multipliers, P(multiplier - change));
  }
  const P denominator = length * sum;
  const P quotient = law.share * value / denominator;
  const P factor = denominator > least ? quotient : P{};
  const P fa = factor * a.w, fb = factor * b.w;
  a.x += fa * dx, a.y += fa * dy, a.z += fa * dz;
  b.x -= fb * dx, b.y -= fb * dy, b.z -= fb * dz;
  a.scatter(rows, at);
  b.scatter(rows, at + N);
}

/// Signed dihedral angle and its gradients times |e| (evaluate_signed_bend): |e| ∇2 = |e|² N1/|N1|², |e| ∇3 = |e|²
/// N2/|N2|²; ∇0 and ∇1 follow from zero net force and torque. Two divisions: the quotient of the angle and the
/// correction factor share one. Each stage is a long dependency chain, so project_bends interleaves the stages of two
/// packs without common vertices.
template <class T, int N, bool is_compliant>
struct BendPack {
  using P = Pack<T, N>;
  static constexpr T least = std::numeric_limits<T>::min();
  Rows<T, N> x0, x1, x2, x3;
  P n1x, n1y, n1z, n2x, n2y, n2z;
  P dot_ec, dot_ed, dot_nc, dot_nn;
  P square, length, square1, square2, inverse_both;  ///< |e|², |e|, |N1|², |N2|², 1/(|N1|²|N2|²)
  P g0x, g0y, g0z, g1x, g1y, g1z;                    ///< ∇0 and −∇1, times |e|
  P g2x, g2y, g2z, g3x, g3y, g3z;                    ///< ∇2, ∇3, times |e|
  P plain, sum, inverse_product, factor;             ///< plain: Σ w|∇|² |e|²
  ReducedAngle<T, N> theta;

  /// `at`: 4·row, N per vertex x0 … x3.
  DEFORMBENCH_INLINE void gather(const T* rows, const std::int32_t* at) {
    x0.gather(rows, at);
    x1.gather(rows, at + N);
    x2.gather(rows, at + 2 * N);
    x3.gather(rows, at + 3 * N);
  }
  DEFORMBENCH_INLINE void measure() {
    const P ex = x1.x - x0.x, ey = x1.y - x0.y, ez = x1.z - x0.z;
    const P cx = x2.x - x0.x, cy = x2.y - x0.y, cz = x2.z - x0.z;
    const P dx = x3.x - x0.x, dy = x3.y - x0.y, dz = x3.z - x0.z;
    n1x = cy * ez - cz * ey, n1y = cz * ex - cx * ez, n1z = cx * ey - cy * ex;
    n2x = ey * dz - ez * dy, n2y = ez * dx - ex * dz, n2z = ex * dy - ey * dx;
    square = ex * ex + (ey * ey + ez * ez);
    length = square_root<T, N>(square);
    square1 = n1x * n1x + (n1y * n1y + n1z * n1z), square2 = n2x * n2x + (n2y * n2y + n2z * n2z);
    inverse_both = T(1) / (square1 * square2);
    dot_nc = n2x * cx + (n2y * cy + n2z * cz);
    dot_nn = n1x * n2x + (n1y * n2y + n1z * n2z);
    dot_ec = cx * ex + (cy * ey + cz * ez);
    dot_ed = dx * ex + (dy * ey + dz * ez);
  }
  DEFORMBENCH_INLINE void differentiate(const ConstraintLaw<T>& law) {
    theta = ReducedAngle<T, N>(P(length * dot_nc), dot_nn);
    const P inverse = square1 * square2 > least ? inverse_both : P{};
    const P inverse1 = inverse * square2, inverse2 = inverse * square1;
    const P foot1 = inverse1 * dot_ec, foot2 = inverse2 * dot_ed;
    const P far1 = inverse1 * square, far2 = inverse2 * square;
    const P near1 = foot1 - far1, near2 = foot2 - far2;
    g2x = far1 * n1x, g2y = far1 * n1y, g2z = far1 * n1z;
    g3x = far2 * n2x, g3y = far2 * n2y, g3z = far2 * n2z;
    g1x = foot1 * n1x + foot2 * n2x, g1y = foot1 * n1y + foot2 * n2y, g1z = foot1 * n1z + foot2 * n2z;
    g0x = near1 * n1x + near2 * n2x, g0y = near1 * n1y + near2 * n2y, g0z = near1 * n1z + near2 * n2z;
    plain = x0.w * (g0x * g0x + (g0y * g0y + g0z * g0z)) + x1.w * (g1x * g1x + (g1y * g1y + g1z * g1z)) +
            (x2.w * (g2x * g2x + (g2y * g2y + g2z * g2z)) + x3.w * (g3x * g3x + (g3y * g3y + g3z * g3z)));
    sum = plain;
    if constexpr (is_compliant) sum += law.compliance * square;
  }
  DEFORMBENCH_INLINE void divide() { inverse_product = T(1) / (theta.denominator * sum); }
  /// `rest`, `multipliers` (λ; compliant solver only): N entries.
  DEFORMBENCH_INLINE void weigh(const T* rest, T* multipliers, const ConstraintLaw<T>& law) {
    P value = theta.angle(theta.numerator * (sum * inverse_product)) - numerics::load<P>(rest);
    const P inverse_sum = theta.denominator * inverse_product;
    if constexpr (is_compliant) {
      const P multiplier = numerics::load<P>(multipliers);
      value += law.compliance * multiplier;
      const P change = plain > least ? value * square * inverse_sum : P{};
      numerics::store(multipliers, P(multiplier - change));
    }
    factor = (theta.denominator * plain > least) ? -law.share * value * (length * inverse_sum) : P{};
  }
  DEFORMBENCH_INLINE void move(T* rows, const std::int32_t* at) {
    const P f0 = factor * x0.w, f1 = factor * x1.w, f2 = factor * x2.w, f3 = factor * x3.w;
    x0.x += f0 * g0x, x0.y += f0 * g0y, x0.z += f0 * g0z;
    x0.scatter(rows, at);
    x1.x -= f1 * g1x, x1.y -= f1 * g1y, x1.z -= f1 * g1z;
    x1.scatter(rows, at + N);
    x2.x += f2 * g2x, x2.y += f2 * g2y, x2.z += f2 * g2z;
    x2.scatter(rows, at + 2 * N);
    x3.x += f3 * g3x, x3.y += f3 * g3y, x3.z += f3 * g3z;
    x3.scatter(rows, at + 3 * N);
  }
};

/// Projects `packs` packs, forward or backward; waits[p]: pack p shares a vertex with pack p − 1.
template <class T, int N, bool is_compliant, bool is_backward>
DEFORMBENCH_INLINE void project_bends(T* rows, const std::int32_t* at, const T* rest, T* multipliers, const char* waits,
                                      int packs, const ConstraintLaw<T>& law) {
  using Bends = BendPack<T, N, is_compliant>;
  if (packs == 0) return;
  const auto lane_of = [&](int p) __attribute__((always_inline)) {
    return std::size_t(is_backward ? packs - 1 - p : p) * std::size_t(N);
  };
  const auto step = [&](Bends & now, int p, Bends& next) __attribute__((always_inline)) {
    const auto lane = lane_of(p);
    const std::int32_t* const own = at + 4 * lane;
    const std::int32_t* const following = is_backward ? own - 4 * N : own + 4 * N;
    T* const own_multipliers = is_compliant ? multipliers + lane : nullptr;
    now.divide();
    if (p + 1 == packs || waits[is_backward ? packs - 1 - p : p + 1]) {
      now.weigh(rest + lane, own_multipliers, law);
      now.move(rows, own);
      if (p + 1 == packs) return;
      next.gather(rows, following);
      next.measure();
    } else {
      next.gather(rows, following);
      now.weigh(rest + lane, own_multipliers, law);
      next.measure();
      now.move(rows, own);
    }
    next.differentiate(law);
  };
  Bends even, odd;
  even.gather(rows, at + 4 * lane_of(0));
  even.measure();
  even.differentiate(law);
  for (int p = 0; p < packs; p += 2) {
    step(even, p, odd);
    if (p + 1 == packs) return;
    step(odd, p + 1, even);
  }
}

}  // namespace deformbench::pbd
