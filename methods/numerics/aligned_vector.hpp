// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace deformbench::numerics {

/// Aligns to a cache line; arrays of 2 MiB or more to a huge page, which is requested: otherwise TLB misses
/// take much of the time for arrays streamed in every iteration.
template <class T>
struct CacheLineAllocator {
  using value_type = T;
  static constexpr std::size_t kCacheLine = 64;
  static constexpr std::size_t kHugePage = std::size_t{1} << 21;

  CacheLineAllocator() = default;
  template <class U>
  CacheLineAllocator(const CacheLineAllocator<U>&) {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* memory = ::operator new(bytes, alignment(n));
#if defined(__linux__)
    if (bytes >= kHugePage) madvise(memory, bytes, MADV_HUGEPAGE);  // advice only; failure is harmless
#endif
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) {
    ::operator delete(p, alignment(n));
  }
  template <class U>
  bool operator==(const CacheLineAllocator<U>&) const {
    return true;
  }

 private:
  static constexpr std::align_val_t alignment(std::size_t n) {
    return std::align_val_t(n * sizeof(T) >= kHugePage ? kHugePage : kCacheLine);
  }
};

/// A vector that starts on a cache line.
template <class T>
using AlignedVector = std::vector<T, CacheLineAllocator<T>>;

}  // namespace deformbench::numerics
