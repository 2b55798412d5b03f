// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "methods/numerics/krylov_lanes.hpp"

namespace deformbench::numerics {

template <class T>
SolverResult KrylovSpace<T>::bicgstab(const FullBlockMatrix<T>& a, T* x, double b_norm,
                                      const SolverSettings& settings) {
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using Map = Eigen::Map<Vector>;
  const Eigen::Index size = Eigen::Index(residual.size());
  const int nodes = int(size / 4);
  Map r(residual.data(), size), p(direction_.data(), size), v(product_.data(), size), solution(x, size);
  Vector shadow = r, s(size), t(size), y(size);
  const auto precondition = [&](const auto& from, Vector& to) {
    to = from;
    if (!inverse_diagonal.empty()) to.array() *= Eigen::Map<const Vector>(inverse_diagonal.data(), size).array();
  };
  const auto product = [&](const Vector& from, T* to) {
    a.multiply_rows(0, nodes, from.data(), to);
    clear_frozen(to, 0, nodes);
  };
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  T rho = 1, alpha = 1, omega = 1;
  p.setZero();
  v.setZero();
  SolverResult result;
  for (; result.iterations < limit; ++result.iterations) {
    const double norm = double(r.norm());
    if (!(norm > 0.0) || !std::isfinite(norm) || (settings.fixed_iterations == 0 && norm <= goal)) break;
    T next = shadow.dot(r);
    if (std::abs(double(next)) <= 1e-30 * double(shadow.squaredNorm())) {  // breakdown: restart from here
      shadow = r;
      next = shadow.dot(r);
      p.setZero();
      v.setZero();
      rho = alpha = omega = 1;
    }
    p = r + (next / rho) * (alpha / omega) * (p - omega * v);
    rho = next;
    precondition(p, y);
    product(y, v.data());
    alpha = rho / shadow.dot(v);
    s = r - alpha * v;
    solution += alpha * y;
    precondition(s, y);
    product(y, t.data());
    const T tt = t.squaredNorm();
    omega = tt > T(0) ? t.dot(s) / tt : T(0);
    solution += omega * y;
    r = s - omega * t;
    if (omega == T(0)) {
      ++result.iterations;
      break;
    }
  }
  return result_of(result.iterations, double(r.norm()), b_norm, settings);
}

template SolverResult KrylovSpace<float>::bicgstab(const FullBlockMatrix<float>&, float*, double,
                                                   const SolverSettings&);
template SolverResult KrylovSpace<double>::bicgstab(const FullBlockMatrix<double>&, double*, double,
                                                    const SolverSettings&);

}  // namespace deformbench::numerics
