// SPDX-License-Identifier: BSD-3-Clause
// One pack of stretch or bend constraints, projected at once. Positions are rows (x, y, z, w) with the inverse mass w.
// Lanes without a constraint have vertices with w = 0. For .cpp files only (see lanes.hpp).
#pragma once

#include <limits>

#include "methods/pbd/sweeps/lane_math.hpp"

namespace deformbench::pbd {

/// What the constraints of one kind have in common.
template <class T>
struct ConstraintLaw {
  T share = T(1);       ///< k′; 1 for the compliant solver
  T compliance = T(0);  ///< α/Δt², compliant solver only
};

/// [MHHR07] eq. 10, 11; compliant: [MMC16] eq. 17, 18. `at`: 2 N entries, rows times four. `multipliers`: λ, N of them.
template <class T, int N, bool is_compliant>
DEFORMBENCH_INLINE void project_stretch(T* rows, const std::int32_t* at, const T* rest, T* multipliers,
                                        const ConstraintLaw<T>& law) {
  using P = Pack<T, N>;
  constexpr T least = std::numeric_limits<T>::min();
  Rows<T, N> a = Rows<T, N>::gather(rows, at), b = Rows<T, N>::gather(rows, at + N);
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

/// The signed dihedral angle and its gradients times |e|, see evaluate_signed_bend: with u1 = N1/|N1|², u2 = N2/|N2|²
/// these are e² u1, e² u2, and what keeps net force and torque zero. Two divisions, one of them for the quotient of the
/// angle and the factor of the correction together. `at`: 4 N entries.
template <class T, int N, bool is_compliant>
DEFORMBENCH_INLINE void project_bend(T* rows, const std::int32_t* at, const T* rest, T* multipliers,
                                     const ConstraintLaw<T>& law) {
  using P = Pack<T, N>;
  constexpr T least = std::numeric_limits<T>::min();
  Rows<T, N> x0 = Rows<T, N>::gather(rows, at), x1 = Rows<T, N>::gather(rows, at + N);
  Rows<T, N> x2 = Rows<T, N>::gather(rows, at + 2 * N), x3 = Rows<T, N>::gather(rows, at + 3 * N);
  const P ex = x1.x - x0.x, ey = x1.y - x0.y, ez = x1.z - x0.z;
  const P cx = x2.x - x0.x, cy = x2.y - x0.y, cz = x2.z - x0.z;
  const P dx = x3.x - x0.x, dy = x3.y - x0.y, dz = x3.z - x0.z;
  const P n1x = cy * ez - cz * ey, n1y = cz * ex - cx * ez, n1z = cx * ey - cy * ex;
  const P n2x = ey * dz - ez * dy, n2y = ez * dx - ex * dz, n2z = ex * dy - ey * dx;
  const P square = ex * ex + (ey * ey + ez * ez), length = square_root<T, N>(square);
  const P square1 = n1x * n1x + (n1y * n1y + n1z * n1z), square2 = n2x * n2x + (n2y * n2y + n2z * n2z);
  const ReducedAngle<T, N> theta(P(length * (n2x * cx + (n2y * cy + n2z * cz))), P(n1x * n2x + (n1y * n2y + n1z * n2z)));
  const P both = square1 * square2, inverse_both = T(1) / both;
  const P inverse = both > least ? inverse_both : P{};
  const P inverse1 = inverse * square2, inverse2 = inverse * square1;
  const P foot1 = inverse1 * (cx * ex + (cy * ey + cz * ez)), foot2 = inverse2 * (dx * ex + (dy * ey + dz * ez));
  const P far1 = inverse1 * square, far2 = inverse2 * square;
  const P near1 = foot1 - far1, near2 = foot2 - far2;
  const P g2x = far1 * n1x, g2y = far1 * n1y, g2z = far1 * n1z;
  const P g3x = far2 * n2x, g3y = far2 * n2y, g3z = far2 * n2z;
  const P g1x = foot1 * n1x + foot2 * n2x, g1y = foot1 * n1y + foot2 * n2y, g1z = foot1 * n1z + foot2 * n2z;  // −∇1
  const P g0x = near1 * n1x + near2 * n2x, g0y = near1 * n1y + near2 * n2y, g0z = near1 * n1z + near2 * n2z;
  const P plain = x0.w * (g0x * g0x + (g0y * g0y + g0z * g0z)) + x1.w * (g1x * g1x + (g1y * g1y + g1z * g1z)) +
                  (x2.w * (g2x * g2x + (g2y * g2y + g2z * g2z)) + x3.w * (g3x * g3x + (g3y * g3y + g3z * g3z)));
  P sum = plain, multiplier{};
  if constexpr (is_compliant) {
    multiplier = numerics::load<P>(multipliers);
    sum += law.compliance * square;
  }
  const P product = theta.denominator * sum, inverse_product = T(1) / product;
  P value = theta.angle(theta.numerator * (sum * inverse_product)) - numerics::load<P>(rest);
  if constexpr (is_compliant) {
    value += law.compliance * multiplier;
    const P change = plain > least ? value * square * (theta.denominator * inverse_product) : P{};
    numerics::store(multipliers, P(multiplier - change));
  }
  const P quotient = law.share * value * length * (theta.denominator * inverse_product);
  const P factor = (theta.denominator * plain > least) ? -quotient : P{};
  const P f0 = factor * x0.w, f1 = factor * x1.w, f2 = factor * x2.w, f3 = factor * x3.w;
  x0.x += f0 * g0x, x0.y += f0 * g0y, x0.z += f0 * g0z;
  x1.x -= f1 * g1x, x1.y -= f1 * g1y, x1.z -= f1 * g1z;
  x2.x += f2 * g2x, x2.y += f2 * g2y, x2.z += f2 * g2z;
  x3.x += f3 * g3x, x3.y += f3 * g3y, x3.z += f3 * g3z;
  x0.scatter(rows, at);
  x1.scatter(rows, at + N);
  x2.scatter(rows, at + 2 * N);
  x3.scatter(rows, at + 3 * N);
}

}  // namespace deformbench::pbd
