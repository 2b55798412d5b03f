// SPDX-License-Identifier: BSD-3-Clause
// SIMD arithmetic on N lanes: square root, atan2, 4×4 transposition. For .cpp files only (see lanes.hpp).
#pragma once

#include <cmath>
#include <cstdint>

#include "methods/numerics/lanes.hpp"

#if defined(__AVX__)
#include <immintrin.h>
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored \
    "-Wmaybe-uninitialized"  // GCC's own headers start from undefined registers (its bug 105593)
#endif
#endif

namespace deformbench::pbd {

using numerics::Pack;

template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> all(T value) {
  return value - Pack<T, N>{};
}

/// An instruction without an operator in the vector extensions.
template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> square_root(Pack<T, N> a) {
#if defined(__AVX512F__)
  if constexpr (sizeof(a) == 64 && sizeof(T) == 8)
    return (Pack<T, N>)_mm512_sqrt_pd((__m512d)a);
  else if constexpr (sizeof(a) == 64)
    return (Pack<T, N>)_mm512_sqrt_ps((__m512)a);
  else
#endif
#if defined(__AVX__)
      if constexpr (sizeof(a) == 32 && sizeof(T) == 8)
    return (Pack<T, N>)_mm256_sqrt_pd((__m256d)a);
  else if constexpr (sizeof(a) == 32)
    return (Pack<T, N>)_mm256_sqrt_ps((__m256)a);
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

/// atan(t) = t + t³ q(t²) for |t| ≤ tan(π/8): q interpolates at Chebyshev nodes, error 5e−18 (double), 2e−9 (float).
template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> small_atan(Pack<T, N> t) {
  const Pack<T, N> z = t * t;
  Pack<T, N> q;
  if constexpr (sizeof(T) == 8) {
    // Estrin's scheme: short dependency chains, since the next constraint may wait for this one.
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
    q = (T(-0.33333331761168519851) + T(0.19999540483648963445) * z) +
        ((T(-0.14263955597984639199) + T(0.10743731490791083043) * z) + T(-0.06451928208121748758) * z2) * z2;
  }
  return t + (t * z) * q;
}

/// atan2(y, x) in two stages, so that its one division can be shared: the angle of numerator/denominator, then its
/// quadrant.
template <class T, int N>
struct ReducedAngle {
  using P = Pack<T, N>;
  using Mask = decltype(P{} < P{});
  P numerator, denominator;  ///< denominator ≥ 0, and 0 only for x = y = 0; |quotient| ≤ tan(π/8)
  P offset;
  Mask is_mirrored, is_obtuse, is_negative;

  ReducedAngle() = default;
  DEFORMBENCH_INLINE ReducedAngle(P y, P x) {
    const P ax = magnitude<T, N>(x), ay = magnitude<T, N>(y);
    is_mirrored = ay > ax;
    is_obtuse = x < T(0);
    is_negative = y < T(0);
    const P low = is_mirrored ? ax : ay, high = is_mirrored ? ay : ax;
    const Mask is_steep =
        low > T(0.41421356237309504880) * high;  // atan(low/high) = π/4 + atan((low − high)/(low + high))
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
/// Same shuffle in every block of four lanes; 0 … 3 are lanes of a, 4 … 7 of b.
template <class T, int N, int First, int Second, int Third, int Fourth, int... I>
DEFORMBENCH_INLINE Pack<T, N> shuffle4(Pack<T, N> a, Pack<T, N> b, std::integer_sequence<int, I...>) {
  constexpr int pattern[4] = {First, Second, Third, Fourth};
  return __builtin_shufflevector(a, b, ((pattern[I % 4] & 3) + (I & ~3) + (pattern[I % 4] & 4 ? N : 0))...);
}
}  // namespace detail

/// Transposes every block of four lanes in place: lane 4b + j of c is lane 4b + 2 of row j. Shuffles stay within
/// these blocks.
template <class T, int N>
DEFORMBENCH_INLINE void transpose_blocks(Pack<T, N>& a, Pack<T, N>& b, Pack<T, N>& c, Pack<T, N>& d) {
  using P = Pack<T, N>;
  constexpr auto lanes = std::make_integer_sequence<int, N>{};
  if constexpr (sizeof(T) == 4) {
    const P ab_low = detail::shuffle4<T, N, 0, 4, 1, 5>(a, b, lanes),
            ab_high = detail::shuffle4<T, N, 2, 6, 3, 7>(a, b, lanes);
    const P cd_low = detail::shuffle4<T, N, 0, 4, 1, 5>(c, d, lanes),
            cd_high = detail::shuffle4<T, N, 2, 6, 3, 7>(c, d, lanes);
    a = detail::shuffle4<T, N, 0, 1, 4, 5>(ab_low, cd_low, lanes);
    b = detail::shuffle4<T, N, 2, 3, 6, 7>(ab_low, cd_low, lanes);
    c = detail::shuffle4<T, N, 0, 1, 4, 5>(ab_high, cd_high, lanes);
    d = detail::shuffle4<T, N, 2, 3, 6, 7>(ab_high, cd_high, lanes);
  } else {
    const P ab_even = detail::shuffle4<T, N, 0, 4, 2, 6>(a, b, lanes),
            ab_odd = detail::shuffle4<T, N, 1, 5, 3, 7>(a, b, lanes);
    const P cd_even = detail::shuffle4<T, N, 0, 4, 2, 6>(c, d, lanes),
            cd_odd = detail::shuffle4<T, N, 1, 5, 3, 7>(c, d, lanes);
    a = detail::shuffle4<T, N, 0, 1, 4, 5>(ab_even, cd_even, lanes);
    b = detail::shuffle4<T, N, 0, 1, 4, 5>(ab_odd, cd_odd, lanes);
    c = detail::shuffle4<T, N, 2, 3, 6, 7>(ab_even, cd_even, lanes);
    d = detail::shuffle4<T, N, 2, 3, 6, 7>(ab_odd, cd_odd, lanes);
  }
}

/// Loads rows of four side by side into one register.
template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> load_rows(const T* rows, const std::int32_t* at) {
#if defined(__AVX512F__)
  // Inserting from memory needs no shuffle; the generic form costs one per row.
  if constexpr (sizeof(T) == 4 && N == 16) {
    __m512 r = _mm512_castps128_ps512(_mm_loadu_ps(rows + at[0]));
    r = _mm512_insertf32x4(r, _mm_loadu_ps(rows + at[4]), 1);
    r = _mm512_insertf32x4(r, _mm_loadu_ps(rows + at[8]), 2);
    return (Pack<T, N>)_mm512_insertf32x4(r, _mm_loadu_ps(rows + at[12]), 3);
  }
#endif
  Pack<T, 4> quarters[N / 4];
  for (int b = 0; b < N / 4; ++b) quarters[b] = numerics::load<Pack<T, 4>>(rows + at[4 * b]);
  return numerics::join4<T, N>(quarters);
}

template <class T, int N, int... B>
DEFORMBENCH_INLINE void store_rows(T* rows, const std::int32_t* at, Pack<T, N> from, std::integer_sequence<int, B...>) {
#if defined(__AVX512F__)
  if constexpr (sizeof(T) == 4 && N == 16) {
    (_mm_storeu_ps(rows + at[4 * B], _mm512_extractf32x4_ps((__m512)from, B)), ...);
    return;
  }
#endif
  (numerics::store(rows + at[4 * B], numerics::part4<T, N, B>(from)), ...);
}

#if defined(__AVX512F__)
/// Eight rows of four doubles, two per register in the lane pairs (0, 2), (1, 3), (4, 6), (5, 7), so that columns come
/// out in order from shuffles of 16-byte lanes.
struct RowPairs {
  using P = Pack<double, 8>;
  P first, second, third, fourth;

  static DEFORMBENCH_INLINE P pair(const double* low, const double* high) {
    return (P)_mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(low)), _mm256_loadu_pd(high), 1);
  }
  static DEFORMBENCH_INLINE void store_pair(double* low, double* high, P from) {
    _mm256_storeu_pd(low, _mm512_castpd512_pd256((__m512d)from));
    _mm256_storeu_pd(high, _mm512_extractf64x4_pd((__m512d)from, 1));
  }
  static DEFORMBENCH_INLINE RowPairs load(const double* rows, const std::int32_t* at) {
    return {pair(rows + at[0], rows + at[2]), pair(rows + at[1], rows + at[3]), pair(rows + at[4], rows + at[6]),
            pair(rows + at[5], rows + at[7])};
  }
  DEFORMBENCH_INLINE void store(double* rows, const std::int32_t* at) const {
    store_pair(rows + at[0], rows + at[2], first);
    store_pair(rows + at[1], rows + at[3], second);
    store_pair(rows + at[4], rows + at[6], third);
    store_pair(rows + at[5], rows + at[7], fourth);
  }
  DEFORMBENCH_INLINE void columns(P& x, P& y, P& z, P& w) const {
    const P even = (P)_mm512_unpacklo_pd((__m512d)first, (__m512d)second),
            odd = (P)_mm512_unpackhi_pd((__m512d)first, (__m512d)second);
    const P even2 = (P)_mm512_unpacklo_pd((__m512d)third, (__m512d)fourth),
            odd2 = (P)_mm512_unpackhi_pd((__m512d)third, (__m512d)fourth);
    x = (P)_mm512_shuffle_f64x2((__m512d)even, (__m512d)even2, 0x88);
    y = (P)_mm512_shuffle_f64x2((__m512d)odd, (__m512d)odd2, 0x88);
    z = (P)_mm512_shuffle_f64x2((__m512d)even, (__m512d)even2, 0xDD);
    w = (P)_mm512_shuffle_f64x2((__m512d)odd, (__m512d)odd2, 0xDD);
  }
  static DEFORMBENCH_INLINE RowPairs of_columns(P x, P y, P z, P w) {
    const P xy = (P)_mm512_unpacklo_pd((__m512d)x, (__m512d)y), xy1 = (P)_mm512_unpackhi_pd((__m512d)x, (__m512d)y);
    const P zw = (P)_mm512_unpacklo_pd((__m512d)z, (__m512d)w), zw1 = (P)_mm512_unpackhi_pd((__m512d)z, (__m512d)w);
    return {__builtin_shufflevector(xy, zw, 0, 1, 8, 9, 2, 3, 10, 11),
            __builtin_shufflevector(xy1, zw1, 0, 1, 8, 9, 2, 3, 10, 11),
            __builtin_shufflevector(xy, zw, 4, 5, 12, 13, 6, 7, 14, 15),
            __builtin_shufflevector(xy1, zw1, 4, 5, 12, 13, 6, 7, 14, 15)};
  }
};
#endif

/// N rows of four numbers, one per lane.
template <class T, int N>
struct Rows {
  using P = Pack<T, N>;
  P x, y, z, w;

  /// Row k is rows[at[k]] … rows[at[k] + 3].
  DEFORMBENCH_INLINE void gather(const T* rows, const std::int32_t* at) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 8 && N == 8) {
      RowPairs::load(rows, at).columns(x, y, z, w);
      return;
    }
#endif
    x = load_rows<T, N>(rows, at), y = load_rows<T, N>(rows, at + 1);
    z = load_rows<T, N>(rows, at + 2), w = load_rows<T, N>(rows, at + 3);
    transpose_blocks<T, N>(x, y, z, w);
  }
  DEFORMBENCH_INLINE void scatter(T* rows, const std::int32_t* at) const {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 8 && N == 8) {
      RowPairs::of_columns(x, y, z, w).store(rows, at);
      return;
    }
#endif
    P part[4] = {x, y, z, w};
    transpose_blocks<T, N>(part[0], part[1], part[2], part[3]);
    for (int j = 0; j < 4; ++j) store_rows<T, N>(rows, at + j, part[j], std::make_integer_sequence<int, N / 4>{});
  }
};

}  // namespace deformbench::pbd
