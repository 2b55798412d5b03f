// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>

#include "methods/numerics/lanes.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::numerics {
namespace {

/// Partial sums of one thread, on a cache line of its own.
struct alignas(64) Partial {
  double pq = 0.0, rr = 0.0, rz = 0.0;
};

template <class T>
DEFORMBENCH_INLINE double total(Pack<T, 4> v) {
  return (double(v[0]) + double(v[1])) + double(v[2]);
}

}  // namespace

template <class T>
struct KrylovSpace<T>::Team {
  explicit Team(int threads) : barrier(threads), partials(std::size_t(threads)) {}
  SpinBarrier barrier;
  std::vector<Partial> partials;
  SolverResult result;
};

template <class T>
KrylovSpace<T>::KrylovSpace(const EdgePattern& pattern, std::vector<int> frozen, int threads)
    : ranges_(balanced_ranges(pattern, threads)), frozen_(std::move(frozen)) {
  const std::size_t size = 4 * std::size_t(pattern.nodes);
  residual.assign(size, T(0));
  direction_.assign(size, T(0));
  product_.assign(size, T(0));
}

template <class T>
void KrylovSpace<T>::clear_frozen(T* y, int low, int high) const {
  const auto begin = std::lower_bound(frozen_.begin(), frozen_.end(), low);
  for (auto i = begin; i != frozen_.end() && *i < high; ++i) store(y + 4 * std::size_t(*i), Pack<T, 4>{});
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
  run_team(threads(), [&](int t) {
    a.multiply_differences(ranges_[std::size_t(t)], ranges_[std::size_t(t) + 1], x, y);
  });
}

template <class T>
void KrylovSpace<T>::stiffness_products(const UpperBlockMatrix<T>& a, std::array<const T*, 2> x, std::array<T*, 2> y) {
  if (threads() > 1) reserve_halo(a);
  Team team(threads());
  run_team(threads(), [&](int t) {
    const int low = ranges_[std::size_t(t)], high = ranges_[std::size_t(t) + 1];
    std::array<T*, 2> past;
    for (std::size_t n = 0; n < 2; ++n) {
      std::fill(y[n] + 4 * std::size_t(low), y[n] + 4 * std::size_t(high), T(0));
      past[n] = threads() > 1 ? beyond(t, high, y[n], n) : y[n] + 4 * std::size_t(high);
    }
    a.add_rows(low, high, high, x, y, past);
    if (threads() == 1) return;
    team.barrier.wait();
    for (std::size_t n = 0; n < 2; ++n) add_halos(low, high, t, y[n], n);
  });
}

template <class T>
template <class Matrix, bool Weighted>
void KrylovSpace<T>::cg_thread(int thread, Team& team, const Matrix& a, T* x, double b_norm,
                               const SolverSettings& settings) {
  using V = Pack<T, 4>;
  const int low = ranges_[std::size_t(thread)], high = ranges_[std::size_t(thread) + 1];
  T* r = residual.data();
  T* p = direction_.data();
  T* q = product_.data();
  const T* weights = inverse_diagonal.data();
  Partial& mine = team.partials[std::size_t(thread)];

  const auto sum = [&](double Partial::*member) {  // the same order on every thread: the same bits
    double value = 0.0;
    for (const Partial& partial : team.partials) value += partial.*member;
    return value;
  };
  // r −= α q over this thread's rows, with the dot products of the next iteration.
  const auto update_residual = [&](T alpha) {
    mine.rr = mine.rz = 0.0;
    for (int begin = low; begin < high; begin += chunk_rows) {
      const int end = std::min(high, begin + chunk_rows);
      V rr{}, rz{};
      for (std::size_t i = 4 * std::size_t(begin); i < 4 * std::size_t(end); i += 4) {
        const V ri = load<V>(r + i) - alpha * load<V>(q + i);
        store(r + i, ri);
        rr += ri * ri;
        if constexpr (Weighted) rz += ri * load<V>(weights + i) * ri;
      }
      mine.rr += total<T>(rr);
      if constexpr (Weighted) mine.rz += total<T>(rz);
    }
    if constexpr (!Weighted) mine.rz = mine.rr;
  };

  std::fill(q + 4 * std::size_t(low), q + 4 * std::size_t(high), T(0));
  update_residual(T(0));
  team.barrier.wait();
  double rr = sum(&Partial::rr), rz = sum(&Partial::rz);
  const double scale = b_norm > 0.0 ? 1.0 / b_norm : 1.0;
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  int iteration = 0;
  T alpha = T(0), beta = T(0);

  for (; iteration < limit; ++iteration) {
    if (!(rr > 0.0) || !std::isfinite(rr)) break;
    if (settings.fixed_iterations == 0 && std::sqrt(rr) <= goal) break;

    // x += α p; p = z + β p; for the upper storage q starts with the diagonal's share.
    const auto advance = [&](int begin, int end) {
      for (int row = begin; row < end; ++row) {
        const std::size_t i = 4 * std::size_t(row);
        V z = load<V>(r + i);
        if constexpr (Weighted) z *= load<V>(weights + i);
        const V pi = load<V>(p + i);
        if (iteration > 0) store(x + i, load<V>(x + i) + alpha * pi);
        const V next = iteration > 0 ? V(z + beta * pi) : z;
        store(p + i, next);
        if constexpr (Matrix::scatters) store(q + i, a.weight(row) * next);
      }
    };
    const auto chunk_product = [&](int begin, int end, T* past) {
      if constexpr (Matrix::scatters) {
        a.add_rows(begin, end, high, std::array<const T*, 1>{p}, std::array<T*, 1>{q}, std::array<T*, 1>{past});
      } else {
        (void)past;
        a.multiply_rows(begin, end, p, q);
      }
      V pq{};
      for (std::size_t i = 4 * std::size_t(begin); i < 4 * std::size_t(end); i += 4) pq += load<V>(p + i) * load<V>(q + i);
      return total<T>(pq);
    };
    advance(low, high);
    T* past = nullptr;
    if constexpr (Matrix::scatters) past = beyond(thread, high, q);
    team.barrier.wait();
    double pq = 0.0;
    for (int begin = low; begin < high; begin += chunk_rows)
      pq += chunk_product(begin, std::min(high, begin + chunk_rows), past);
    if constexpr (Matrix::scatters) {  // p·q of the rows that belong to others
      if (thread + 1 < threads()) {
        const auto& halo = halos_[0][std::size_t(thread)];
        V part{};
        for (std::size_t i = 0; i < halo.size(); i += 4)
          part += load<V>(halo.data() + i) * load<V>(p + 4 * std::size_t(high) + i);
        pq += total<T>(part);
      }
    }
    mine.pq = pq;
    team.barrier.wait();
    pq = sum(&Partial::pq);
    alpha = T(rz / pq);
    if constexpr (Matrix::scatters) add_halos(low, high, thread, q);
    clear_frozen(q, low, high);
    update_residual(alpha);
    team.barrier.wait();
    rr = sum(&Partial::rr);
    const double next = sum(&Partial::rz);
    beta = T(next / rz);
    rz = next;
  }
  if (iteration > 0) {
    for (std::size_t i = 4 * std::size_t(low); i < 4 * std::size_t(high); i += 4)
      store(x + i, load<V>(x + i) + alpha * load<V>(p + i));
  }
  if (thread == 0) team.result = {iteration, std::sqrt(rr) * scale};
}

// The dot products of the next residual, r − α q, follow from those of r and q, which a single thread has at hand when it
// has just formed q: so the residual can wait for the next pass, and every vector moves through memory once an iteration.
// A large system is solved at the speed of memory; x is fetched in every other iteration only, which makes up for the one
// before with p_{k−1} = (p_k − z_k)/β_k.
template <class T>
template <class Matrix, bool Weighted>
SolverResult KrylovSpace<T>::cg_alone(const Matrix& a, T* x, double b_norm, const SolverSettings& settings) {
  using V = Pack<T, 4>;
  const int rows = ranges_.back();
  const std::size_t size = 4 * std::size_t(rows);
  T* r = residual.data();
  T* p = direction_.data();
  T* q = product_.data();
  const T* weights = inverse_diagonal.data();
  const auto weighted = [&](std::size_t i, V v) {
    if constexpr (Weighted) v *= load<V>(weights + i);
    return v;
  };
  constexpr double kLeastLeft = sizeof(T) == 4 ? 1e-3 : 1e-6;  // of r·r: below, its recurrence would be rounding
  constexpr double kLeastBeta = 1e-4;                          // below, p_{k−1} would be
  constexpr std::size_t kAhead = 512;      // numbers, a page of doubles: where the processor's own prefetching stops
  const bool is_large = rows > (1 << 16);  // more than the caches hold: 2 MB a vector of doubles
  struct Dots {
    double rr = 0.0, rz = 0.0;
  };
  T alpha = T(0), beta = T(0);  // of the step from the last direction to this one
  T owed = T(0);                // α of the direction before the last one divided by its β, where x has yet to get it
  bool is_behind = false;       // r lacks −α q
  int iteration = 0;
  const auto add_to_x = [&](std::size_t i, V pi, V ri) {
    V xi = load<V>(x + i) + alpha * pi;
    if (owed != T(0)) xi += owed * (pi - weighted(i, ri));
    store(x + i, xi);
  };
  const auto update_residual = [&](T step) {  // r −= step q, now
    Dots dots;
    for (int begin = 0; begin < rows; begin += chunk_rows) {
      V rr{}, rz{};
      for (std::size_t i = 4 * std::size_t(begin); i < 4 * std::size_t(std::min(rows, begin + chunk_rows)); i += 4) {
        const V ri = load<V>(r + i) - step * load<V>(q + i);
        store(r + i, ri);
        rr += ri * ri;
        if constexpr (Weighted) rz += ri * weighted(i, ri);
      }
      dots.rr += total<T>(rr);
      if constexpr (Weighted) dots.rz += total<T>(rz);
    }
    if constexpr (!Weighted) dots.rz = dots.rr;
    return dots;
  };
  const auto settle = [&] {  // for where the recurrence is not good enough
    for (std::size_t i = 0; i < size; i += 4) add_to_x(i, load<V>(p + i), load<V>(r + i));
    const Dots dots = update_residual(alpha);
    alpha = owed = T(0);
    is_behind = false;
    return dots;
  };

  std::fill(q, q + size, T(0));
  Dots left = update_residual(T(0));
  const double scale = b_norm > 0.0 ? 1.0 / b_norm : 1.0;
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  for (; iteration < limit; ++iteration) {
    if (!(left.rr > 0.0) || !std::isfinite(left.rr)) break;
    if (settings.fixed_iterations == 0 && std::sqrt(left.rr) <= goal) break;

    const bool adds_to_x = alpha != T(0) && (owed != T(0) || !(double(beta) > kLeastBeta));
    const T step = is_behind ? alpha : T(0);
    Dots dots;
    double pq = 0.0, rq = 0.0, zq = 0.0, qq = 0.0, qwq = 0.0;
    const auto advance = [&](int begin, int end) {
      V rr{}, rz{};
      for (int row = begin; row < end; ++row) {
        const std::size_t i = 4 * std::size_t(row);
        if (is_large) {
          for (const T* y : {r, q, p}) __builtin_prefetch(y + i + kAhead);
          if (adds_to_x) __builtin_prefetch(x + i + kAhead);
        }
        const V before = load<V>(r + i), ri = before - step * load<V>(q + i), z = weighted(i, ri), pi = load<V>(p + i);
        if (adds_to_x) add_to_x(i, pi, before);
        const V next = iteration > 0 ? V(z + beta * pi) : z;
        store(r + i, ri);
        store(p + i, next);
        if constexpr (Matrix::scatters) store(q + i, a.weight(row) * next);
        rr += ri * ri;
        if constexpr (Weighted) rz += ri * z;
      }
      dots.rr += total<T>(rr);
      if constexpr (Weighted) dots.rz += total<T>(rz);
    };
    auto frozen = frozen_.begin();
    for (int begin = 0, chunk = 0, known = 0; begin < rows; begin += chunk_rows, ++chunk) {
      const int end = std::min(rows, begin + chunk_rows);
      advance(known, a.front(chunk));
      known = a.front(chunk);
      if constexpr (Matrix::scatters) {
        a.add_rows(begin, end, rows, std::array<const T*, 1>{p}, std::array<T*, 1>{q}, std::array<T*, 1>{q + size});
      } else {
        a.multiply_rows(begin, end, p, q);
      }
      for (; frozen != frozen_.end() && *frozen < end; ++frozen) store(q + 4 * std::size_t(*frozen), V{});
      V spq{}, srq{}, szq{}, sqq{}, sqwq{};
      for (std::size_t i = 4 * std::size_t(begin); i < 4 * std::size_t(end); i += 4) {
        const V pi = load<V>(p + i), qi = load<V>(q + i), ri = load<V>(r + i);
        spq += pi * qi, srq += ri * qi, sqq += qi * qi;
        if constexpr (Weighted) szq += weighted(i, ri) * qi, sqwq += weighted(i, qi) * qi;
      }
      pq += total<T>(spq), rq += total<T>(srq), qq += total<T>(sqq);
      if constexpr (Weighted) zq += total<T>(szq), qwq += total<T>(sqwq);
    }
    if constexpr (!Weighted) dots.rz = dots.rr, zq = rq, qwq = qq;
    if (adds_to_x) owed = T(0);
    else if (alpha != T(0)) owed = T(double(alpha) / double(beta));
    const double step_now = dots.rz / pq;
    left = {dots.rr - step_now * (2.0 * rq - step_now * qq), dots.rz - step_now * (2.0 * zq - step_now * qwq)};
    alpha = T(step_now);
    is_behind = true;
    if (!(left.rr > kLeastLeft * dots.rr && left.rz > kLeastLeft * dots.rz)) left = settle();
    beta = T(left.rz / dots.rz);
  }
  if (is_behind) left = settle();
  return {iteration, std::sqrt(left.rr) * scale};
}

template <class T>
template <class Matrix>
SolverResult KrylovSpace<T>::conjugate_gradient(const Matrix& a, T* x, double b_norm, const SolverSettings& settings) {
  if (threads() == 1)
    return inverse_diagonal.empty() ? cg_alone<Matrix, false>(a, x, b_norm, settings) : cg_alone<Matrix, true>(a, x, b_norm, settings);
  if constexpr (Matrix::scatters) reserve_halo(a);
  Team team(threads());
  run_team(threads(), [&](int thread) {
    if (inverse_diagonal.empty()) cg_thread<Matrix, false>(thread, team, a, x, b_norm, settings);
    else cg_thread<Matrix, true>(thread, team, a, x, b_norm, settings);
  });
  return team.result;
}

template <class T>
SolverResult KrylovSpace<T>::bicgstab(const FullBlockMatrix<T>& a, T* x, double b_norm, const SolverSettings& settings) {
  using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  using Map = Eigen::Map<Vector>;
  const Eigen::Index size = Eigen::Index(residual.size());
  const int nodes = int(size / 4);
  Map r(residual.data(), size), p(direction_.data(), size), v(product_.data(), size), solution(x, size);
  Vector shadow = r, s(size), t(size), y(size);
  const auto precondition = [&](const auto& from, Vector& to) {
    to = from;
    if (!inverse_diagonal.empty()) to.array() *= Eigen::Map<const Vector>(inverse_diagonal.data(), size).array();
  };
  const auto product = [&](const Vector& from, T* to) {
    a.multiply_rows(0, nodes, from.data(), to);
    clear_frozen(to, 0, nodes);
  };
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  T rho = 1, alpha = 1, omega = 1;
  p.setZero();
  v.setZero();
  SolverResult result;
  for (; result.iterations < limit; ++result.iterations) {
    const double norm = double(r.norm());
    if (!(norm > 0.0) || !std::isfinite(norm) || (settings.fixed_iterations == 0 && norm <= goal)) break;
    T next = shadow.dot(r);
    if (std::abs(double(next)) <= 1e-30 * double(shadow.squaredNorm())) {  // breakdown: start anew from here
      shadow = r;
      next = shadow.dot(r);
      p.setZero();
      v.setZero();
      rho = alpha = omega = 1;
    }
    p = r + (next / rho) * (alpha / omega) * (p - omega * v);
    rho = next;
    precondition(p, y);
    product(y, v.data());
    alpha = rho / shadow.dot(v);
    s = r - alpha * v;
    solution += alpha * y;
    precondition(s, y);
    product(y, t.data());
    const T tt = t.squaredNorm();
    omega = tt > T(0) ? t.dot(s) / tt : T(0);
    solution += omega * y;
    r = s - omega * t;
    if (omega == T(0)) {
      ++result.iterations;
      break;
    }
  }
  result.residual = double(r.norm()) / (b_norm > 0.0 ? b_norm : 1.0);
  return result;
}

#define DEFORMBENCH_INSTANTIATE(T)                                                                                   \
  template class KrylovSpace<T>;                                                                                     \
  template SolverResult KrylovSpace<T>::conjugate_gradient(const FullBlockMatrix<T>&, T*, double, const SolverSettings&); \
  template SolverResult KrylovSpace<T>::conjugate_gradient(const UpperBlockMatrix<T>&, T*, double, const SolverSettings&);
DEFORMBENCH_INSTANTIATE(float)
DEFORMBENCH_INSTANTIATE(double)
#undef DEFORMBENCH_INSTANTIATE

}  // namespace deformbench::numerics
