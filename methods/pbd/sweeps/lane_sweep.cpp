// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/lane_sweep.hpp"

#include <algorithm>

#include "methods/numerics/aligned_vector.hpp"
#include "methods/numerics/team.hpp"
#include "methods/pbd/sweeps/lane_kernels.hpp"
#include "methods/pbd/sweeps/schedule.hpp"
#include "methods/pbd/sweeps/stiffness_share.hpp"

namespace deformbench::pbd {

namespace {

using numerics::AlignedVector;

template <class T>
inline constexpr int width = numerics::register_lanes<T>;

/// Packs of one kind of constraint in the order of their schedule.
template <class T>
struct Packs {
  AlignedVector<std::int32_t> at;   ///< cardinality × width a pack: rows times four
  AlignedVector<T> rest;            ///< width a pack
  AlignedVector<T> multipliers;     ///< λ; compliant solver only
  std::vector<int> group_begins;    ///< packs of one group share no vertices
  std::vector<char> waits;          ///< one a pack: shares vertices with the one before it
  ConstraintLaw<T> law;
  int count() const { return group_begins.back(); }
};

/// Unit in which the sweep counts lengths (m) and inverse masses (1/kg): one, or in single precision what keeps the powers
/// of lengths that the bend constraint forms far from the ends of the number range.
struct Units {
  double length = 1.0, inverse_mass = 1.0;
};

template <class T>
class LaneSweep final : public Sweep {
 public:
  LaneSweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses, const PbdOptions& options, int threads)
      : options_(options), threads_(options.order == SweepOrder::Coloured ? threads : 1), inverse_masses_(inverse_masses) {
    if (sizeof(T) == 4) choose_units(constraints);
    rows_.assign(4 * (std::size_t(inverse_masses.size()) + 4), T(0));
    place_idle_lanes();
    for (Eigen::Index v = 0; v < inverse_masses.size(); ++v) rows_[4 * std::size_t(v) + 3] = T(inverse_masses[v] / units_.inverse_mass);

    std::vector<int> vertices;
    std::vector<double> rest;
    for (const StretchConstraint& c : constraints.stretch)
      if (is_movable(std::array{c.a, c.b})) vertices.insert(vertices.end(), {c.a, c.b}), rest.push_back(c.rest_length / units_.length);
    stretch_ = packed(vertices, rest, 2);
    vertices.clear(), rest.clear();
    for (const BendConstraint& c : constraints.bend)
      if (is_movable(c.vertices)) vertices.insert(vertices.end(), c.vertices.begin(), c.vertices.end()), rest.push_back(c.rest_angle);
    bend_ = packed(vertices, rest, 4);
    stretch_.law.share = T(stiffness_share(options.stretch_stiffness, options));
    bend_.law.share = T(stiffness_share(options.bend_stiffness, options));
  }

  void begin_step(double time_step) override {
    if (!options_.is_compliant) return;
    const double square = time_step * time_step;
    stretch_.law.compliance = T(options_.stretch_compliance / square / units_.inverse_mass);
    bend_.law.compliance = T(options_.bend_compliance / square * units_.length * units_.length / units_.inverse_mass);
    std::fill(stretch_.multipliers.begin(), stretch_.multipliers.end(), T(0));
    std::fill(bend_.multipliers.begin(), bend_.multipliers.end(), T(0));
  }

  void load(const Points& positions) override {
    const Eigen::Index n = inverse_masses_.size();
    if (sizeof(T) == 4 && n > 0) shift_ = positions.row(0).transpose();
    const double scale = 1.0 / units_.length;
    for (Eigen::Index v = 0; v < n; ++v)
      for (int k = 0; k < 3; ++k) {
        const double x = positions(v, k);
        rows_[4 * std::size_t(v) + std::size_t(k)] = sizeof(T) == 4 ? T((x - shift_[k]) * scale) : T(x);
      }
  }

  void store(Points& positions) const override {
    for (Eigen::Index v = 0; v < inverse_masses_.size(); ++v) {
      const T* row = rows_.data() + 4 * v;
      if (row[3] == T(0)) continue;  // held: not even rounded
      for (int k = 0; k < 3; ++k)
        positions(v, k) = sizeof(T) == 4 ? shift_[k] + units_.length * double(row[k]) : double(row[k]);
    }
  }

  void iterate() override { iterate_times(1); }

  void iterate_times(int count) override {
    if (options_.is_compliant) sweep<true>(count);
    else sweep<false>(count);
  }

 private:
  template <std::size_t n>
  bool is_movable(const std::array<int, n>& vertices) const {
    return std::any_of(vertices.begin(), vertices.end(), [&](int v) { return inverse_masses_[v] > 0.0; });
  }

  void choose_units(const MeshConstraints& constraints) {
    double length = 0.0;
    for (const StretchConstraint& c : constraints.stretch) length += c.rest_length;
    if (length > 0.0) units_.length = length / double(constraints.stretch.size());
    if (const double w = inverse_masses_.maxCoeff(); w > 0.0) units_.inverse_mass = w;
  }

  /// Four rows after the last vertex: a folded pair of triangles that never moves.
  void place_idle_lanes() {
    T* row = rows_.data() + 4 * inverse_masses_.size();
    row[4] = row[9] = row[12] = row[14] = T(1);
  }

  Packs<T> packed(const std::vector<int>& vertices, const std::vector<double>& rest, int cardinality) const {
    const auto n = static_cast<int>(inverse_masses_.size());
    const ConstraintGraph graph{vertices, cardinality, n};
    const Schedule schedule = options_.order == SweepOrder::Coloured ? colour_schedule(graph, width<T>)
                                                                     : list_schedule(graph, width<T>, cardinality == 4 ? 2 : 3);
    Packs<T> packs{{}, {}, {}, schedule.group_begins, schedule.waits, {}};
    const auto lanes = schedule.constraints.size(), w = std::size_t(width<T>);
    packs.at.resize(lanes * std::size_t(cardinality));
    packs.rest.assign(lanes, T(0));
    if (options_.is_compliant) packs.multipliers.assign(lanes, T(0));
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const int c = schedule.constraints[lane];
      if (c >= 0) packs.rest[lane] = T(rest[std::size_t(c)]);
      for (int j = 0; j < cardinality; ++j) {
        const int v = c >= 0 ? vertices[std::size_t(c * cardinality + j)] : n + j;
        packs.at[lane / w * w * std::size_t(cardinality) + std::size_t(j) * w + lane % w] = 4 * v;
      }
    }
    return packs;
  }

  /// Packs first … last − 1, in their order.
  template <bool is_compliant>
  void project_stretches(int first, int last) {
    for (int p = first; p < last; ++p) {
      const auto lane = std::size_t(p) * std::size_t(width<T>);
      project_stretch<T, width<T>, is_compliant>(rows_.data(), stretch_.at.data() + 2 * lane, stretch_.rest.data() + lane,
                                                 is_compliant ? stretch_.multipliers.data() + lane : nullptr, stretch_.law);
    }
  }
  template <bool is_compliant>
  void project_bends(int first, int last) {
    const auto lane = std::size_t(first) * std::size_t(width<T>);
    pbd::project_bends<T, width<T>, is_compliant>(rows_.data(), bend_.at.data() + 4 * lane, bend_.rest.data() + lane,
                                                  is_compliant ? bend_.multipliers.data() + lane : nullptr,
                                                  bend_.waits.data() + first, last - first, bend_.law);
  }

  template <bool is_compliant>
  void sweep(int count) {
    if (options_.order != SweepOrder::Coloured) {
      for (int k = 0; k < count; ++k) {
        project_stretches<is_compliant>(0, stretch_.count());
        project_bends<is_compliant>(0, bend_.count());
      }
      return;
    }
    numerics::SpinBarrier barrier(threads_);
    numerics::run_team(threads_, [&](int thread) {
      const auto part = [&](const Packs<T>& packs, std::size_t group, int of) {
        const int first = packs.group_begins[group], size = packs.group_begins[group + 1] - first;
        return first + size * of / threads_;
      };
      for (int k = 0; k < count; ++k) {
        for (std::size_t g = 0; g + 1 < stretch_.group_begins.size(); ++g) {
          project_stretches<is_compliant>(part(stretch_, g, thread), part(stretch_, g, thread + 1));
          barrier.wait();
        }
        for (std::size_t g = 0; g + 1 < bend_.group_begins.size(); ++g) {
          project_bends<is_compliant>(part(bend_, g, thread), part(bend_, g, thread + 1));
          barrier.wait();
        }
      }
    });
  }

  PbdOptions options_;
  int threads_;
  Eigen::VectorXd inverse_masses_;
  Units units_;
  Vector3 shift_ = Vector3::Zero();  ///< m: where the sweep's own coordinates start
  AlignedVector<T> rows_;            ///< x, y, z, w of every vertex, then of the vertices of idle lanes
  Packs<T> stretch_, bend_;
};

}  // namespace

std::unique_ptr<Sweep> make_lane_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                       const PbdOptions& options, int threads) {
  if (options.precision == Precision::Single)
    return std::make_unique<LaneSweep<float>>(constraints, inverse_masses, options, threads);
  return std::make_unique<LaneSweep<double>>(constraints, inverse_masses, options, threads);
}

}  // namespace deformbench::pbd
