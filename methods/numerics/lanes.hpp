// SPDX-License-Identifier: BSD-3-Clause
// SIMD vectors by compiler vector extensions: no intrinsics, any width works on any machine, the native width
// is chosen at compile time. For .cpp files and private headers only: the width of a type depends on -march.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // every function here is inlined; nothing passes a vector across an ABI
#endif

#define DEFORMBENCH_INLINE inline __attribute__((always_inline))

namespace deformbench::numerics {

#if defined(__AVX512F__)
inline constexpr int kVectorBytes = 64;
#elif defined(__AVX__)
inline constexpr int kVectorBytes = 32;
#else
inline constexpr int kVectorBytes = 16;
#endif

template <class T, int N>
struct PackOf {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
};
/// SIMD vector of N numbers.
template <class T, int N>
using Pack = typename PackOf<T, N>::type;

/// Lanes per vector, at least four.
template <class T>
inline constexpr int register_lanes = kVectorBytes / int(sizeof(T)) < 4 ? 4 : kVectorBytes / int(sizeof(T));
/// Registers that a batched kernel interleaves, to hide the latency of dependent operations.
inline constexpr int kBatchRegisters = 2;
/// Elements per pass of a batched kernel.
template <class T>
inline constexpr int lane_count = kBatchRegisters* register_lanes<T>;

template <class P, class T>
DEFORMBENCH_INLINE P load(const T* from) {
  P value;
  __builtin_memcpy(&value, from, sizeof(P));
  return value;
}

template <class P, class T>
DEFORMBENCH_INLINE void store(T* to, const P& value) {
  __builtin_memcpy(to, &value, sizeof(P));
}

template <class T>
DEFORMBENCH_INLINE Pack<T, 4> keep_xyz(Pack<T, 4> v) {
  return __builtin_shufflevector(v, Pack<T, 4>{}, 0, 1, 2, 4);
}

/// Transposes in place.
template <class T>
DEFORMBENCH_INLINE void transpose4(Pack<T, 4>& a, Pack<T, 4>& b, Pack<T, 4>& c, Pack<T, 4>& d) {
  const Pack<T, 4> ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6);
  const Pack<T, 4> ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  const Pack<T, 4> cd_even = __builtin_shufflevector(c, d, 0, 4, 2, 6);
  const Pack<T, 4> cd_odd = __builtin_shufflevector(c, d, 1, 5, 3, 7);
  a = __builtin_shufflevector(ab_even, cd_even, 0, 1, 4, 5);
  b = __builtin_shufflevector(ab_odd, cd_odd, 0, 1, 4, 5);
  c = __builtin_shufflevector(ab_even, cd_even, 2, 3, 6, 7);
  d = __builtin_shufflevector(ab_odd, cd_odd, 2, 3, 6, 7);
}

/// (a1, a2, a0, a3) and (a2, a0, a1, a3).
template <class T>
DEFORMBENCH_INLINE Pack<T, 4> rotate_up(Pack<T, 4> a) {
  return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}
template <class T>
DEFORMBENCH_INLINE Pack<T, 4> rotate_down(Pack<T, 4> a) {
  return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}

namespace detail {
template <class T, int N, int... I>
DEFORMBENCH_INLINE Pack<T, 2 * N> join(Pack<T, N> low, Pack<T, N> high, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(low, high, I...);
}
template <class T, int N, int Offset, int... I>
DEFORMBENCH_INLINE Pack<T, 4> cut(Pack<T, N> from, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(from, from, (Offset + I)...);
}
}  // namespace detail

/// Joins N/4 four-lane vectors to one of N lanes.
template <class T, int N>
DEFORMBENCH_INLINE Pack<T, N> join4(const Pack<T, 4>* parts) {
  if constexpr (N == 4) {
    return parts[0];
  } else {
    return detail::join<T, N / 2>(join4<T, N / 2>(parts), join4<T, N / 2>(parts + N / 8),
                                  std::make_integer_sequence<int, N>{});
  }
}

/// Lanes 4·Part … 4·Part+3 of a vector of N lanes.
template <class T, int N, int Part>
DEFORMBENCH_INLINE Pack<T, 4> part4(Pack<T, N> from) {
  if constexpr (N == 4) {
    return from;
  } else {
    return detail::cut<T, N, 4 * Part>(from, std::make_integer_sequence<int, 4>{});
  }
}

/// lane_count<T> numbers in kBatchRegisters registers, with elementwise arithmetic.
template <class T>
struct Batch {
  using Register = Pack<T, register_lanes<T>>;
  Register part[kBatchRegisters];

  static DEFORMBENCH_INLINE Batch all(T value) {
    Batch result;
    for (Register& r : result.part) r = value - Register{};
    return result;
  }
  static DEFORMBENCH_INLINE Batch from(const T* numbers) {
    Batch result;
    for (int i = 0; i < kBatchRegisters; ++i) result.part[i] = load<Register>(numbers + i * register_lanes<T>);
    return result;
  }
  DEFORMBENCH_INLINE void to(T* numbers) const {
    for (int i = 0; i < kBatchRegisters; ++i) store(numbers + i * register_lanes<T>, part[i]);
  }
  friend DEFORMBENCH_INLINE Batch operator+(Batch a, const Batch& b) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] = a.part[i] + b.part[i];
    return a;
  }
  friend DEFORMBENCH_INLINE Batch operator-(Batch a, const Batch& b) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] = a.part[i] - b.part[i];
    return a;
  }
  friend DEFORMBENCH_INLINE Batch operator*(Batch a, const Batch& b) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] = a.part[i] * b.part[i];
    return a;
  }
  friend DEFORMBENCH_INLINE Batch operator/(Batch a, const Batch& b) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] = a.part[i] / b.part[i];
    return a;
  }
  friend DEFORMBENCH_INLINE Batch operator*(T a, const Batch& b) { return all(a) * b; }
  friend DEFORMBENCH_INLINE Batch operator+(T a, const Batch& b) { return all(a) + b; }
  friend DEFORMBENCH_INLINE Batch operator-(T a, const Batch& b) { return all(a) - b; }
  friend DEFORMBENCH_INLINE Batch operator/(T a, const Batch& b) { return all(a) / b; }
};

/// Lane by lane: a < b ? then : otherwise.
template <class T>
DEFORMBENCH_INLINE Batch<T> where_less(const Batch<T>& a, const Batch<T>& b, T then, T otherwise) {
  Batch<T> result;
  using Register = typename Batch<T>::Register;
  for (int i = 0; i < kBatchRegisters; ++i)
    result.part[i] = a.part[i] < b.part[i] ? then - Register{} : otherwise - Register{};
  return result;
}

/// Per-lane result of a comparison: all bits set or none.
template <class T>
struct BatchMask {
  using Register = decltype(typename Batch<T>::Register{} < typename Batch<T>::Register{});
  Register part[kBatchRegisters];
  friend DEFORMBENCH_INLINE BatchMask operator&(BatchMask a, const BatchMask& b) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] &= b.part[i];
    return a;
  }
  friend DEFORMBENCH_INLINE BatchMask operator|(BatchMask a, const BatchMask& b) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] |= b.part[i];
    return a;
  }
  friend DEFORMBENCH_INLINE BatchMask operator~(BatchMask a) {
    for (int i = 0; i < kBatchRegisters; ++i) a.part[i] = ~a.part[i];
    return a;
  }
  bool lane(int k) const { return part[k / register_lanes<T>][k % register_lanes<T>] != 0; }
};
template <class T>
DEFORMBENCH_INLINE BatchMask<T> is_less(const Batch<T>& a, const Batch<T>& b) {
  BatchMask<T> result;
  for (int i = 0; i < kBatchRegisters; ++i) result.part[i] = a.part[i] < b.part[i];
  return result;
}
/// Whether the mask is set in every lane.
template <class T>
DEFORMBENCH_INLINE bool all_set(const BatchMask<T>& mask) {
  typename BatchMask<T>::Register both = mask.part[0];
  for (int i = 1; i < kBatchRegisters; ++i) both &= mask.part[i];
  constexpr int words = int(sizeof(both) / sizeof(long long));
  const auto bits = (Pack<long long, words>)both;
  long long every = bits[0];
  for (int i = 1; i < words; ++i) every &= bits[i];
  return every == -1;
}

/// Lane by lane: mask ? a : b.
template <class T>
DEFORMBENCH_INLINE Batch<T> select(const BatchMask<T>& mask, const Batch<T>& a, const Batch<T>& b) {
  Batch<T> result;
  for (int i = 0; i < kBatchRegisters; ++i) result.part[i] = mask.part[i] ? a.part[i] : b.part[i];
  return result;
}

}  // namespace deformbench::numerics
