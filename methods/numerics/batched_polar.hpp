// SPDX-License-Identifier: BSD-3-Clause
// Polar decomposition of lane_count<T> matrices at once, warm-started from the rotations of the last step.
// For .cpp files only (see lanes.hpp).
#pragma once

#include "methods/numerics/lane_math.hpp"
#include "methods/numerics/polar_decomposition.hpp"

namespace deformbench::numerics {

template <class T>
DEFORMBENCH_INLINE Batch<T> squared_length(const Batch<T> q[4]) {
  return q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]);
}

/// Rotations of nonzero quaternions (w, x, y, z) of any length; r is row-major. `length`: |q|².
template <class T>
DEFORMBENCH_INLINE void rotations_of_quaternions(const Batch<T> q[4], const Batch<T>& length, Batch<T> r[9]) {
  using P = Batch<T>;
  const P s = T(2) / length;
  const P sx = s * q[1], sy = s * q[2], sz = s * q[3];
  const P wx = q[0] * sx, wy = q[0] * sy, wz = q[0] * sz;
  const P xx = q[1] * sx, xy = q[1] * sy, xz = q[1] * sz;
  const P yy = q[2] * sy, yz = q[2] * sz, zz = q[3] * sz;
  r[0] = T(1) - (yy + zz), r[1] = xy - wz, r[2] = xz + wy;
  r[3] = xy + wz, r[4] = T(1) - (xx + zz), r[5] = yz - wx;
  r[6] = xz - wy, r[7] = yz + wx, r[8] = T(1) - (xx + yy);
}

/// Recomputes, by the scalar method, the quaternions of lanes not accepted. Returns the number of lanes.
template <class T>
[[gnu::noinline]] int repair_lanes(const Batch<T> f[9], Batch<T> q[4], const BatchMask<T>& accepted) {
  constexpr int lanes = lane_count<T>;
  T matrices[9 * lanes], quaternions[4 * lanes];
  for (int k = 0; k < 9; ++k) f[k].to(matrices + k * lanes);
  for (int k = 0; k < 4; ++k) q[k].to(quaternions + k * lanes);
  int repaired = 0;
  for (int lane = 0; lane < lanes; ++lane) {
    if (accepted.lane(lane)) continue;
    ++repaired;
    Matrix3 matrix;
    for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = double(matrices[k * lanes + lane]);
    const Eigen::Vector4d exact = polar_quaternion(matrix);
    for (int k = 0; k < 4; ++k) quaternions[k * lanes + lane] = T(exact[k]);
  }
  for (int k = 0; k < 4; ++k) q[k] = Batch<T>::from(quaternions + k * lanes);
  return repaired;
}

/// Restores unit length after large steps.
template <class T>
DEFORMBENCH_INLINE void normalise_lanes(Batch<T> q[4]) {
  const Batch<T> scale = T(1) / lane_sqrt(squared_length<T>(q));
  for (int k = 0; k < 4; ++k) q[k] = q[k] * scale;
}

/// The rotation that maximises tr(RᵀF), without a warm start, also for inverted F. Its quaternion maximises qᵀN(F)q
/// [H87]: the eigenvector of the largest eigenvalue of the symmetric 4×4 matrix N, the largest root of
/// λ⁴ − 2‖F‖²λ² − 8 det F λ + ‖F‖⁴ − 4‖cof F‖² [HN16]. All four roots are real, so Newton's method converges
/// monotonically from any upper bound. The eigenvector is the longest column of adj(N − λI). Accurate enough to start
/// polar_newton_step, unless the two largest eigenvalues nearly agree (rotation nearly non-unique); NaN for F = 0.
template <class T>
DEFORMBENCH_INLINE void quaternion_of_largest_eigenvalue(const Batch<T> matrix[9], Batch<T> q[4]) {
  using P = Batch<T>;
  constexpr int steps = 6;
  P size = P::all(T(0)), f[9];
  for (int k = 0; k < 9; ++k) size = size + matrix[k] * matrix[k];
  const P scale = T(1) / lane_sqrt(size);
  for (int k = 0; k < 9; ++k) f[k] = scale * matrix[k];  // of norm 1
  P cofactors[9], square = P::all(T(0));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      const int a = 3 * ((i + 1) % 3), b = 3 * ((i + 2) % 3), c = (j + 1) % 3, d = (j + 2) % 3;
      cofactors[3 * i + j] = f[a + c] * f[b + d] - f[a + d] * f[b + c];
      square = square + cofactors[3 * i + j] * cofactors[3 * i + j];
    }
  }
  const P eight_det = T(8) * (f[0] * cofactors[0] + f[1] * cofactors[1] + f[2] * cofactors[2]);
  const P last = T(1) - T(4) * square;
  P root = P::all(T(1.7320508075688774));  // λ ≤ sum of the singular values ≤ √3 ‖F‖
  for (int step = 0; step < steps; ++step) {
    const P cubic = root * (T(-2) + root * root) - eight_det;
    root = root - (cubic * root + last) / (T(4) * root * (T(-1) + root * root) - eight_det);
  }

  const P n00 = f[0] + f[4] + f[8] - root, n11 = f[0] - f[4] - f[8] - root;
  const P n22 = f[4] - f[0] - f[8] - root, n33 = f[8] - f[0] - f[4] - root;
  const P n01 = f[7] - f[5], n02 = f[2] - f[6], n03 = f[3] - f[1];
  const P n12 = f[1] + f[3], n13 = f[2] + f[6], n23 = f[5] + f[7];
  // 2×2 minors of the upper two rows and of the lower two; the cofactors in terms of them.
  const P s01 = n00 * n11 - n01 * n01, s02 = n00 * n12 - n02 * n01, s03 = n00 * n13 - n03 * n01;
  const P s12 = n01 * n12 - n02 * n11, s13 = n01 * n13 - n03 * n11, s23 = n02 * n13 - n03 * n12;
  const P t02 = n02 * n23 - n22 * n03, t03 = n02 * n33 - n23 * n03, t12 = n12 * n23 - n22 * n13;
  const P t13 = n12 * n33 - n23 * n13, t23 = n22 * n33 - n23 * n23;
  const P a00 = n11 * t23 - n12 * t13 + n13 * t12, a01 = n02 * t13 - n01 * t23 - n03 * t12;
  const P a02 = n13 * s23 - n23 * s13 + n33 * s12, a03 = n22 * s13 - n12 * s23 - n23 * s12;
  const P a11 = n00 * t23 - n02 * t03 + n03 * t02, a12 = n23 * s03 - n03 * s23 - n33 * s02;
  const P a13 = n02 * s23 - n22 * s03 + n23 * s02, a22 = n03 * s13 - n13 * s03 + n33 * s01;
  const P a23 = n12 * s03 - n02 * s13 - n23 * s01, a33 = n02 * s12 - n12 * s02 + n22 * s01;
  const P columns[4][4] = {{a00, a01, a02, a03}, {a01, a11, a12, a13}, {a02, a12, a22, a23}, {a03, a13, a23, a33}};
  P longest = lane_abs(a00);
  for (int k = 0; k < 4; ++k) q[k] = columns[0][k];
  for (int column = 1; column < 4; ++column) {
    const P entry = lane_abs(columns[column][column]);
    const auto longer = is_less(longest, entry);
    longest = select<T>(longer, entry, longest);
    for (int k = 0; k < 4; ++k) q[k] = select<T>(longer, columns[column][k], q[k]);
  }
  normalise_lanes<T>(q);
}

/// One Newton step of batched_polar on q. Returns the lanes with a tiny step and positive definite tr A I − sym A.
template <class T>
DEFORMBENCH_INLINE BatchMask<T> polar_newton_step(const Batch<T> f[9], Batch<T> q[4]) {
  using P = Batch<T>;
  constexpr bool is_double = sizeof(T) == 8;
  constexpr T small_step =
      is_double ? T(1e-11) : T(1e-6);  // |ω/2|²: the error left, of the order |ω|³, is below rounding
  constexpr T least_determinant = is_double ? T(1e-6) : T(1e-4);  // det H / tr³ H (1/27 for a pure rotation)
  P r[9];
  rotations_of_quaternions<T>(q, squared_length<T>(q), r);
  const P a00 = r[0] * f[0] + r[3] * f[3] + r[6] * f[6], a01 = r[0] * f[1] + r[3] * f[4] + r[6] * f[7];
  const P a02 = r[0] * f[2] + r[3] * f[5] + r[6] * f[8], a10 = r[1] * f[0] + r[4] * f[3] + r[7] * f[6];
  const P a11 = r[1] * f[1] + r[4] * f[4] + r[7] * f[7], a12 = r[1] * f[2] + r[4] * f[5] + r[7] * f[8];
  const P a20 = r[2] * f[0] + r[5] * f[3] + r[8] * f[6], a21 = r[2] * f[1] + r[5] * f[4] + r[8] * f[7];
  const P a22 = r[2] * f[2] + r[5] * f[5] + r[8] * f[8];
  const P g0 = a21 - a12, g1 = a02 - a20, g2 = a10 - a01;
  const P h00 = a11 + a22, h11 = a00 + a22, h22 = a00 + a11;
  const P h01 = T(-0.5) * (a01 + a10), h02 = T(-0.5) * (a02 + a20), h12 = T(-0.5) * (a12 + a21);
  const P c00 = h11 * h22 - h12 * h12, c01 = h02 * h12 - h01 * h22, c02 = h01 * h12 - h02 * h11;
  const P c11 = h00 * h22 - h02 * h02, c12 = h01 * h02 - h00 * h12, c22 = h00 * h11 - h01 * h01;
  const P determinant = h00 * c00 + h01 * c01 + h02 * c02;
  const P scale = T(0.5) / determinant;
  const P w0 = scale * (c00 * g0 + c01 * g1 + c02 * g2);  // ω/2
  const P w1 = scale * (c01 * g0 + c11 * g1 + c12 * g2);
  const P w2 = scale * (c02 * g0 + c12 * g1 + c22 * g2);
  const P square = w0 * w0 + w1 * w1 + w2 * w2;
  const P trace = h00 + h11 + h22, zero = P::all(T(0));
  // q ← q (1, ω/2); 1 − |ω/2|²/2 brings it back to unit length for small ω.
  const P factor = T(1) - T(0.5) * square;
  const P n0 = factor * (q[0] - q[1] * w0 - q[2] * w1 - q[3] * w2);
  const P n1 = factor * (q[1] + q[0] * w0 + q[2] * w2 - q[3] * w1);
  const P n2 = factor * (q[2] + q[0] * w1 - q[1] * w2 + q[3] * w0);
  const P n3 = factor * (q[3] + q[0] * w2 + q[1] * w1 - q[2] * w0);
  q[0] = n0, q[1] = n1, q[2] = n2, q[3] = n3;
  return is_less(square, P::all(small_step)) & is_less(least_determinant * trace * (trace * trace), determinant) &
         is_less(zero, h00) & is_less(zero, c22);
}

/// Newton steps for lanes not yet accepted. Accepted lanes stay unchanged: a lane's result must not depend on its
/// neighbours.
template <class T>
DEFORMBENCH_INLINE void advance_lanes(const Batch<T> f[9], Batch<T> q[4], BatchMask<T>& accepted, int steps) {
  for (int step = 0; step < steps && !all_set(accepted); ++step) {
    Batch<T> next[4] = {q[0], q[1], q[2], q[3]};
    normalise_lanes<T>(next);
    const BatchMask<T> now = polar_newton_step<T>(f, next);
    for (int k = 0; k < 4; ++k) q[k] = select<T>(accepted, q[k], next[k]);
    accepted = accepted | now;
  }
}

/// Lanes not accepted after two warm-started steps get at most three steps from a cold start, then the scalar
/// method. Returns the number of lanes that needed the scalar method.
template <class T>
[[gnu::noinline]] int finish_lanes(const Batch<T> f[9], Batch<T> q[4], BatchMask<T> accepted) {
  Batch<T> start[4];
  quaternion_of_largest_eigenvalue<T>(f, start);
  for (int k = 0; k < 4; ++k) q[k] = select<T>(accepted, q[k], start[k]);
  advance_lanes<T>(f, q, accepted, 3);
  return all_set(accepted) ? 0 : repair_lanes<T>(f, q, accepted);
}

/// f (row-major) → the rotations that maximise tr(RᵀF), as polar_rotation; q: warm start in, result out, of unit
/// length. Newton's method on the rotation: with A = RᵀF the step is ω = (tr A I − sym A)⁻¹ axial(A − Aᵀ), R ←
/// R·cay(ω); the third derivative of tr(RᵀF) vanishes at the solution: cubic convergence. A lane is accepted only if
/// its last step was tiny and tr A I − sym A positive definite: only at the maximum (also for inverted F);
/// see finish_lanes for the others. Returns the number of lanes that needed the scalar method.
template <class T>
DEFORMBENCH_INLINE int batched_polar(const Batch<T> f[9], Batch<T> q[4], Batch<T> r[9]) {
  using P = Batch<T>;
  // With a warm start, two iterations suffice in nearly every batch: these are unrolled.
  polar_newton_step<T>(f, q);
  BatchMask<T> accepted = polar_newton_step<T>(f, q);
  P length = squared_length<T>(q);
  accepted = accepted & is_less(P::all(T(0.5)), length) & is_less(length, P::all(T(2)));  // large steps scale q
  int repaired = 0;
  if (!all_set(accepted)) [[unlikely]] {
    repaired = finish_lanes<T>(f, q, accepted);
    length = squared_length<T>(q);
  }
  rotations_of_quaternions<T>(q, length, r);
  const P correction = T(1.5) - T(0.5) * length;  // 1/|q| near 1
  for (int k = 0; k < 4; ++k) q[k] = q[k] * correction;
  return repaired;
}

}  // namespace deformbench::numerics
