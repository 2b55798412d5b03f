// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients: the part of one thread of a team.
#include <cmath>

#include "methods/numerics/krylov_lanes.hpp"

namespace deformbench::numerics {

template <class T>
template <class Matrix, bool Weighted>
void KrylovSpace<T>::cg_thread(int thread, Team& team, const Matrix& a, T* x, double b_norm,
                               const SolverSettings& settings) {
  const int low = ranges_[std::size_t(thread)], high = ranges_[std::size_t(thread) + 1];
  T* r = residual.data();
  T* p = direction_.data();
  T* q = product_.data();
  const T* weights = inverse_diagonal.data();
  Barrier& barrier = team.barrier;
  // `halo`: contributions of this thread to others' rows; `seam`: its own rows that the previous thread reads.
  const auto reach = [&](int t) {
    return Matrix::scatters && t >= 0 && t + 1 < threads() ? halos_[0][std::size_t(t)].size() : 0;
  };
  const std::span<T> halo = reach(thread) > 0 ? std::span<T>(halos_[0][std::size_t(thread)]) : std::span<T>();
  const std::span<T> seam(p + 4 * std::size_t(low), reach(thread - 1));
  int own = low;  // no other thread adds to rows from here on; aligned to a cache line
  for (int t = 0; t < thread; ++t) {
    const int rows = (int(reach(t) / 4) + kLineRows - 1) / kLineRows * kLineRows;
    own = std::clamp(ranges_[std::size_t(t) + 1] + rows, own, high);
  }

  std::fill(q + 4 * std::size_t(low), q + 4 * std::size_t(high), T(0));
  Dots dots;
  update_residual<Weighted>(T(0), low, high, dots);
  auto [rr, rz] = barrier.sum<2>(thread, {dots.rr, dots.rz});
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  int iteration = 0;
  T alpha = T(0), beta = T(0);

  for (; iteration < limit; ++iteration) {
    if (!(rr > 0.0) || !std::isfinite(rr)) break;
    if (settings.fixed_iterations == 0 && std::sqrt(rr) <= goal) break;

    claim(halo);
    // x += α p; p = z + β p; for the upper storage q starts with the diagonal's share.
    each_pack<T>(low, high, [&]<class P>(std::size_t i, P) {
      P z = load<P>(r + i);
      if constexpr (Weighted) z *= load<P>(weights + i);
      const P pi = load<P>(p + i);
      if (iteration > 0) store(x + i, load<P>(x + i) + alpha * pi);
      store(p + i, iteration > 0 ? P(z + beta * pi) : z);
    });
    if constexpr (Matrix::scatters) a.start_product(low, high, p, q);
    barrier.arrive<0>(thread, {});
    bool knows_others = false;  // p of other threads' rows; awaited half-way, when long complete
    [[maybe_unused]] T* past = nullptr;
    if constexpr (Matrix::scatters) past = beyond(thread, high, q);
    double pq = 0.0;
    for (int begin = low; begin < high; begin += kChunkRows) {
      const int end = std::min(high, begin + kChunkRows);
      if (!knows_others && (!Matrix::scatters || 2 * begin >= low + high || a.front((end - 1) / kChunkRows) > high)) {
        barrier.wait<0>(thread);
        fetch(std::span<const T>(p + 4 * std::size_t(high), halo.size()));
        knows_others = true;
      }
      if constexpr (Matrix::scatters) {
        a.add_rows(begin, end, high, std::array<const T*, 1>{p}, std::array<T*, 1>{q}, std::array<T*, 1>{past});
      } else {
        a.multiply_rows(begin, end, p, q);
      }
      Sum<T> own_pq;
      each_pack<T>(begin, end, [&]<class P>(std::size_t i, P) { own_pq += load<P>(p + i) * load<P>(q + i); });
      pq += own_pq.total();
    }
    if (!knows_others) barrier.wait<0>(thread);
    Sum<T> others;  // this thread's share of p·q in rows of others
    each_pack<T>(0, int(halo.size() / 4), [&]<class P>(std::size_t i, P) {
      others += load<P>(halo.data() + i) * load<P>(p + 4 * std::size_t(high) + i);
    });
    pq += others.total();
    const double curvature = barrier.sum<1>(thread, {pq})[0];
    if (settings.needs_definite && !(curvature > 0.0)) {
      if (thread == 0) {
        team.result = result_of(iteration, std::sqrt(rr), b_norm, settings);
        team.result.is_indefinite = true;
      }
      return;
    }
    alpha = T(rz / curvature);
    // Prefetches the results of others while rows without any are processed.
    if (!seam.empty()) fetch(std::span<const T>(halos_[0][std::size_t(thread) - 1]));
    dots = {};
    clear_frozen(q, own, high);
    update_residual<Weighted>(alpha, own, high, dots);
    if constexpr (Matrix::scatters) add_halos(low, own, thread, q);
    clear_frozen(q, low, own);
    update_residual<Weighted>(alpha, low, own, dots);
    claim(seam);
    const auto [next_rr, next_rz] = barrier.sum<2>(thread, {dots.rr, dots.rz});
    beta = T(next_rz / rz);
    rr = next_rr, rz = next_rz;
    if (watch != nullptr) {  // each thread writes its rows; all wait until the observer has seen them
      if (thread == 0) watch->stop_clock();
      for (std::size_t i = 4 * std::size_t(low); i < 4 * std::size_t(high); ++i) shown_[i] = x[i] + alpha * p[i];
      barrier.arrive_and_wait(thread);
      if (thread == 0) watch->see(shown_.data());
      barrier.arrive_and_wait(thread);
    }
  }
  if (iteration > 0) {
    each_pack<T>(low, high, [&]<class P>(std::size_t i, P) { store(x + i, load<P>(x + i) + alpha * load<P>(p + i)); });
  }
  if (thread == 0) team.result = result_of(iteration, std::sqrt(rr), b_norm, settings);
}

#define DEFORMBENCH_INSTANTIATE(T, Matrix, Weighted)                                                     \
  template void KrylovSpace<T>::cg_thread<Matrix<T>, Weighted>(int, Team&, const Matrix<T>&, T*, double, \
                                                               const SolverSettings&);
#define DEFORMBENCH_INSTANTIATE_ALL(T)                \
  DEFORMBENCH_INSTANTIATE(T, FullBlockMatrix, false)  \
  DEFORMBENCH_INSTANTIATE(T, FullBlockMatrix, true)   \
  DEFORMBENCH_INSTANTIATE(T, UpperBlockMatrix, false) \
  DEFORMBENCH_INSTANTIATE(T, UpperBlockMatrix, true)
DEFORMBENCH_INSTANTIATE_ALL(float)
DEFORMBENCH_INSTANTIATE_ALL(double)
#undef DEFORMBENCH_INSTANTIATE_ALL
#undef DEFORMBENCH_INSTANTIATE

}  // namespace deformbench::numerics
