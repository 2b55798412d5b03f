// SPDX-License-Identifier: BSD-3-Clause
// The matrix and the forces of a step, gathered by rows from the rotated gradients of the element pass.
#include <algorithm>

#include "methods/fem/elasticity/element_batches.hpp"
#include "methods/fem/elasticity/warped_elements.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

using numerics::keep_xyz;
using numerics::load;
using numerics::Pack;
using numerics::rotate_down;
using numerics::rotate_up;
using numerics::store;

namespace {

/// A sum of outer products a bᵀ, kept by rows, read by cyclic diagonals (block_matrix.hpp).
template <class T>
struct Outer {
  using V = Pack<T, 4>;
  V row0{}, row1{}, row2{};
  DEFORMBENCH_INLINE void add(const T* a, V b) {
    row0 += b * a[0];
    row1 += b * a[1];
    row2 += b * a[2];
  }
  static DEFORMBENCH_INLINE V pick(V x, V y, V z) {
    const V xy = __builtin_shufflevector(x, y, 0, 5, 2, 3);
    return __builtin_shufflevector(xy, z, 0, 1, 6, 3);
  }
  DEFORMBENCH_INLINE V h() const { return pick(row0, row1, row2); }
  DEFORMBENCH_INLINE V p() const { return pick(row2, row0, row1); }
  DEFORMBENCH_INLINE V s() const { return pick(row1, row2, row0); }
};

/// Writes nine numbers; each of the first two stores writes one more, which the next store overwrites.
template <class T>
DEFORMBENCH_INLINE void write_block(T* to, Pack<T, 4> h, Pack<T, 4> p, Pack<T, 4> s) {
  store(to, h);
  store(to + 3, p);
  to[6] = s[0], to[7] = s[1], to[8] = s[2];
}

}  // namespace

template <class T>
template <bool Uniform>
void WarpedElements<T>::assemble_rows(int low, int high, const T* weights, numerics::UpperBlockMatrix<T>& a) const {
  using V = Pack<T, 4>;
  const T* rotated = rotated_.data();
  const MeshGraph& graph = *graph_;
  for (int i = low; i < high; ++i) {
    a.weight(i) = weights[i];
    for (int edge = graph.edges.row_start[std::size_t(i)]; edge < graph.edges.row_start[std::size_t(i) + 1]; ++edge) {
      Outer<T> sum;     // S = Σ B'_i B'_jᵀ
      Outer<T> scaled;  // the same with λ/μ, where that differs between elements
      const int end = graph.edge_start[std::size_t(edge) + 1];
      for (int k = graph.edge_start[std::size_t(edge)]; k < end; ++k) {
        const Pair pair = pairs_[std::size_t(k)];
        const T* bi = rotated + pair.i;
        const V bj = load<V>(rotated + pair.j);
        sum.add(bi, bj);
        if constexpr (!Uniform) scaled.add(bi, bj * ratios_[std::size_t(graph.edge_places[std::size_t(k)] >> 4)]);
      }
      // (λ/μ) S + Sᵀ + κI; the transpose of the diagonals (h, p, s) is (h, ↓s, ↑p).
      V h = sum.h(), p = sum.p(), s = sum.s();
      const V transposed_p = rotate_down<T>(s), transposed_s = rotate_up<T>(p);
      const T kappa = edge_trace_[std::size_t(edge)];
      if constexpr (Uniform) {
        h = (ratio_ + T(1)) * h + kappa;
        p = ratio_ * p + transposed_p;
        s = ratio_ * s + transposed_s;
      } else {
        h = scaled.h() + h + kappa;
        p = scaled.p() + transposed_p;
        s = scaled.s() + transposed_s;
      }
      write_block<T>(a.upper(edge), h, p, s);
    }
  }
}

template <class T>
void WarpedElements<T>::gather_forces(int low, int high, T* g) const {
  using V = Pack<T, 4>;
  const MeshGraph& graph = *graph_;
  if (plastic_) return gather_corners(graph, forces_.data(), low, high, g);
  for (int i = low; i < high; ++i) {
    V force{};
    const int end = graph.node_start[std::size_t(i) + 1];
    for (int k = graph.node_start[std::size_t(i)]; k < end; ++k) {
      const std::size_t place = std::size_t(graph.node_places[std::size_t(k)]);
      force += load<V>(rotated_.data() + 3 * place) * rest_force_[place >> 2];
    }
    store(g + 4 * std::size_t(i), keep_xyz<T>(force));
  }
}

template <class T>
void WarpedElements<T>::assemble(int low, int high, const T* weights, numerics::UpperBlockMatrix<T>& a, T* g) const {
  const int turn = 256;  // rows per round: blocks, then forces, while their elements are in the cache
  for (int begin = low; begin < high; begin += turn) {
    const int end = std::min(high, begin + turn);
    if (uniform_ratio_)
      assemble_rows<true>(begin, end, weights, a);
    else
      assemble_rows<false>(begin, end, weights, a);
    gather_forces(begin, end, g);
  }
}

#define DEFORMBENCH_INSTANTIATE(T)                                    \
  template void WarpedElements<T>::gather_forces(int, int, T*) const; \
  template void WarpedElements<T>::assemble(int, int, const T*, numerics::UpperBlockMatrix<T>&, T*) const;
DEFORMBENCH_INSTANTIATE(float)
DEFORMBENCH_INSTANTIATE(double)
#undef DEFORMBENCH_INSTANTIATE

}  // namespace deformbench::fem
