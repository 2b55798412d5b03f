// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/conjugate_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include "methods/numerics/lanes.hpp"
#include "methods/numerics/team.hpp"

namespace deformbench::numerics {
namespace {

/// After `iterations`, with ‖r‖₂ = norm.
SolverResult result_of(int iterations, double norm, double b_norm, const SolverSettings& settings) {
  SolverResult result{iterations, norm / (b_norm > 0.0 ? b_norm : 1.0)};
  if (settings.fixed_iterations == 0) result.converged = norm <= settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  return result;
}

/// Asks for numbers that another thread has read, before they are written: the lines come while something else is done.
template <class T>
DEFORMBENCH_INLINE void claim(std::span<T> numbers) {
  for (std::size_t i = 0; i < numbers.size(); i += 64 / sizeof(T)) __builtin_prefetch(numbers.data() + i, 1);
}

/// Asks for numbers that another thread has written, before they are read.
template <class T>
DEFORMBENCH_INLINE void fetch(std::span<const T> numbers) {
  for (std::size_t i = 0; i < numbers.size(); i += 64 / sizeof(T)) __builtin_prefetch(numbers.data() + i);
}

template <class T>
using Wide = Pack<T, register_lanes<T>>;

/// Calls work(i, pack) with the first number of rows low … high − 1, a register of them at a time, then row by row; the
/// pack gives only its type.
template <class T, class Work>
DEFORMBENCH_INLINE void each_pack(int low, int high, Work&& work) {
  std::size_t i = 4 * std::size_t(low);
  const std::size_t end = 4 * std::size_t(high);
  for (; i + register_lanes<T> <= end; i += register_lanes<T>) work(i, Wide<T>{});
  for (; i < end; i += 4) work(i, Pack<T, 4>{});
}

/// Adds up packs of both widths.
template <class T>
struct Sum {
  Wide<T> wide{};
  Pack<T, 4> narrow{};
  template <class P>
  DEFORMBENCH_INLINE void operator+=(const P& pack) {
    if constexpr (sizeof(P) == sizeof(wide))
      wide += pack;
    else
      narrow += pack;
  }
  DEFORMBENCH_INLINE double total() const {
    constexpr int lanes = register_lanes<T>;
    Pack<T, 4> v = part4<T, lanes, 0>(wide);
    if constexpr (lanes == 8) v += part4<T, lanes, 1>(wide);
    if constexpr (lanes == 16)
      v = (v + part4<T, lanes, 2>(wide)) + (part4<T, lanes, 1>(wide) + part4<T, lanes, 3>(wide));
    v += narrow;
    return (double(v[0]) + double(v[1])) + double(v[2]);
  }
};

}  // namespace

template <class T>
struct KrylovSpace<T>::Team {
  explicit Team(int threads) : barrier(threads) {}
  Barrier barrier;
  SolverResult result;
};

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

template <class T>
template <bool Weighted>
void KrylovSpace<T>::update_residual(T step, int low, int high, Dots& dots) {
  T* r = residual.data();
  const T *q = product_.data(), *weights = inverse_diagonal.data();
  for (int begin = low; begin < high; begin += kChunkRows) {
    Sum<T> rr, rz;
    each_pack<T>(begin, std::min(high, begin + kChunkRows), [&]<class P>(std::size_t i, P) {
      const P ri = load<P>(r + i) - step * load<P>(q + i);
      store(r + i, ri);
      rr += ri * ri;
      if constexpr (Weighted) rz += ri * (load<P>(weights + i) * ri);
    });
    dots.rr += rr.total();
    dots.rz += Weighted ? rz.total() : rr.total();
  }
}

template <class T>
template <class Matrix, bool Weighted>
void KrylovSpace<T>::cg_thread(int thread, Team& team, const Matrix& a, T* x, double b_norm,
                               const SolverSettings& settings) {
  const int low = ranges_[std::size_t(thread)], high = ranges_[std::size_t(thread) + 1];
  T* r = residual.data();
  T* p = direction_.data();
  T* q = product_.data();
  const T* weights = inverse_diagonal.data();
  Barrier& barrier = team.barrier;
  // What this thread adds to rows of others, and its own rows that the thread before it reads.
  const auto reach = [&](int t) {
    return Matrix::scatters && t >= 0 && t + 1 < threads() ? halos_[0][std::size_t(t)].size() : 0;
  };
  const std::span<T> halo = reach(thread) > 0 ? std::span<T>(halos_[0][std::size_t(thread)]) : std::span<T>();
  const std::span<T> seam(p + 4 * std::size_t(low), reach(thread - 1));
  int own = low;  // from here on no other thread adds; at the start of a line
  for (int t = 0; t < thread; ++t) {
    const int rows = (int(reach(t) / 4) + kLineRows - 1) / kLineRows * kLineRows;
    own = std::clamp(ranges_[std::size_t(t) + 1] + rows, own, high);
  }

  std::fill(q + 4 * std::size_t(low), q + 4 * std::size_t(high), T(0));
  Dots dots;
  update_residual<Weighted>(T(0), low, high, dots);
  auto [rr, rz] = barrier.sum<2>(thread, {dots.rr, dots.rz});
  const double goal = settings.tolerance * (b_norm > 0.0 ? b_norm : 1.0);
  const int limit = settings.fixed_iterations > 0 ? settings.fixed_iterations : settings.max_iterations;
  int iteration = 0;
  T alpha = T(0), beta = T(0);

  for (; iteration < limit; ++iteration) {
    if (!(rr > 0.0) || !std::isfinite(rr)) break;
    if (settings.fixed_iterations == 0 && std::sqrt(rr) <= goal) break;

    claim(halo);
    // x += α p; p = z + β p; for the upper storage q starts with the diagonal's share.
    each_pack<T>(low, high, [&]<class P>(std::size_t i, P) {
      P z = load<P>(r + i);
      if constexpr (Weighted) z *= load<P>(weights + i);
      const P pi = load<P>(p + i);
      if (iteration > 0) store(x + i, load<P>(x + i) + alpha * pi);
      store(p + i, iteration > 0 ? P(z + beta * pi) : z);
    });
    if constexpr (Matrix::scatters) a.start_product(low, high, p, q);
    barrier.arrive<0>(thread, {});
    bool knows_others = false;  // p of the other threads' rows: asked for half-way, when they are long there
    [[maybe_unused]] T* past = nullptr;
    if constexpr (Matrix::scatters) past = beyond(thread, high, q);
    double pq = 0.0;
    for (int begin = low; begin < high; begin += kChunkRows) {
      const int end = std::min(high, begin + kChunkRows);
      if (!knows_others && (!Matrix::scatters || 2 * begin >= low + high || a.front((end - 1) / kChunkRows) > high)) {
        barrier.wait<0>(thread);
        fetch(std::span<const T>(p + 4 * std::size_t(high), halo.size()));
        knows_others = true;
      }
      if constexpr (Matrix::scatters) {
        a.add_rows(begin, end, high, std::array<const T*, 1>{p}, std::array<T*, 1>{q}, std::array<T*, 1>{past});
      } else {
        a.multiply_rows(begin, end, p, q);
      }
      Sum<T> own_pq;
      each_pack<T>(begin, end, [&]<class P>(std::size_t i, P) { own_pq += load<P>(p + i) * load<P>(q + i); });
      pq += own_pq.total();
    }
    if (!knows_others) barrier.wait<0>(thread);
    Sum<T> others;  // p·q of rows that belong to them
    each_pack<T>(0, int(halo.size() / 4), [&]<class P>(std::size_t i, P) {
      others += load<P>(halo.data() + i) * load<P>(p + 4 * std::size_t(high) + i);
    });
    pq += others.total();
    alpha = T(rz / barrier.sum<1>(thread, {pq})[0]);
    // What has come from the others is on its way while the rows that got nothing are treated.
    if (!seam.empty()) fetch(std::span<const T>(halos_[0][std::size_t(thread) - 1]));
    dots = {};
    clear_frozen(q, own, high);
    update_residual<Weighted>(alpha, own, high, dots);
    if constexpr (Matrix::scatters) add_halos(low, own, thread, q);
    clear_frozen(q, low, own);
    update_residual<Weighted>(alpha, low, own, dots);
    claim(seam);
    const auto [next_rr, next_rz] = barrier.sum<2>(thread, {dots.rr, dots.rz});
    beta = T(next_rz / rz);
    rr = next_rr, rz = next_rz;
  }
  if (iteration > 0) {
    each_pack<T>(low, high, [&]<class P>(std::size_t i, P) { store(x + i, load<P>(x + i) + alpha * load<P>(p + i)); });
  }
  if (thread == 0) team.result = result_of(iteration, std::sqrt(rr), b_norm, settings);
}

// The dot products of the next residual, r − α q, follow from those of r and q, which a single thread has at hand when
// it has just formed q: so the residual can wait for the next pass, and every vector moves through memory once an
// iteration. A large system is solved at the speed of memory; x is fetched in every other iteration only, which makes
// up for the one before with p_{k−1} = (p_k − z_k)/β_k.
template <class T>
template <class Matrix, bool Weighted>
SolverResult KrylovSpace<T>::cg_alone(const Matrix& a, T* x, double b_norm, const SolverSettings& settings) {
  const int rows = ranges_.back();
  const std::size_t size = 4 * std::size_t(rows);
  T* r = residual.data();
  T* p = direction_.data();
  T* q = product_.data();
  const T* weights = inverse_diagonal.data();
  const auto weighted = [&]<class P>(std::size_t i, P v) {
    if constexpr (Weighted) v *= load<P>(weights + i);
    return v;
  };
  constexpr double kLeastLeft = sizeof(T) == 4 ? 1e-3 : 1e-6;  // of r·r: below, its recurrence would be rounding
  constexpr double kLeastBeta = 1e-4;                          // below, p_{k−1} would be
  constexpr std::size_t kAhead = 512;      // numbers, a page of doubles: where the processor's own prefetching stops
  const bool is_large = rows > (1 << 16);  // more than the caches hold: 2 MB a vector of doubles
  T alpha = T(0), beta = T(0);             // of the step from the last direction to this one
  T owed = T(0);           // α of the direction before the last one divided by its β, where x has yet to get it
  bool is_behind = false;  // r lacks −α q
  int iteration = 0;
  const auto add_to_x = [&]<class P>(std::size_t i, P pi, P ri) {
    P xi = load<P>(x + i) + alpha * pi;
    if (owed != T(0)) xi += owed * (pi - weighted(i, ri));
    store(x + i, xi);
  };
  const auto settle = [&] {  // for where the recurrence is not good enough
    each_pack<T>(0, rows, [&]<class P>(std::size_t i, P) { add_to_x(i, load<P>(p + i), load<P>(r + i)); });
    Dots dots;
    update_residual<Weighted>(alpha, 0, rows, dots);
    alpha = owed = T(0);
    is_behind = false;
    return dots;
  };

  std::fill(q, q + size, T(0));
  Dots left;
  update_residual<Weighted>(T(0), 0, rows, left);
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
      Sum<T> rr, rz;
      each_pack<T>(begin, end, [&]<class P>(std::size_t i, P) {
        if (is_large) {
          for (const T* y : {r, q, p}) __builtin_prefetch(y + i + kAhead);
          if (adds_to_x) __builtin_prefetch(x + i + kAhead);
        }
        const P before = load<P>(r + i), ri = before - step * load<P>(q + i), z = weighted(i, ri), pi = load<P>(p + i);
        if (adds_to_x) add_to_x(i, pi, before);
        store(r + i, ri);
        store(p + i, iteration > 0 ? P(z + beta * pi) : z);
        rr += ri * ri;
        if constexpr (Weighted) rz += ri * z;
      });
      if constexpr (Matrix::scatters) a.start_product(begin, end, p, q);
      dots.rr += rr.total();
      if constexpr (Weighted) dots.rz += rz.total();
    };
    std::size_t frozen = 0;
    for (int begin = 0, chunk = 0, known = 0; begin < rows; begin += kChunkRows, ++chunk) {
      const int end = std::min(rows, begin + kChunkRows);
      advance(known, a.front(chunk));
      known = a.front(chunk);
      if constexpr (Matrix::scatters) {
        a.add_rows(begin, end, rows, std::array<const T*, 1>{p}, std::array<T*, 1>{q}, std::array<T*, 1>{q + size});
      } else {
        a.multiply_rows(begin, end, p, q);
      }
      for (; frozen < frozen_.size() && frozen_[frozen] < end; ++frozen) clear_node(q, frozen);
      Sum<T> spq, srq, szq, sqq, sqwq;
      each_pack<T>(begin, end, [&]<class P>(std::size_t i, P) {
        const P pi = load<P>(p + i), qi = load<P>(q + i), ri = load<P>(r + i);
        spq += pi * qi, srq += ri * qi, sqq += qi * qi;
        if constexpr (Weighted) szq += weighted(i, ri) * qi, sqwq += weighted(i, qi) * qi;
      });
      pq += spq.total(), rq += srq.total(), qq += sqq.total();
      if constexpr (Weighted) zq += szq.total(), qwq += sqwq.total();
    }
    if constexpr (!Weighted) dots.rz = dots.rr, zq = rq, qwq = qq;
    if (adds_to_x)
      owed = T(0);
    else if (alpha != T(0))
      owed = T(double(alpha) / double(beta));
    const double step_now = dots.rz / pq;
    left = {dots.rr - step_now * (2.0 * rq - step_now * qq), dots.rz - step_now * (2.0 * zq - step_now * qwq)};
    alpha = T(step_now);
    is_behind = true;
    if (!(left.rr > kLeastLeft * dots.rr && left.rz > kLeastLeft * dots.rz)) left = settle();
    beta = T(left.rz / dots.rz);
  }
  if (is_behind) left = settle();
  return result_of(iteration, std::sqrt(left.rr), b_norm, settings);
}

template <class T>
template <class Matrix>
SolverResult KrylovSpace<T>::conjugate_gradient(const Matrix& a, T* x, double b_norm, const SolverSettings& settings) {
  if (threads() == 1)
    return inverse_diagonal.empty() ? cg_alone<Matrix, false>(a, x, b_norm, settings)
                                    : cg_alone<Matrix, true>(a, x, b_norm, settings);
  if constexpr (Matrix::scatters) reserve_halo(a);
  Team team(threads());
  run_team(threads(), [&](int thread) {
    if (inverse_diagonal.empty())
      cg_thread<Matrix, false>(thread, team, a, x, b_norm, settings);
    else
      cg_thread<Matrix, true>(thread, team, a, x, b_norm, settings);
  });
  return team.result;
}

template <class T>
SolverResult KrylovSpace<T>::bicgstab(const FullBlockMatrix<T>& a, T* x, double b_norm,
                                      const SolverSettings& settings) {
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
  return result_of(result.iterations, double(r.norm()), b_norm, settings);
}

#define DEFORMBENCH_INSTANTIATE(T)                                                                 \
  template class KrylovSpace<T>;                                                                   \
  template SolverResult KrylovSpace<T>::conjugate_gradient(const FullBlockMatrix<T>&, T*, double,  \
                                                           const SolverSettings&);                 \
  template SolverResult KrylovSpace<T>::conjugate_gradient(const UpperBlockMatrix<T>&, T*, double, \
                                                           const SolverSettings&);
DEFORMBENCH_INSTANTIATE(float)
DEFORMBENCH_INSTANTIATE(double)
#undef DEFORMBENCH_INSTANTIATE

}  // namespace deformbench::numerics
