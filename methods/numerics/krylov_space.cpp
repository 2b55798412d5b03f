// SPDX-License-Identifier: BSD-3-Clause
// Frozen rows, halos between threads, and products with K.
#include <algorithm>

#include "methods/numerics/conjugate_gradient.hpp"
#include "methods/numerics/lanes.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::numerics {

template <class T>
KrylovSpace<T>::KrylovSpace(const EdgePattern& pattern, std::vector<int> frozen, int threads,
                            std::vector<Components> components)
    : ranges_(balanced_ranges(pattern, threads)), frozen_(std::move(frozen)) {
  const bool are_whole =
      std::all_of(components.begin(), components.end(), [](Components set) { return set == kAllComponents; });
  if (!are_whole) components_ = std::move(components);
  const std::size_t size = 4 * std::size_t(pattern.nodes);
  residual.assign(size, T(0));
  direction_.assign(size, T(0));
  product_.assign(size, T(0));
}

template <class T>
void KrylovSpace<T>::clear_node(T* y, std::size_t k) const {
  T* node = y + 4 * std::size_t(frozen_[k]);
  if (components_.empty()) {
    store(node, Pack<T, 4>{});
    return;
  }
  for (std::size_t c = 0; c < 3; ++c)
    if (has_component(components_[k], c)) node[c] = T(0);
}

template <class T>
void KrylovSpace<T>::clear_frozen(T* y, int low, int high) const {
  const auto begin = std::lower_bound(frozen_.begin(), frozen_.end(), low);
  for (auto k = std::size_t(begin - frozen_.begin()); k < frozen_.size() && frozen_[k] < high; ++k) clear_node(y, k);
}

template <class T>
void KrylovSpace<T>::reserve_halo(const UpperBlockMatrix<T>& a) {
  if (!halos_[0].empty()) return;
  for (auto& halos : halos_) {
    halos.resize(std::size_t(threads()));
    for (int t = 0; t + 1 < threads(); ++t) {
      const int low = ranges_[std::size_t(t)], high = ranges_[std::size_t(t) + 1];
      halos[std::size_t(t)].assign(4 * std::size_t(a.reach(low, high) - high), T(0));
    }
  }
}

template <class T>
T* KrylovSpace<T>::beyond(int thread, int high, T* y, std::size_t which) {
  if (thread + 1 >= threads() || halos_[which][std::size_t(thread)].empty()) return y + 4 * std::size_t(high);
  auto& halo = halos_[which][std::size_t(thread)];
  std::fill(halo.begin(), halo.end(), T(0));
  return halo.data();
}

template <class T>
void KrylovSpace<T>::add_halos(int low, int high, int thread, T* y, std::size_t which) const {
  using V = Pack<T, 4>;
  for (int t = 0; t < thread; ++t) {
    const auto& halo = halos_[which][std::size_t(t)];
    const int start = ranges_[std::size_t(t) + 1];
    const int end = std::min(high, start + int(halo.size() / 4));
    for (int i = std::max(low, start); i < end; ++i) {
      T* yi = y + 4 * std::size_t(i);
      store(yi, load<V>(yi) + load<V>(halo.data() + 4 * std::size_t(i - start)));
    }
  }
}

template <class T>
void KrylovSpace<T>::stiffness_products(const FullBlockMatrix<T>& a, std::array<const T*, 2> x, std::array<T*, 2> y) {
  run_team(threads(),
           [&](int t) { a.multiply_differences(ranges_[std::size_t(t)], ranges_[std::size_t(t) + 1], x, y); });
}

template <class T>
void KrylovSpace<T>::stiffness_products(const UpperBlockMatrix<T>& a, std::array<const T*, 2> x, std::array<T*, 2> y) {
  if (threads() > 1) reserve_halo(a);
  Barrier barrier(threads());
  run_team(threads(), [&](int t) {
    const int low = ranges_[std::size_t(t)], high = ranges_[std::size_t(t) + 1];
    std::array<T*, 2> past;
    for (std::size_t n = 0; n < 2; ++n) {
      std::fill(y[n] + 4 * std::size_t(low), y[n] + 4 * std::size_t(high), T(0));
      past[n] = threads() > 1 ? beyond(t, high, y[n], n) : y[n] + 4 * std::size_t(high);
    }
    a.add_rows(low, high, high, x, y, past);
    if (threads() == 1) return;
    barrier.arrive_and_wait(t);
    for (std::size_t n = 0; n < 2; ++n) add_halos(low, high, t, y[n], n);
  });
}

template class KrylovSpace<float>;
template class KrylovSpace<double>;

}  // namespace deformbench::numerics
