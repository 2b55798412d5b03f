// SPDX-License-Identifier: BSD-3-Clause
// Polar decomposition of lane_count<T> matrices at once, warm-started from the rotations of the last step.
// For .cpp files only (see lanes.hpp).
#pragma once

#include <cmath>

#include "methods/numerics/lanes.hpp"
#include "methods/numerics/polar_decomposition.hpp"

namespace deformbench::numerics {

template <class T>
DEFORMBENCH_INLINE Batch<T> squared_length(const Batch<T> q[4]) {
  return q[0] * q[0] + q[1] * q[1] + (q[2] * q[2] + q[3] * q[3]);
}

/// Rotation of quaternions (w, x, y, z) of any length but zero; r is row-major. `length`: |q|².
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

/// Replaces the quaternions of lanes that were not accepted by the scalar result. Returns their number.
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

/// After large steps: unit length again.
template <class T>
[[gnu::noinline]] void normalise_lanes(Batch<T> q[4]) {
  constexpr int lanes = lane_count<T>;
  T numbers[4 * lanes];
  for (int k = 0; k < 4; ++k) q[k].to(numbers + k * lanes);
  for (int lane = 0; lane < lanes; ++lane) {
    T square = T(0);
    for (int k = 0; k < 4; ++k) square += numbers[k * lanes + lane] * numbers[k * lanes + lane];
    for (int k = 0; k < 4; ++k) numbers[k * lanes + lane] /= std::sqrt(square);
  }
  for (int k = 0; k < 4; ++k) q[k] = Batch<T>::from(numbers + k * lanes);
}

/// One Newton step of batched_polar on q. Returns the lanes in which it was tiny and its matrix positive definite.
template <class T>
DEFORMBENCH_INLINE BatchMask<T> polar_newton_step(const Batch<T> f[9], Batch<T> q[4]) {
  using P = Batch<T>;
  constexpr bool is_double = sizeof(T) == 8;
  constexpr T small_step =
      is_double ? T(1e-11) : T(1e-6);  // |ω/2|²: the error left, of the order |ω|³, is below rounding
  constexpr T least_determinant = is_double ? T(1e-6) : T(1e-4);  // of H over tr³ H (27⁻¹ for a pure rotation)
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

/// More steps for the lanes that two have not done. Those that are done stay as they are: what a lane gets must not
/// depend on its neighbours. Returns the number of lanes that the scalar method had to do.
template <class T>
[[gnu::noinline]] int finish_lanes(const Batch<T> f[9], Batch<T> q[4], BatchMask<T> accepted) {
  for (int iteration = 2; iteration < 6 && !all_set(accepted); ++iteration) {
    const Batch<T> done[4] = {q[0], q[1], q[2], q[3]};
    normalise_lanes<T>(q);
    const BatchMask<T> now = polar_newton_step<T>(f, q);
    for (int k = 0; k < 4; ++k) q[k] = select<T>(accepted, done[k], q[k]);
    accepted = accepted | now;
  }
  return all_set(accepted) ? 0 : repair_lanes<T>(f, q, accepted);
}

/// f (row-major) → the rotations that maximise tr(RᵀF), as polar_rotation; q: warm start in, result out, of unit
/// length. Newton's method on the rotation: with A = RᵀF the step is ω = (tr A I − sym A)⁻¹ axial(A − Aᵀ), R ←
/// R·cay(ω); the third derivative of tr vanishes at the solution, so it converges cubically. A lane is accepted only
/// where the last step was tiny and the matrix is positive definite, which singles out the maximum (for inverted F
/// too); every other lane is done by the scalar method. Returns the number of lanes that were.
template <class T>
DEFORMBENCH_INLINE int batched_polar(const Batch<T> f[9], Batch<T> q[4], Batch<T> r[9]) {
  using P = Batch<T>;
  // From the rotation of the last step two iterations do in nearly every batch: these are unrolled.
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
