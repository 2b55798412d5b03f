// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients on one thread, and the choice between one thread and a team.
#include "methods/numerics/conjugate_gradient.hpp"

#include <cmath>

#include "methods/numerics/krylov_lanes.hpp"

namespace deformbench::numerics {

// The dot products of the next residual, r − α q, follow from those of r and q as soon as q is formed. So the update
// of r waits for the next pass, and every vector moves through memory once per iteration. Large systems are bound by
// memory; x is updated in every other iteration only, using p_{k−1} = (p_k − z_k)/β_k for the skipped one.
template <class T>
template <class Matrix, bool Weighted>
SolverResult KrylovSpace<T>::cg_alone(const Matrix& a, T* x, double b_norm, const SolverSettings& settings) {
  const int rows = ranges_.back();
  const std::size_t size = 4 * std::size_t(rows);
  T* r = residual.data();
  T* p = direction_.data();
  T* q = product_.data();
  const T* weights = inverse_diagonal.data();
  const auto weighted = [&]<class P>(std::size_t i, P v) {
    if constexpr (Weighted) v *= load<P>(weights + i);
    return v;
  };
  constexpr double kLeastLeft =
      sizeof(T) == 4 ? 1e-3 : 1e-6;        // relative to r·r: below, its recurrence is mostly rounding
  constexpr double kLeastBeta = 1e-4;      // below, p_{k−1} is
  constexpr std::size_t kAhead = 512;      // numbers, a page of doubles: where hardware prefetching stops
  const bool is_large = rows > (1 << 16);  // more than the caches hold: 2 MB per vector of doubles
  T alpha = T(0), beta = T(0);             // of the last direction
  T owed = T(0);                           // α/β of the direction before the last one, while x lacks it
  bool is_behind = false;                  // r lacks −α q
  int iteration = 0;
  const auto add_to_x = [&]<class P>(std::size_t i, P pi, P ri) {
    P xi = load<P>(x + i) + alpha * pi;
    if (owed != T(0)) xi += owed * (pi - weighted(i, ri));
    store(x + i, xi);
  };
  const auto settle = [&] {  // applies all deferred updates, when the recurrence is too inaccurate
    each_pack<T>(0, rows, [&]<class P>(std::size_t i, P) { add_to_x(i, load<P>(p + i), load<P>(r + i)); });
    Dots dots;
    update_residual<Weighted>(alpha, 0, rows, dots);
    alpha = owed = T(0);
    is_behind = false;
    return dots;
  };

  std::fill(q, q + size, T(0));
  Dots left;
  update_residual<Weighted>(T(0), 0, rows, left);
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  for (; iteration < limit; ++iteration) {
    if (!(left.rr > 0.0) || !std::isfinite(left.rr)) break;
    if (settings.fixed_iterations == 0 && std::sqrt(left.rr) <= goal) break;

    const bool adds_to_x = alpha != T(0) && (owed != T(0) || !(double(beta) > kLeastBeta));
    const T step = is_behind ? alpha : T(0);
    Dots dots;
    double pq = 0.0, rq = 0.0, zq = 0.0, qq = 0.0, qwq = 0.0;
    const auto advance = [&](int begin, int end) {
      Sum<T> rr, rz;
      each_pack<T>(begin, end, [&]<class P>(std::size_t i, P) {
        if (is_large) {
          for (const T* y : {r, q, p}) __builtin_prefetch(y + i + kAhead);
          if (adds_to_x) __builtin_prefetch(x + i + kAhead);
        }
        const P before = load<P>(r + i), ri = before - step * load<P>(q + i), z = weighted(i, ri), pi = load<P>(p + i);
        if (adds_to_x) add_to_x(i, pi, before);
        store(r + i, ri);
        store(p + i, iteration > 0 ? P(z + beta * pi) : z);
        rr += ri * ri;
        if constexpr (Weighted) rz += ri * z;
      });
      if constexpr (Matrix::scatters) a.start_product(begin, end, p, q);
      dots.rr += rr.total();
      if constexpr (Weighted) dots.rz += rz.total();
    };
    std::size_t frozen = 0;
    for (int begin = 0, chunk = 0, known = 0; begin < rows; begin += kChunkRows, ++chunk) {
      const int end = std::min(rows, begin + kChunkRows);
      advance(known, a.front(chunk));
      known = a.front(chunk);
      if constexpr (Matrix::scatters) {
        a.add_rows(begin, end, rows, std::array<const T*, 1>{p}, std::array<T*, 1>{q}, std::array<T*, 1>{q + size});
      } else {
        a.multiply_rows(begin, end, p, q);
      }
      for (; frozen < frozen_.size() && frozen_[frozen] < end; ++frozen) clear_node(q, frozen);
      Sum<T> spq, srq, szq, sqq, sqwq;
      each_pack<T>(begin, end, [&]<class P>(std::size_t i, P) {
        const P pi = load<P>(p + i), qi = load<P>(q + i), ri = load<P>(r + i);
        spq += pi * qi, srq += ri * qi, sqq += qi * qi;
        if constexpr (Weighted) szq += weighted(i, ri) * qi, sqwq += weighted(i, qi) * qi;
      });
      pq += spq.total(), rq += srq.total(), qq += sqq.total();
      if constexpr (Weighted) zq += szq.total(), qwq += sqwq.total();
    }
    if (settings.needs_definite && !(pq > 0.0)) {
      SolverResult stopped = result_of(iteration, std::sqrt(dots.rr), b_norm, settings);
      stopped.is_indefinite = true;
      return stopped;
    }
    if constexpr (!Weighted) dots.rz = dots.rr, zq = rq, qwq = qq;
    if (adds_to_x)
      owed = T(0);
    else if (alpha != T(0))
      owed = T(double(alpha) / double(beta));
    const double step_now = dots.rz / pq;
    left = {dots.rr - step_now * (2.0 * rq - step_now * qq), dots.rz - step_now * (2.0 * zq - step_now * qwq)};
    alpha = T(step_now);
    is_behind = true;
    if (!(left.rr > kLeastLeft * dots.rr && left.rz > kLeastLeft * dots.rz)) left = settle();
    beta = T(left.rz / dots.rz);
    if (watch != nullptr) show<Weighted>(x, alpha, owed);
  }
  if (is_behind) left = settle();
  return result_of(iteration, std::sqrt(left.rr), b_norm, settings);
}

template <class T>
template <bool Weighted>
void KrylovSpace<T>::show(const T* x, T alpha, T owed) {
  watch->stop_clock();
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    T z = residual[i];
    if constexpr (Weighted) z *= inverse_diagonal[i];
    shown_[i] = x[i] + alpha * direction_[i];
    if (owed != T(0)) shown_[i] += owed * (direction_[i] - z);
  }
  watch->see(shown_.data());
}

template <class T>
template <class Matrix>
SolverResult KrylovSpace<T>::conjugate_gradient(const Matrix& a, T* x, double b_norm, const SolverSettings& settings) {
  if (watch != nullptr) shown_.resize(residual.size());
  if (threads() == 1)
    return inverse_diagonal.empty() ? cg_alone<Matrix, false>(a, x, b_norm, settings)
                                    : cg_alone<Matrix, true>(a, x, b_norm, settings);
  if constexpr (Matrix::scatters) reserve_halo(a);
  Team team(threads());
  run_team(threads(), [&](int thread) {
    if (inverse_diagonal.empty())
      cg_thread<Matrix, false>(thread, team, a, x, b_norm, settings);
    else
      cg_thread<Matrix, true>(thread, team, a, x, b_norm, settings);
  });
  return team.result;
}

#define DEFORMBENCH_INSTANTIATE(T)                                                                 \
  template SolverResult KrylovSpace<T>::conjugate_gradient(const FullBlockMatrix<T>&, T*, double,  \
                                                           const SolverSettings&);                 \
  template SolverResult KrylovSpace<T>::conjugate_gradient(const UpperBlockMatrix<T>&, T*, double, \
                                                           const SolverSettings&);
DEFORMBENCH_INSTANTIATE(float)
DEFORMBENCH_INSTANTIATE(double)
#undef DEFORMBENCH_INSTANTIATE

}  // namespace deformbench::numerics
