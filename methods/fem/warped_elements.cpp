// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/warped_elements.hpp"

#include <algorithm>
#include <cmath>
#include <Eigen/LU>
#include <limits>
#include <type_traits>

#include "methods/numerics/batched_polar.hpp"
#include "methods/numerics/lanes.hpp"

namespace deformbench::fem {

using numerics::join4;
using numerics::keep_xyz;
using numerics::lane_count;
using numerics::load;
using numerics::Pack;
using numerics::part4;
using numerics::rotate_down;
using numerics::rotate_up;
using numerics::store;
using numerics::transpose4;

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

/// F = Σ_a (x_a − x_0) B_aᵀ (row-major) of a batch of elements; it has the rotation of the deformation gradient.
template <class T>
DEFORMBENCH_INLINE void gather_gradients(const T* x, const unsigned* corners, const numerics::Batch<T> b[9],
                                         numerics::Batch<T> f[9]) {
  constexpr int width = numerics::register_lanes<T>, groups = width / 4;
  using V = Pack<T, 4>;
  numerics::Batch<T> d[4][3];
  for (int a = 0; a < 4; ++a) {
    for (int reg = 0; reg < numerics::batch_registers; ++reg) {
      V parts[3][groups];
      for (int g = 0; g < groups; ++g) {
        V rows[4];
        for (int l = 0; l < 4; ++l) rows[l] = load<V>(x + corners[4 * (reg * width + 4 * g + l) + a]);
        transpose4<T>(rows[0], rows[1], rows[2], rows[3]);
        for (int k = 0; k < 3; ++k) parts[k][g] = rows[k];
      }
      for (int k = 0; k < 3; ++k) d[a][k].part[reg] = join4<T, width>(parts[k]);
    }
  }
  for (int i = 0; i < 3; ++i) {
    const auto d1 = d[1][i] - d[0][i], d2 = d[2][i] - d[0][i], d3 = d[3][i] - d[0][i];
    for (int j = 0; j < 3; ++j) f[3 * i + j] = d1 * b[j] + d2 * b[3 + j] + d3 * b[6 + j];
  }
}

/// Nine numbers; the first two stores run one number over, into what the next store overwrites.
template <class T>
DEFORMBENCH_INLINE void write_block(T* to, Pack<T, 4> h, Pack<T, 4> p, Pack<T, 4> s) {
  store(to, h);
  store(to + 3, p);
  to[6] = s[0], to[7] = s[1], to[8] = s[2];
}

}  // namespace

template <class T>
WarpedElements<T>::WarpedElements(const Scene& scene, const MeshGraph& graph, RotationRule rule, double scale)
    : graph_(&graph), rule_(rule) {
  constexpr int lanes = lane_count<T>;
  const int elements = graph.element_count();
  batches_ = (elements + lanes - 1) / lanes;
  const std::size_t slots = std::size_t(batches_) * lanes;
  corners_.resize(4 * slots);
  gradients_.resize(9 * slots);
  quaternions_.resize(4 * slots);
  rotated_.resize(12 * slots + 4);
  rest_force_.resize(slots);

  const auto ratio_of = [&](int slot) {
    const auto& material = scene.material_of(graph.element_of[std::size_t(slot)]);
    return material.lame_lambda() / material.lame_mu();
  };
  if (elements > 0) ratio_ = T(ratio_of(0));
  for (int slot = 0; slot < elements && uniform_ratio_; ++slot)
    uniform_ratio_ = std::abs(ratio_of(slot) - double(ratio_)) <= 4 * double(std::numeric_limits<T>::epsilon()) * std::abs(double(ratio_));
  if (!uniform_ratio_) ratios_.resize(slots);

  std::vector<double> node_trace(std::size_t(graph.node_count()), 0.0);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const int source = int(std::min(slot, std::size_t(elements) - 1));  // the last element fills its batch
    const int element = graph.element_of[std::size_t(source)];
    const auto& material = scene.material_of(element);
    const RestElement rest = rest_element(scene.tet_mesh, element);
    const double root = std::sqrt(scale * material.lame_mu() * rest.volume);
    const std::size_t batch = slot / lanes, lane = slot % lanes;
    for (std::size_t a = 0; a < 4; ++a) {
      const int node = graph.corners[4 * std::size_t(source) + a];
      corners_[4 * slot + a] = 4 * unsigned(node);
      const Vector3 b = root * rest.gradients.col(Eigen::Index(a));
      for (std::size_t k = 0; k < 3; ++k) {
        if (a > 0) gradients_[batch * 9 * lanes + (3 * (a - 1) + k) * lanes + lane] = T(b[Eigen::Index(k)]);
        rotated_[12 * slot + 3 * a + k] = T(b[Eigen::Index(k)]);
      }
      if (int(slot) < elements) node_trace[std::size_t(node)] += b.squaredNorm();
    }
    for (std::size_t k = 0; k < 4; ++k) quaternions_[batch * 4 * lanes + k * lanes + lane] = T(k == 0 ? 1 : 0);
    const double ratio = material.lame_lambda() / material.lame_mu();
    rest_force_[slot] = T(root * (3.0 * ratio + 2.0));
    if (!uniform_ratio_) ratios_[slot] = T(ratio);
  }
  node_trace_.assign(node_trace.begin(), node_trace.end());
  pairs_.resize(graph.edge_places.size());
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const unsigned place = unsigned(graph.edge_places[k]), corner = place >> 2;
    pairs_[k] = {3 * corner, 3 * ((corner & ~3u) | (place & 3u))};
  }
  edge_trace_.resize(std::size_t(graph.edges.edge_count()));
  for (std::size_t edge = 0; edge < edge_trace_.size(); ++edge) {
    double sum = 0.0;
    for (int k = graph.edge_start[edge]; k < graph.edge_start[edge + 1]; ++k) {
      const T* bi = rotated_.data() + pairs_[std::size_t(k)].i;
      const T* bj = rotated_.data() + pairs_[std::size_t(k)].j;
      sum += double(bi[0]) * double(bj[0]) + double(bi[1]) * double(bj[1]) + double(bi[2]) * double(bj[2]);
    }
    edge_trace_[edge] = T(sum);
  }
}

template <class T>
void WarpedElements<T>::rotate(const T* x, int low, int high, const Matrix3& global) {
  constexpr int lanes = lane_count<T>, width = numerics::register_lanes<T>;
  using P = numerics::Batch<T>;
  using V = Pack<T, 4>;
  if (rule_.kind == RotationKind::Identity) return;  // the constructor left R = I

  for (int batch = low; batch < high; ++batch) {
    const unsigned* corners = corners_.data() + 4 * std::size_t(batch) * lanes;
    P b[9], r[9];
    for (int k = 0; k < 9; ++k) b[k] = P::from(gradients_.data() + (9 * std::size_t(batch) + std::size_t(k)) * lanes);
    T* quaternions = quaternions_.data() + 4 * std::size_t(batch) * lanes;
    if (rule_.kind == RotationKind::Global) {
      for (int k = 0; k < 9; ++k) r[k] = P::all(T(global(k / 3, k % 3)));
    } else {
      P f[9];
      gather_gradients<T>(x, corners, b, f);
      P sign = P::all(T(1));
      if (rule_.keep_reflection) {
        const P determinant = f[0] * (f[4] * f[8] - f[5] * f[7]) - f[1] * (f[3] * f[8] - f[5] * f[6]) +
                              f[2] * (f[3] * f[7] - f[4] * f[6]);
        sign = numerics::where_less<T>(determinant, P::all(T(0)), T(-1), T(1));
      }
      if (rule_.kind == RotationKind::Qr) {
        T matrices[9 * lanes];
        for (int k = 0; k < 9; ++k) f[k].to(matrices + k * lanes);
        for (int lane = 0; lane < lanes; ++lane) {
          Matrix3 matrix;
          for (int k = 0; k < 9; ++k) matrix(k / 3, k % 3) = double(matrices[k * lanes + lane]);
          const Matrix3 rotation = numerics::gram_schmidt_rotation(matrix, rule_.keep_reflection);
          for (int k = 0; k < 9; ++k) matrices[k * lanes + lane] = T(rotation(k / 3, k % 3));
        }
        for (int k = 0; k < 9; ++k) r[k] = P::from(matrices + k * lanes);
      } else {
        P q[4];
        for (int k = 0; k < 4; ++k) q[k] = P::from(quaternions + k * lanes);
        if (rule_.keep_reflection) {
          for (P& entry : f) entry = entry * sign;  // F = (−R) S with det F < 0: R is the rotation of −F
        }
        numerics::batched_polar<T>(f, q, r);
        for (int k = 0; k < 4; ++k) q[k].to(quaternions + k * lanes);
        if (rule_.keep_reflection) {
          for (P& entry : r) entry = entry * sign;
        }
      }
    }
    P out[12];  // corner 0…3 × xyz
    for (int a = 0; a < 3; ++a)
      for (int i = 0; i < 3; ++i)
        out[3 * (a + 1) + i] = r[3 * i] * b[3 * a] + r[3 * i + 1] * b[3 * a + 1] + r[3 * i + 2] * b[3 * a + 2];
    for (int i = 0; i < 3; ++i) out[i] = T(0) - (out[3 + i] + out[6 + i] + out[9 + i]);
    for (int reg = 0; reg < numerics::batch_registers; ++reg) {
      T* target = rotated_.data() + 12 * (std::size_t(batch) * lanes + std::size_t(reg * width));
      const auto write_group = [&]<int G>() {
        for (int third = 0; third < 3; ++third) {
          V rows[4];
          for (int k = 0; k < 4; ++k) rows[k] = part4<T, width, G>(out[4 * third + k].part[reg]);
          transpose4<T>(rows[0], rows[1], rows[2], rows[3]);
          for (int l = 0; l < 4; ++l) store(target + 12 * (4 * G + l) + 4 * third, rows[l]);
        }
      };
      [&]<int... G>(std::integer_sequence<int, G...>) {
        (write_group.template operator()<G>(), ...);
      }(std::make_integer_sequence<int, width / 4>{});
    }
  }
}

template <class T>
template <bool Uniform, class Matrix>
void WarpedElements<T>::assemble_rows(int low, int high, const T* weights, Matrix& a, T* g) const {
  using V = Pack<T, 4>;
  const T* rotated = rotated_.data();
  const MeshGraph& graph = *graph_;
  for (int i = low; i < high; ++i) {
    V force{};
    Outer<T> diagonal;
    for (int k = graph.node_start[std::size_t(i)]; k < graph.node_start[std::size_t(i) + 1]; ++k) {
      const int place = graph.node_places[std::size_t(k)];
      const V b = load<V>(rotated + 3 * std::size_t(place));
      force += b * rest_force_[std::size_t(place >> 2)];
      if constexpr (!Matrix::scatters) {
        const V scaled = Uniform ? b : V(b * (ratios_[std::size_t(place >> 2)] + T(1)));
        diagonal.add(rotated + 3 * std::size_t(place), scaled);
      }
    }
    store(g + 4 * std::size_t(i), keep_xyz<T>(force));
    if constexpr (Matrix::scatters) {
      a.weight(i) = weights[i];
    } else {
      const T factor = Uniform ? ratio_ + T(1) : T(1);
      write_block<T>(a.diagonal(i), factor * diagonal.h() + (node_trace_[std::size_t(i)] + weights[i]),
                     factor * diagonal.p(), factor * diagonal.s());
    }

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
      if constexpr (!Matrix::scatters) write_block<T>(a.lower(edge), h, rotate_down<T>(s), rotate_up<T>(p));
    }
  }
}

template <class T>
void WarpedElements<T>::assemble(int low, int high, const T* weights, numerics::FullBlockMatrix<T>& a, T* g) const {
  if (uniform_ratio_) assemble_rows<true>(low, high, weights, a, g);
  else assemble_rows<false>(low, high, weights, a, g);
}

template <class T>
void WarpedElements<T>::assemble(int low, int high, const T* weights, numerics::UpperBlockMatrix<T>& a, T* g) const {
  if (uniform_ratio_) assemble_rows<true>(low, high, weights, a, g);
  else assemble_rows<false>(low, high, weights, a, g);
}

template <class T>
std::vector<Matrix3> WarpedElements<T>::rotations() const {
  // b'_a = R b_a for three independent gradients gives R back for every rule, reflections included.
  constexpr int lanes = lane_count<T>;
  std::vector<Matrix3> result(std::size_t(graph_->element_count()), Matrix3::Identity());
  if (rule_.kind == RotationKind::Identity) return result;
  for (std::size_t slot = 0; slot < result.size(); ++slot) {
    Matrix3 rest, turned;
    for (int a = 0; a < 3; ++a) {
      for (int k = 0; k < 3; ++k) {
        rest(k, a) = double(gradients_[(slot / lanes) * 9 * lanes + std::size_t(3 * a + k) * lanes + slot % lanes]);
        turned(k, a) = double(rotated_[12 * slot + 3 * std::size_t(a + 1) + std::size_t(k)]);
      }
    }
    const Matrix3 r = turned * rest.inverse();
    result[std::size_t(graph_->element_of[slot])] =
        rule_.keep_reflection ? numerics::polar_orthogonal_factor(r) : numerics::polar_rotation(r);
  }
  return result;
}

template <class T>
void WarpedElements<T>::release() {
  const auto drop = [](auto& array) { std::remove_reference_t<decltype(array)>().swap(array); };
  drop(corners_), drop(gradients_), drop(quaternions_), drop(rotated_), drop(rest_force_), drop(ratios_);
  drop(edge_trace_), drop(node_trace_), drop(pairs_);
}

template class WarpedElements<float>;
template class WarpedElements<double>;

}  // namespace deformbench::fem
