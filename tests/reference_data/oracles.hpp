// SPDX-License-Identifier: BSD-3-Clause
// Plain numerical methods that check the closed forms by another route: 3×3 matrices, quadrature, Runge–Kutta.
#pragma once

#include <array>
#include <cmath>

namespace oracle {

using Matrix = std::array<std::array<double, 3>, 3>;

inline Matrix identity() {
  return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
}
inline Matrix transpose(const Matrix& a) {
  Matrix t{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) t[i][j] = a[j][i];
  return t;
}
inline Matrix times(const Matrix& a, const Matrix& b) {
  Matrix c{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}
inline double trace(const Matrix& a) {
  return a[0][0] + a[1][1] + a[2][2];
}
inline double determinant(const Matrix& a) {
  return a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) - a[0][1] * (a[1][0] * a[2][2] - a[1][2] * a[2][0]) +
         a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]);
}
inline Matrix inverse(const Matrix& a) {
  Matrix c{};
  const double d = determinant(a);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int p = (j + 1) % 3, q = (j + 2) % 3, r = (i + 1) % 3, s = (i + 2) % 3;
      c[i][j] = (a[p][r] * a[q][s] - a[p][s] * a[q][r]) / d;
    }
  return c;
}
/// Rotation of the polar decomposition by Higham's iteration R ← (R + R⁻ᵀ)/2, for det > 0.
inline Matrix polar_rotation(Matrix r) {
  for (int n = 0; n < 60; ++n) {
    const Matrix t = transpose(inverse(r));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) r[i][j] = (r[i][j] + t[i][j]) / 2;
  }
  return r;
}

/// ½λ tr² + μ ε:ε of a symmetric strain.
inline double isotropic_energy(const Matrix& strain, double lambda, double mu) {
  return lambda / 2 * trace(strain) * trace(strain) + mu * trace(times(strain, transpose(strain)));
}

/// Composite Simpson rule with `n` (even) intervals.
template <class Function>
double simpson(Function f, double a, double b, int n) {
  const double h = (b - a) / n;
  double sum = f(a) + f(b);
  for (int i = 1; i < n; ++i) sum += f(a + i * h) * (i % 2 ? 4 : 2);
  return sum * h / 3;
}

}  // namespace oracle
