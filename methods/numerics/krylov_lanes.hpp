// SPDX-License-Identifier: BSD-3-Clause
// Passes over vectors one register at a time, for the .cpp files of KrylovSpace only (see lanes.hpp).
#pragma once

#include <algorithm>
#include <span>

#include "methods/numerics/conjugate_gradient.hpp"
#include "methods/numerics/lanes.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::numerics {

/// After `iterations`, with ‖r‖₂ = norm.
inline SolverResult result_of(int iterations, double norm, double b_norm, const SolverSettings& settings) {
  SolverResult result{iterations, norm / (b_norm > 0.0 ? b_norm : 1.0)};
  if (settings.fixed_iterations == 0) result.converged = norm <= settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  return result;
}

/// Prefetches, for writing, numbers that another thread has read, so that the transfer overlaps other work.
template <class T>
DEFORMBENCH_INLINE void claim(std::span<T> numbers) {
  for (std::size_t i = 0; i < numbers.size(); i += 64 / sizeof(T)) __builtin_prefetch(numbers.data() + i, 1);
}

/// Prefetches, for reading, numbers that another thread has written.
template <class T>
DEFORMBENCH_INLINE void fetch(std::span<const T> numbers) {
  for (std::size_t i = 0; i < numbers.size(); i += 64 / sizeof(T)) __builtin_prefetch(numbers.data() + i);
}

template <class T>
using Wide = Pack<T, register_lanes<T>>;

/// Calls work(i, pack) for the numbers of rows low … high − 1, from number i: whole registers, then single rows;
/// only the type of `pack` matters.
template <class T, class Work>
DEFORMBENCH_INLINE void each_pack(int low, int high, Work&& work) {
  std::size_t i = 4 * std::size_t(low);
  const std::size_t end = 4 * std::size_t(high);
  for (; i + register_lanes<T> <= end; i += register_lanes<T>) work(i, Wide<T>{});
  for (; i < end; i += 4) work(i, Pack<T, 4>{});
}

/// Sum of packs of both widths.
template <class T>
struct Sum {
  Wide<T> wide{};
  Pack<T, 4> narrow{};
  template <class P>
  DEFORMBENCH_INLINE void operator+=(const P& pack) {
    if constexpr (sizeof(P) == sizeof(wide))
      wide += pack;
    else
      narrow += pack;
  }
  DEFORMBENCH_INLINE double total() const {
    constexpr int lanes = register_lanes<T>;
    Pack<T, 4> v = part4<T, lanes, 0>(wide);
    if constexpr (lanes == 8) v += part4<T, lanes, 1>(wide);
    if constexpr (lanes == 16)
      v = (v + part4<T, lanes, 2>(wide)) + (part4<T, lanes, 1>(wide) + part4<T, lanes, 3>(wide));
    v += narrow;
    return (double(v[0]) + double(v[1])) + double(v[2]);
  }
};

template <class T>
struct KrylovSpace<T>::Team {
  explicit Team(int threads) : barrier(threads) {}
  Barrier barrier;
  SolverResult result;
};

template <class T>
template <bool Weighted>
void KrylovSpace<T>::update_residual(T step, int low, int high, Dots& dots) {
  T* r = residual.data();
  const T *q = product_.data(), *weights = inverse_diagonal.data();
  for (int begin = low; begin < high; begin += kChunkRows) {
    Sum<T> rr, rz;
    each_pack<T>(begin, std::min(high, begin + kChunkRows), [&]<class P>(std::size_t i, P) {
      const P ri = load<P>(r + i) - step * load<P>(q + i);
      store(r + i, ri);
      rr += ri * ri;
      if constexpr (Weighted) rz += ri * (load<P>(weights + i) * ri);
    });
    dots.rr += rr.total();
    dots.rz += Weighted ? rz.total() : rr.total();
  }
}

}  // namespace deformbench::numerics
