// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/block_matrix.hpp"

#include <algorithm>

#include "methods/numerics/lanes.hpp"

namespace deformbench::numerics {
namespace {

std::vector<int> fronts(int nodes, const std::vector<int>& row_start, const std::vector<int>& column) {
  std::vector<int> result;
  int front = 0;
  for (int low = 0; low < nodes; low += chunk_rows) {
    const int high = std::min(nodes, low + chunk_rows);
    front = std::max(front, high);
    for (int k = row_start[std::size_t(low)]; k < row_start[std::size_t(high)]; ++k)
      front = std::max(front, column[std::size_t(k)] + 1);
    result.push_back(front);
  }
  return result;
}

}  // namespace

int EdgePattern::row_of(int edge) const {
  return int(std::upper_bound(row_start.begin(), row_start.end(), edge) - row_start.begin()) - 1;
}

std::vector<int> balanced_ranges(const EdgePattern& pattern, int threads) {
  std::vector<int> ranges(std::size_t(threads) + 1, pattern.nodes);
  ranges[0] = 0;
  const long long total = pattern.edge_count() + pattern.nodes;
  for (int t = 1; t < threads; ++t) {
    const long long target = total * t / threads;
    int low = 0, high = pattern.nodes;
    while (low < high) {
      const int middle = low + (high - low) / 2;
      if (pattern.row_start[std::size_t(middle)] + middle < target) low = middle + 1;
      else high = middle;
    }
    ranges[std::size_t(t)] = low;
  }
  return ranges;
}

// ---- full storage

template <class T>
FullBlockMatrix<T>::FullBlockMatrix(const EdgePattern& pattern) : nodes_(pattern.nodes) {
  const int edges = pattern.edge_count();
  row_start_.assign(std::size_t(nodes_) + 1, 0);
  for (int i = 0; i < nodes_; ++i) {
    row_start_[std::size_t(i) + 1] += pattern.row_start[std::size_t(i) + 1] - pattern.row_start[std::size_t(i)];
    for (int k = pattern.row_start[std::size_t(i)]; k < pattern.row_start[std::size_t(i) + 1]; ++k)
      ++row_start_[std::size_t(pattern.column[std::size_t(k)]) + 1];
  }
  for (int i = 0; i < nodes_; ++i) row_start_[std::size_t(i) + 1] += row_start_[std::size_t(i)];
  column_.resize(2 * std::size_t(edges));
  upper_slot_.resize(std::size_t(edges));
  lower_slot_.resize(std::size_t(edges));
  std::vector<int> next(row_start_.begin(), row_start_.end() - 1);
  for (int i = 0; i < nodes_; ++i) {  // lower blocks first: the columns of a row come out sorted
    for (int k = pattern.row_start[std::size_t(i)]; k < pattern.row_start[std::size_t(i) + 1]; ++k) {
      const int j = pattern.column[std::size_t(k)];
      lower_slot_[std::size_t(k)] = next[std::size_t(j)]++;
      column_[std::size_t(lower_slot_[std::size_t(k)])] = i;
    }
  }
  for (int i = 0; i < nodes_; ++i) {
    for (int k = pattern.row_start[std::size_t(i)]; k < pattern.row_start[std::size_t(i) + 1]; ++k) {
      upper_slot_[std::size_t(k)] = next[std::size_t(i)]++;
      column_[std::size_t(upper_slot_[std::size_t(k)])] = pattern.column[std::size_t(k)];
    }
  }
  front_ = fronts(nodes_, row_start_, column_);
  blocks_.assign(24 * std::size_t(edges) + 12, T(0));
  diagonal_.assign(12 * std::size_t(nodes_), T(0));
}

template <class T>
void FullBlockMatrix<T>::set_zero() {
  std::fill(blocks_.begin(), blocks_.end(), T(0));
  std::fill(diagonal_.begin(), diagonal_.end(), T(0));
}

template <class T>
void FullBlockMatrix<T>::multiply_rows(int low, int high, const T* x, T* y) const {
  using V = Pack<T, 4>;
  const int* column = column_.data();
  const T* blocks = blocks_.data();
  for (int i = low; i < high; ++i) {
    const T* d = diagonal_.data() + 12 * std::size_t(i);
    const T* xi = x + 4 * std::size_t(i);
    int k = row_start_[std::size_t(i)];
    const int end = row_start_[std::size_t(i) + 1];
    V sum;
    if constexpr (8 * int(sizeof(T)) <= vector_bytes) {
      // Two blocks are six columns: three registers of eight numbers.
      using W = Pack<T, 8>;
      W a{}, b{}, c{};
      for (; k + 1 < end; k += 2) {
        const T* block = blocks + 12 * std::size_t(k);
        const V x0 = load<V>(x + 4 * std::size_t(column[k])), x1 = load<V>(x + 4 * std::size_t(column[k + 1]));
        const W both = __builtin_shufflevector(x0, x1, 0, 1, 2, 3, 4, 5, 6, 7);
        a += load<W>(block) * __builtin_shufflevector(both, both, 0, 0, 0, 0, 1, 1, 1, 1);
        b += load<W>(block + 8) * __builtin_shufflevector(both, both, 2, 2, 2, 2, 4, 4, 4, 4);
        c += load<W>(block + 16) * __builtin_shufflevector(both, both, 5, 5, 5, 5, 6, 6, 6, 6);
      }
      const W all = a + b + c;
      sum = part4<T, 8, 0>(all) + part4<T, 8, 1>(all);
      sum += load<V>(d) * xi[0] + load<V>(d + 4) * xi[1] + load<V>(d + 8) * xi[2];
      if (k < end) {
        const T* block = blocks + 12 * std::size_t(k);
        const T* xj = x + 4 * std::size_t(column[k]);
        sum += load<V>(block) * xj[0] + load<V>(block + 4) * xj[1] + load<V>(block + 8) * xj[2];
      }
    } else {
      V a = load<V>(d) * xi[0], b = load<V>(d + 4) * xi[1], c = load<V>(d + 8) * xi[2];
      for (; k < end; ++k) {
        const T* block = blocks + 12 * std::size_t(k);
        const T* xj = x + 4 * std::size_t(column[k]);
        a += load<V>(block) * xj[0];
        b += load<V>(block + 4) * xj[1];
        c += load<V>(block + 8) * xj[2];
      }
      sum = a + b + c;
    }
    store(y + 4 * std::size_t(i), keep_xyz<T>(sum));
  }
}

template <class T>
void FullBlockMatrix<T>::multiply_differences(int low, int high, const T* x, T* y) const {
  using V = Pack<T, 4>;
  for (int i = low; i < high; ++i) {
    const V xi = load<V>(x + 4 * std::size_t(i));
    V a{}, b{}, c{};
    for (int k = row_start_[std::size_t(i)]; k < row_start_[std::size_t(i) + 1]; ++k) {
      const T* block = blocks_.data() + 12 * std::size_t(k);
      const V d = load<V>(x + 4 * std::size_t(column_[std::size_t(k)])) - xi;
      a += load<V>(block) * __builtin_shufflevector(d, d, 0, 0, 0, 0);
      b += load<V>(block + 4) * __builtin_shufflevector(d, d, 1, 1, 1, 1);
      c += load<V>(block + 8) * __builtin_shufflevector(d, d, 2, 2, 2, 2);
    }
    store(y + 4 * std::size_t(i), keep_xyz<T>(a + b + c));
  }
}

template <class T>
void FullBlockMatrix<T>::diagonal_entries(T* to) const {
  for (int i = 0; i < nodes_; ++i, to += 4) {
    for (int k = 0; k < 3; ++k) to[k] = diagonal(i)[5 * k];
    to[3] = T(0);
  }
}

template <class T>
Eigen::SparseMatrix<double> FullBlockMatrix<T>::to_sparse() const {
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(9 * (column_.size() + std::size_t(nodes_)));
  const auto add = [&](int i, int j, const T* block) {
    for (int c = 0; c < 3; ++c)
      for (int r = 0; r < 3; ++r) entries.emplace_back(3 * i + r, 3 * j + c, double(block[4 * c + r]));
  };
  for (int i = 0; i < nodes_; ++i) {
    add(i, i, diagonal(i));
    for (int k = row_start_[std::size_t(i)]; k < row_start_[std::size_t(i) + 1]; ++k)
      add(i, column_[std::size_t(k)], blocks_.data() + 12 * std::size_t(k));
  }
  Eigen::SparseMatrix<double> a(3 * nodes_, 3 * nodes_);
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

// ---- upper storage

template <class T>
UpperBlockMatrix<T>::UpperBlockMatrix(const EdgePattern& pattern) : pattern_(&pattern) {
  front_ = fronts(pattern.nodes, pattern.row_start, pattern.column);
  blocks_.assign(9 * std::size_t(pattern.edge_count()) + 8, T(0));
  weight_.assign(std::size_t(pattern.nodes), T(0));
}

template <class T>
int UpperBlockMatrix<T>::reach(int low, int high) const {
  int last = high;
  for (int k = pattern_->row_start[std::size_t(low)]; k < pattern_->row_start[std::size_t(high)]; ++k)
    last = std::max(last, pattern_->column[std::size_t(k)] + 1);
  return last;
}

template <class T>
void UpperBlockMatrix<T>::add_rows_within(int low, int high, int limit, const T* x, T* y, T* beyond) const {
  using V = Pack<T, 4>;
  const int* column = pattern_->column.data();
  const int* row_start = pattern_->row_start.data();
  T* past = beyond - 4 * std::ptrdiff_t(limit);
  for (int i = low; i < high; ++i) {
    const V xi = load<V>(x + 4 * std::size_t(i));
    V a{}, b{}, c{};
    for (int k = row_start[i]; k < row_start[i + 1]; ++k) {
      const T* block = blocks_.data() + 9 * std::size_t(k);
      const int j = column[k];
      const V d = load<V>(x + 4 * std::size_t(j)) - xi;
      const V c0 = load<V>(block), c1 = load<V>(block + 3), c2 = load<V>(block + 6);
      a += c0 * __builtin_shufflevector(d, d, 0, 0, 0, 0);
      b += c1 * __builtin_shufflevector(d, d, 1, 1, 1, 1);
      c += c2 * __builtin_shufflevector(d, d, 2, 2, 2, 2);
      T* yj = (j < limit ? y : past) + 4 * std::ptrdiff_t(j);
      store(yj, load<V>(yj) - sum_each<T>(c0 * d, c1 * d, c2 * d));  // K_ji (x_i − x_j), K_ji = K_ijᵀ
    }
    T* yi = y + 4 * std::size_t(i);
    store(yi, load<V>(yi) + keep_xyz<T>(a + b + c));
  }
}

template <class T>
void UpperBlockMatrix<T>::diagonal_entries(T* to) const {
  for (int i = 0; i < nodes(); ++i)
    for (int k = 0; k < 4; ++k) to[4 * i + k] = k < 3 ? weight(i) : T(0);
  for (int i = 0; i < nodes(); ++i) {
    for (int e = pattern_->row_start[std::size_t(i)]; e < pattern_->row_start[std::size_t(i) + 1]; ++e) {
      for (int k = 0; k < 3; ++k) {
        to[4 * std::size_t(i) + std::size_t(k)] -= upper(e)[4 * k];
        to[4 * std::size_t(pattern_->column[std::size_t(e)]) + std::size_t(k)] -= upper(e)[4 * k];
      }
    }
  }
}

template <class T>
Eigen::SparseMatrix<double> UpperBlockMatrix<T>::to_sparse() const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < nodes(); ++i) {
    for (int r = 0; r < 3; ++r) entries.emplace_back(3 * i + r, 3 * i + r, double(weight(i)));
    for (int k = pattern_->row_start[std::size_t(i)]; k < pattern_->row_start[std::size_t(i) + 1]; ++k) {
      const int j = pattern_->column[std::size_t(k)];
      for (int c = 0; c < 3; ++c) {
        for (int r = 0; r < 3; ++r) {
          const double value = double(upper(k)[3 * c + r]);
          entries.emplace_back(3 * i + r, 3 * j + c, value);
          entries.emplace_back(3 * j + c, 3 * i + r, value);
          entries.emplace_back(3 * i + r, 3 * i + c, -value);
          entries.emplace_back(3 * j + c, 3 * j + r, -value);
        }
      }
    }
  }
  Eigen::SparseMatrix<double> a(3 * nodes(), 3 * nodes());
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

template class FullBlockMatrix<float>;
template class FullBlockMatrix<double>;
template class UpperBlockMatrix<float>;
template class UpperBlockMatrix<double>;

}  // namespace deformbench::numerics
