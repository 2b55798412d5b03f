// SPDX-License-Identifier: BSD-3-Clause
// The same source for a scalar and for a SIMD batch: comparison, selection and elementary functions of V, which is
// float, double or Batch<T>. No branch depends on a value, so lanes are independent. For .cpp files and private
// headers only (see lanes.hpp).
#pragma once

#include <cmath>
#include <concepts>

#include "methods/numerics/lanes.hpp"

namespace deformbench::numerics {

namespace detail {
template <class V>
struct LanesOfType {
  using Scalar = V;
  using Mask = bool;
};
template <class T>
struct LanesOfType<Batch<T>> {
  using Scalar = T;
  using Mask = BatchMask<T>;
};
}  // namespace detail

/// The type of one lane: V itself if V is a scalar.
template <class V>
using ScalarOf = typename detail::LanesOfType<V>::Scalar;
/// Result type of comparing two V.
template <class V>
using MaskOf = typename detail::LanesOfType<V>::Mask;

/// The same number in every lane.
template <class V>
DEFORMBENCH_INLINE V constant(double value) {
  if constexpr (std::floating_point<V>)
    return V(value);
  else
    return V::all(ScalarOf<V>(value));
}

template <std::floating_point T>
DEFORMBENCH_INLINE bool is_less(T a, T b) {
  return a < b;
}
template <std::floating_point T>
DEFORMBENCH_INLINE T select(bool mask, T a, T b) {
  return mask ? a : b;
}
DEFORMBENCH_INLINE bool all_set(bool mask) {
  return mask;
}

template <class V>
DEFORMBENCH_INLINE V lane_max(const V& a, const V& b) {
  return select(is_less(a, b), b, a);
}
template <class V>
DEFORMBENCH_INLINE V lane_abs(const V& a) {
  return lane_max(a, ScalarOf<V>(0) - a);
}

namespace detail {
/// Applies a scalar function lane by lane.
template <class V, class Function>
DEFORMBENCH_INLINE V each_lane(const V& x, Function function) {
  if constexpr (std::floating_point<V>) {
    return function(x);
  } else {
    ScalarOf<V> numbers[lane_count<ScalarOf<V>>];
    x.to(numbers);
    for (ScalarOf<V>& number : numbers) number = function(number);
    return V::from(numbers);
  }
}
}  // namespace detail

/// Compile kernels with -fno-math-errno (results are unchanged): the roots of a register are then one instruction;
/// otherwise GCC calls the library per lane, to set errno for negative numbers.
template <class V>
DEFORMBENCH_INLINE V lane_sqrt(const V& x) {
  return detail::each_lane(x, [](auto number) { return std::sqrt(number); });
}
template <class V>
DEFORMBENCH_INLINE V lane_log(const V& x) {
  return detail::each_lane(x, [](auto number) { return std::log(number); });
}

}  // namespace deformbench::numerics
