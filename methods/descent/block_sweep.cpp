// SPDX-License-Identifier: BSD-3-Clause
#include "methods/descent/block_sweep.hpp"

#include <algorithm>

#include <Eigen/Geometry>

#include "methods/descent/plain_stars.hpp"
#include "methods/descent/star_laws.hpp"
#include "methods/descent/sweep_of.hpp"
#include "methods/model/error.hpp"

namespace deformbench::descent {
namespace {

using V = numerics::Pack<double, 4>;
using numerics::load;

/// Elasticity of four tetrahedra at a time.
template <class Law>
class LaneStars {
 public:
  LaneStars(const fem::Body<double>&, const Stars& stars) : stars_(stars) {}

  void hold_strains(const double* x) {
    strains_.resize(std::size_t(stars_.first.back()) * 6 * kLanes);
    for (int batch = 0; batch < stars_.first.back(); ++batch) {
      V e[6];
      GreenStar::strain(corners(x, x + own_of(batch), batch), e);
      for (std::size_t n = 0; n < 6; ++n)
        numerics::store(strains_.data() + (std::size_t(batch) * 6 + n) * kLanes, e[n]);
    }
  }

  DEFORMBENCH_INLINE void add(int visit, const double* x, double viscosity, LocalBlock& block) const {
    const double* own = x + 4 * std::size_t(stars_.schedule.nodes[std::size_t(visit)]);
    LocalSums<V> sums;
    for (int batch = stars_.first[std::size_t(visit)]; batch < stars_.first[std::size_t(visit) + 1]; ++batch) {
      const Corner<V> corner = corners(x, own, batch);
      Law::template add<V>(corner, sums);
      if (viscosity == 0.0) continue;
      V e[6];
      strain_change(corner, batch, e);
      GreenStar::add<V>(corner, e, viscosity * corner.lambda, viscosity * corner.mu, sums);
    }
    V a[4] = {sums.force[0], sums.force[1], sums.force[2], sums.isotropic};
    V b[4] = {sums.block[0], sums.block[1], sums.block[2], sums.block[3]};
    V c[4] = {sums.block[4], sums.block[5], V{}, V{}};
    const V forces = sum_lanes(a), diagonal = sum_lanes(b), rest = sum_lanes(c);
    for (int i = 0; i < 3; ++i) block.force[i] += forces[i], block.h[i] += diagonal[i] + forces[3];
    block.h[3] += diagonal[3], block.h[4] += rest[0], block.h[5] += rest[1];
  }

  double energy(int visit, const double* x, double viscosity) const {
    const double* own = x + 4 * std::size_t(stars_.schedule.nodes[std::size_t(visit)]);
    double sum = 0.0;
    for (int batch = stars_.first[std::size_t(visit)]; batch < stars_.first[std::size_t(visit) + 1]; ++batch)
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const double* numbers = stars_.coefficients.data() + std::size_t(batch) * Stars::kCoefficients * kLanes + lane;
        double u[6], d[9];
        for (std::size_t n = 0; n < 6; ++n) u[n] = numbers[n * kLanes];
        if (u[0] == 0.0) break;  // no more tetrahedra
        for (std::size_t b = 0; b < 3; ++b) {
          const double* other = x + stars_.others[(std::size_t(batch) * 3 + b) * kLanes + lane];
          for (std::size_t i = 0; i < 3; ++i) d[3 * b + i] = other[i] - own[i];
        }
        const Corner<double> corner(u, d, numbers[6 * kLanes], numbers[7 * kLanes]);
        sum += Law::energy(corner);
        if (viscosity == 0.0) continue;
        double e[6];
        GreenStar::strain(corner, e);
        for (std::size_t n = 0; n < 6; ++n) e[n] -= strains_[(std::size_t(batch) * 6 + n) * kLanes + lane];
        sum += GreenStar::energy(e, viscosity * corner.lambda, viscosity * corner.mu);
      }
    return sum;
  }

 private:
  static DEFORMBENCH_INLINE V sum_lanes(V of[4]) {
    numerics::transpose4<double>(of[0], of[1], of[2], of[3]);
    return (of[0] + of[1]) + (of[2] + of[3]);
  }

  DEFORMBENCH_INLINE Corner<V> corners(const double* x, const double* own, int batch) const {
    const double* numbers = stars_.coefficients.data() + std::size_t(batch) * Stars::kCoefficients * kLanes;
    const unsigned* others = stars_.others.data() + std::size_t(batch) * 3 * kLanes;
    const V here = load<V>(own);
    V d[9], u[6];
    for (std::size_t b = 0; b < 3; ++b) {
      V rows[4];
      for (std::size_t lane = 0; lane < kLanes; ++lane) rows[lane] = load<V>(x + others[b * kLanes + lane]) - here;
      numerics::transpose4<double>(rows[0], rows[1], rows[2], rows[3]);
      for (std::size_t i = 0; i < 3; ++i) d[3 * b + i] = rows[i];
    }
    for (std::size_t n = 0; n < 6; ++n) u[n] = load<V>(numbers + n * kLanes);
    return Corner<V>(u, d, load<V>(numbers + 6 * kLanes), load<V>(numbers + 7 * kLanes));
  }
  DEFORMBENCH_INLINE void strain_change(const Corner<V>& corner, int batch, V e[6]) const {
    GreenStar::strain(corner, e);
    const double* held = strains_.data() + std::size_t(batch) * 6 * kLanes;
    for (std::size_t n = 0; n < 6; ++n) e[n] = e[n] - load<V>(held + n * kLanes);
  }
  /// Offset of the vertex of a batch.
  std::size_t own_of(int batch) const {
    const auto next = std::upper_bound(stars_.first.begin(), stars_.first.end(), batch);
    return 4 * std::size_t(stars_.schedule.nodes[std::size_t(next - stars_.first.begin()) - 1]);
  }

  const Stars& stars_;
  numerics::AlignedVector<double> strains_;  ///< E(t), [batch][number][lane]
};

template <class Law, class Plain>
std::unique_ptr<BlockSweep> make(bool is_plain, const fem::Body<double>& body, Schedule schedule,
                                 const SweepSettings& settings) {
  if (is_plain) return std::make_unique<SweepOf<PlainStars<Plain>>>(body, std::move(schedule), settings);
  return std::make_unique<SweepOf<LaneStars<Law>>>(body, std::move(schedule), settings);
}

}  // namespace

void BlockSweep::begin_step(const StepProblem& problem) {
  std::fill(skips_.begin(), skips_.end(), 0);
  if (settings_.damping > 0.0 && settings_.damping_form == DampingForm::Strain) hold_strains(problem.before.data());
}

void BlockSweep::run(const StepProblem& problem, double* x) {
  // A level of fewer visits takes no longer than two threads need to meet.
  constexpr int kFewest = 64;
  const std::vector<int>&start = stars_.schedule.level_start, &first = stars_.first;
  const int levels = int(start.size()) - 1, threads = body_.threads();
  if (threads == 1 || stars_.visits() < kFewest * threads * levels) return visit_range(problem, x, 0, stars_.visits());
  // The visit at which thread t begins: each has as many batches.
  const auto begin = [&](int level, int t) {
    const long long low = first[std::size_t(start[std::size_t(level)])];
    const long long all = first[std::size_t(start[std::size_t(level) + 1])] - low;
    const auto from = first.begin() + start[std::size_t(level)], to = first.begin() + start[std::size_t(level) + 1];
    return int(std::lower_bound(from, to, int(low + all * t / threads)) - first.begin());
  };
  numerics::Barrier barrier(threads);
  numerics::run_team(threads, [&](int t) {
    for (int level = 0; level < levels; ++level) {
      visit_range(problem, x, begin(level, t), begin(level, t + 1));
      barrier.arrive_and_wait(t);
    }
  });
}

std::vector<std::string> descent_laws() {
  return {"stable_neo_hookean", "stable_neo_hookean_core", "st_venant_kirchhoff"};
}

std::unique_ptr<BlockSweep> make_sweep(const std::string& law, bool is_plain, const fem::Body<double>& body,
                                       Schedule schedule, const SweepSettings& settings) {
  if (law == "stable_neo_hookean")
    return make<InvariantStar<fem::StableNeoHookean>, PlainInvariants<fem::StableNeoHookean>>(
        is_plain, body, std::move(schedule), settings);
  if (law == "stable_neo_hookean_core")
    return make<InvariantStar<fem::StableNeoHookeanCore>, PlainInvariants<fem::StableNeoHookeanCore>>(
        is_plain, body, std::move(schedule), settings);
  if (law == "st_venant_kirchhoff")
    return make<StVenantKirchhoffStar, PlainGreen>(is_plain, body, std::move(schedule), settings);
  throw InputError("vertex block descent has no law '" + law + "'");
}

}  // namespace deformbench::descent
