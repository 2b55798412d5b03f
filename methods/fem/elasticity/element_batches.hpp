// SPDX-License-Identifier: BSD-3-Clause
// Transfer between nodes and batches of elements: gathers deformation gradients of lane_count<T> elements from corner
// positions, writes lanes per element, sums per node. For .cpp files and private headers only (see lanes.hpp).
#pragma once

#include <utility>

#include "methods/fem/body/mesh_graph.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

/// F = Σ_a (x_a − x_0) B_aᵀ (row-major) of a batch of elements; same rotation as the deformation gradient.
template <class T>
DEFORMBENCH_INLINE void gather_gradients(const T* x, const unsigned* corners, const numerics::Batch<T> b[9],
                                         numerics::Batch<T> f[9]) {
  constexpr int width = numerics::register_lanes<T>, groups = width / 4;
  using V = numerics::Pack<T, 4>;
  numerics::Batch<T> d[4][3];
  for (int a = 0; a < 4; ++a) {
    for (int reg = 0; reg < numerics::kBatchRegisters; ++reg) {
      V parts[3][groups];
      for (int g = 0; g < groups; ++g) {
        V rows[4];
        for (int l = 0; l < 4; ++l) rows[l] = numerics::load<V>(x + corners[4 * (reg * width + 4 * g + l) + a]);
        numerics::transpose4<T>(rows[0], rows[1], rows[2], rows[3]);
        for (int k = 0; k < 3; ++k) parts[k][g] = rows[k];
      }
      for (int k = 0; k < 3; ++k) d[a][k].part[reg] = numerics::join4<T, width>(parts[k]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const auto d1 = d[1][i] - d[0][i], d2 = d[2][i] - d[0][i], d3 = d[3][i] - d[0][i];
    for (int j = 0; j < 3; ++j) f[3 * i + j] = d1 * b[j] + d2 * b[3 + j] + d3 * b[6 + j];
  }
}

/// M B_a of corners 1…3 and, as the four sum to zero, of corner 0.
template <class T>
DEFORMBENCH_INLINE void rotate_corners(const numerics::Batch<T> m[9], const numerics::Batch<T> b[9],
                                       numerics::Batch<T> out[12]) {
  for (int a = 0; a < 3; ++a)
    for (int i = 0; i < 3; ++i)
      out[3 * (a + 1) + i] = m[3 * i] * b[3 * a] + m[3 * i + 1] * b[3 * a + 1] + m[3 * i + 2] * b[3 * a + 2];
  for (int i = 0; i < 3; ++i) out[i] = T(0) - (out[3 + i] + out[6 + i] + out[9 + i]);
}

/// Transposes lanes to 4·Fours numbers per element, one element every `stride` numbers.
template <int Fours, class T>
DEFORMBENCH_INLINE void write_elements(const numerics::Batch<T>* out, T* to, std::size_t stride) {
  constexpr int width = numerics::register_lanes<T>;
  using V = numerics::Pack<T, 4>;
  for (int reg = 0; reg < numerics::kBatchRegisters; ++reg) {
    T* target = to + stride * std::size_t(reg * width);
    const auto write_group = [&]<int G>() {
      for (int four = 0; four < Fours; ++four) {
        V rows[4];
        for (int k = 0; k < 4; ++k) rows[k] = numerics::part4<T, width, G>(out[4 * four + k].part[reg]);
        numerics::transpose4<T>(rows[0], rows[1], rows[2], rows[3]);
        for (int l = 0; l < 4; ++l) numerics::store(target + stride * std::size_t(4 * G + l) + 4 * four, rows[l]);
      }
    };
    [&]<int... G>(std::integer_sequence<int, G...>) {
      (write_group.template operator()<G>(), ...);
    }
    (std::make_integer_sequence<int, width / 4>{});
  }
}

/// Sets rows [low, high) of `to`, four numbers per node, to the sum over the corners at the node; `corners`: as
/// write_corners.
template <class T>
DEFORMBENCH_INLINE void gather_corners(const MeshGraph& graph, const T* corners, int low, int high, T* to) {
  using V = numerics::Pack<T, 4>;
  for (int i = low; i < high; ++i) {
    V sum{};
    const int end = graph.node_start[std::size_t(i) + 1];
    for (int k = graph.node_start[std::size_t(i)]; k < end; ++k)
      sum += numerics::load<V>(corners + 3 * std::size_t(graph.node_places[std::size_t(k)]));
    numerics::store(to + 4 * std::size_t(i), numerics::keep_xyz<T>(sum));
  }
}

/// Adds the corners of each element of the batch in turn to `to`, four numbers per node; `corners`: offsets of their
/// nodes. Bit-identical to write_corners and gather_corners in the same order, without the intermediate array; for
/// one thread at a time.
template <class T>
DEFORMBENCH_INLINE void add_corners(const numerics::Batch<T> out[12], const unsigned* corners, T* to) {
  constexpr int width = numerics::register_lanes<T>;
  using V = numerics::Pack<T, 4>;
  for (int reg = 0; reg < numerics::kBatchRegisters; ++reg) {
    const unsigned* nodes = corners + 4 * reg * width;
    const auto add_group = [&]<int G>() {
      V rows[4][4];  // [corner][element]
      for (int a = 0; a < 4; ++a) {
        for (int k = 0; k < 3; ++k) rows[a][k] = numerics::part4<T, width, G>(out[3 * a + k].part[reg]);
        rows[a][3] = V{};
        numerics::transpose4<T>(rows[a][0], rows[a][1], rows[a][2], rows[a][3]);
      }
      for (int l = 0; l < 4; ++l) {
        for (int a = 0; a < 4; ++a) {
          T* node = to + nodes[4 * (4 * G + l) + a];
          numerics::store(node, numerics::load<V>(node) + rows[a][l]);
        }
      }
    };
    [&]<int... G>(std::integer_sequence<int, G...>) {
      (add_group.template operator()<G>(), ...);
    }
    (std::make_integer_sequence<int, width / 4>{});
  }
}

/// Writes three numbers for each of the four corners.
template <class T>
DEFORMBENCH_INLINE void write_corners(const numerics::Batch<T> out[12], T* to) {
  write_elements<3, T>(out, to, 12);
}

}  // namespace deformbench::fem
