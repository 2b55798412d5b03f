// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on N numbers at once: square root, atan2, rows of four into columns. For .cpp files only (see lanes.hpp).
#pragma once

#include <cmath>
#include <cstdint>

#include "methods/numerics/lanes.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace deformbench::pbd {

using numerics::Pack;

template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> all(T value) {
  return value - Pack<T, N>{};
}

/// A machine instruction that the vector extensions have no operator for.
template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> square_root(Pack<T, N> a) {
#if defined(__AVX512F__)
  if constexpr (sizeof(a) == 64 && sizeof(T) == 8) return (Pack<T, N>)_mm512_sqrt_pd((__m512d)a);
  else if constexpr (sizeof(a) == 64) return (Pack<T, N>)_mm512_sqrt_ps((__m512)a);
  else
#endif
#if defined(__AVX__)
  if constexpr (sizeof(a) == 32 && sizeof(T) == 8) return (Pack<T, N>)_mm256_sqrt_pd((__m256d)a);
  else if constexpr (sizeof(a) == 32) return (Pack<T, N>)_mm256_sqrt_ps((__m256)a);
  else
#endif
  {
    for (int k = 0; k < N; ++k) a[k] = std::sqrt(a[k]);
    return a;
  }
}

template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> magnitude(Pack<T, N> a) {
  return a < T(0) ? -a : a;
}

/// atan(t) = t + t³ q(t²) for |t| ≤ tan(π/8): q interpolates at Chebyshev's nodes, error 5e−18 (double), 2e−9 (float).
template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> small_atan(Pack<T, N> t) {
  const Pack<T, N> z = t * t;
  Pack<T, N> q;
  if constexpr (sizeof(T) == 8) {
    // Estrin's scheme: short chains, as the next constraint may wait for this one.
    const Pack<T, N> z2 = z * z, z4 = z2 * z2;
    const Pack<T, N> q01 = T(-0.3333333333333333016) + T(0.19999999999995520678) * z;
    const Pack<T, N> q23 = T(-0.14285714284666542922) + T(0.11111111015256361727) * z;
    const Pack<T, N> q45 = T(-0.090909045781239018905) + T(0.076921831908260865637) * z;
    const Pack<T, N> q67 = T(-0.066645114473819480001) + T(0.058581489128022098816) * z;
    const Pack<T, N> q89 = T(-0.050854497379402598613) + T(0.039231658295587191303) * z;
    const Pack<T, N> high = q89 + T(-0.019176887119062258989) * z2;
    q = (q01 + q23 * z2) + ((q45 + q67 * z2) + high * z4) * z4;
  } else {
    const Pack<T, N> z2 = z * z;
    q = (T(-0.33333331761168519851) + T(0.19999540483648963445) * z) + ((T(-0.14263955597984639199) + T(0.10743731490791083043) * z) + T(-0.06451928208121748758) * z2) * z2;
  }
  return t + (t * z) * q;
}

/// atan2(y, x) in two halves, so that its one division can be shared: the angle of numerator/denominator, then its quadrant.
template <class T, int N>
struct ReducedAngle {
  using P = Pack<T, N>;
  using Mask = decltype(P{} < P{});
  P numerator, denominator;  ///< denominator ≥ 0, and 0 only for x = y = 0; |quotient| ≤ tan(π/8)
  P offset;
  Mask is_mirrored, is_obtuse, is_negative;

  DEFORMBENCH_INLINE ReducedAngle(P y, P x) {
    const P ax = magnitude<T, N>(x), ay = magnitude<T, N>(y);
    is_mirrored = ay > ax;
    is_obtuse = x < T(0);
    is_negative = y < T(0);
    const P low = is_mirrored ? ax : ay, high = is_mirrored ? ay : ax;
    const Mask is_steep = low > T(0.41421356237309504880) * high;  // atan(low/high) = π/4 + atan((low − high)/(low + high))
    numerator = is_steep ? low - high : low;
    denominator = is_steep ? low + high : high;
    offset = is_steep ? all<T, N>(T(0.78539816339744830962)) : P{};
  }
  /// `quotient`: numerator/denominator.
  DEFORMBENCH_INLINE P angle(P quotient) const {
    P a = small_atan<T, N>(quotient) + offset;
    a = is_mirrored ? T(1.57079632679489661923) - a : a;
    a = is_obtuse ? T(3.14159265358979323846) - a : a;
    return is_negative ? -a : a;
  }
};

namespace detail {
// Columns of N/4 blocks of 4×4: lane 4b + j of the result's row c is lane 4b + c of row j.
template <class T, int N, int First, int Second, int Third, int Fourth, int... I>
DEFORMBENCH_INLINE Pack<T, N> shuffle4(Pack<T, N> a, Pack<T, N> b, std::integer_sequence<int, I...>) {
  constexpr int pattern[4] = {First, Second, Third, Fourth};  // 0 … 3 of a, 4 … 7 of b, within every block
  return __builtin_shufflevector(a, b, ((pattern[I % 4] & 3) + (I & ~3) + (pattern[I % 4] & 4 ? N : 0))...);
}
}  // namespace detail

/// Rows become columns in every block of four lanes, in place.
template <class T, int N>
DEFORMBENCH_INLINE void transpose_blocks(Pack<T, N>& a, Pack<T, N>& b, Pack<T, N>& c, Pack<T, N>& d) {
  using P = Pack<T, N>;
  constexpr auto lanes = std::make_integer_sequence<int, N>{};
  const P ab_even = detail::shuffle4<T, N, 0, 4, 2, 6>(a, b, lanes), ab_odd = detail::shuffle4<T, N, 1, 5, 3, 7>(a, b, lanes);
  const P cd_even = detail::shuffle4<T, N, 0, 4, 2, 6>(c, d, lanes), cd_odd = detail::shuffle4<T, N, 1, 5, 3, 7>(c, d, lanes);
  a = detail::shuffle4<T, N, 0, 1, 4, 5>(ab_even, cd_even, lanes);
  b = detail::shuffle4<T, N, 0, 1, 4, 5>(ab_odd, cd_odd, lanes);
  c = detail::shuffle4<T, N, 2, 3, 6, 7>(ab_even, cd_even, lanes);
  d = detail::shuffle4<T, N, 2, 3, 6, 7>(ab_odd, cd_odd, lanes);
}

/// N rows of four numbers, one a lane.
template <class T, int N>
struct Rows {
  using P = Pack<T, N>;
  P x, y, z, w;

  /// Row k is rows[at[k]] … rows[at[k] + 3].
  static DEFORMBENCH_INLINE Rows gather(const T* rows, const std::int32_t* at) {
    P part[4];
    for (int j = 0; j < 4; ++j) {
      Pack<T, 4> quarters[N / 4];
      for (int b = 0; b < N / 4; ++b) quarters[b] = numerics::load<Pack<T, 4>>(rows + at[4 * b + j]);
      part[j] = numerics::join4<T, N>(quarters);
    }
    transpose_blocks<T, N>(part[0], part[1], part[2], part[3]);
    return {part[0], part[1], part[2], part[3]};
  }
  DEFORMBENCH_INLINE void scatter(T* rows, const std::int32_t* at) const {
    P part[4] = {x, y, z, w};
    transpose_blocks<T, N>(part[0], part[1], part[2], part[3]);
    for (int j = 0; j < 4; ++j) scatter_part(rows, at + j, part[j], std::make_integer_sequence<int, N / 4>{});
  }

 private:
  template <int... B>
  static DEFORMBENCH_INLINE void scatter_part(T* rows, const std::int32_t* at, P part, std::integer_sequence<int, B...>) {
    (numerics::store(rows + at[4 * B], numerics::part4<T, N, B>(part)), ...);
  }
};

}  // namespace deformbench::pbd
