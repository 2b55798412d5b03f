// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/sweeps/lane_sweep.hpp"

#include <algorithm>
#include <array>

#include "methods/numerics/aligned_vector.hpp"
#include "methods/numerics/team.hpp"
#include "methods/pbd/sweeps/blocks.hpp"
#include "methods/pbd/sweeps/lane_kernels.hpp"
#include "methods/pbd/sweeps/stiffness_share.hpp"

namespace deformbench::pbd {

namespace {

using numerics::AlignedVector;

/// Independent of the number of threads, so that the result is too. Smaller blocks would mostly wait for each other.
int block_count(int vertices) {
  return vertices < kVerticesForThreads ? 1 : std::clamp(vertices / 8192 * 2, 2, 16);
}

/// Dependency chains are about as long as four sides of a cloth; lanes idle if that exceeds the number of constraints
/// per lane.
bool fills_lanes(int vertices, int lanes) {
  return vertices >= 4 * lanes * lanes;
}

/// Packs of one kind of constraint in schedule order.
template <class T>
struct Packs {
  AlignedVector<std::int32_t> at;  ///< cardinality × width per pack: row indices times four
  AlignedVector<T> rest;           ///< width per pack
  AlignedVector<T> multipliers;    ///< λ; compliant solver only
  std::vector<char> waits;         ///< per pack: shares vertices with the previous one
  std::vector<int> region_begins;  ///< first pack of every region, then the total
  ConstraintLaw<T> law;
};

/// Units of length (m) and inverse mass (1/kg) in the sweep: 1, or in single precision scaled to keep the powers of
/// lengths in the bend constraint within range.
struct Units {
  double length = 1.0, inverse_mass = 1.0;
};

/// Lane sweep with packs of `width` lanes.
template <class T, int width>
class LaneSweep final : public Sweep {
 public:
  LaneSweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
            int threads)
      : options_(options), inverse_masses_(inverse_masses) {
    if (sizeof(T) == 4) choose_units(constraints);
    std::vector<int> pairs, fours;
    std::vector<double> lengths, angles;
    for (const StretchConstraint& c : constraints.stretch)
      if (is_movable(std::array{c.a, c.b}))
        pairs.insert(pairs.end(), {c.a, c.b}), lengths.push_back(c.rest_length / units_.length);
    for (const BendConstraint& c : constraints.bend)
      if (is_movable(c.vertices))
        fours.insert(fours.end(), c.vertices.begin(), c.vertices.end()), angles.push_back(c.rest_angle);
    const auto n = int(inverse_masses.size());
    const ConstraintGraph stretches{pairs, 2, n}, bends{fours, 4, n};
    if (options.order == SweepOrder::Coloured) blocks_ = cut_into_blocks(std::array{stretches, bends}, block_count(n));
    threads_ = std::min(threads, blocks_.count);
    place_vertices();
    stretch_ = packed(stretches, lengths);
    bend_ = packed(bends, angles);
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
    shift_to(positions);
    load_blocks(positions, 0, blocks_.count);
  }

  void store(Points& positions) const override { store_blocks(positions, 0, blocks_.count); }

  void iterate() override {
    in_team([&](int /*first*/, int /*last*/, const auto& sweep) { sweep(); });
  }

  void run(Points& positions, int count) override {
    shift_to(positions);
    // Every thread loads and stores its own blocks, so that rows of a block never move between cores.
    in_team([&](int first, int last, const auto& sweep) {
      load_blocks(positions, first, last);
      for (int k = 0; k < count; ++k) sweep();
      store_blocks(positions, first, last);
    });
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

  void shift_to(const Points& positions) {
    if (sizeof(T) == 4 && positions.rows() > 0) shift_ = positions.row(0).transpose();
  }

  void load_blocks(const Points& positions, int first, int last) {
    const double scale = 1.0 / units_.length;
    for (int i = block_begins_[std::size_t(first)]; i < block_begins_[std::size_t(last)]; ++i) {
      const int v = vertices_[std::size_t(i)];
      T* row = rows_.data() + at(v);
      for (int k = 0; k < 3; ++k)
        row[k] = sizeof(T) == 4 ? T((positions(v, k) - shift_[k]) * scale) : T(positions(v, k));
    }
  }

  void store_blocks(Points& positions, int first, int last) const {
    for (int i = block_begins_[std::size_t(first)]; i < block_begins_[std::size_t(last)]; ++i) {
      const int v = vertices_[std::size_t(i)];
      const T* row = rows_.data() + at(v);
      if (row[3] == T(0)) continue;  // held: unchanged bit for bit
      for (int k = 0; k < 3; ++k)
        positions(v, k) = sizeof(T) == 4 ? shift_[k] + units_.length * double(row[k]) : double(row[k]);
    }
  }

  /// Rows of a block are contiguous and start on a page, so that prefetching never touches rows another core writes.
  /// Four rows after the last vertex serve idle lanes: a folded pair of triangles with w = 0.
  void place_vertices() {
    constexpr int kPage = 4096 / (4 * sizeof(T));
    const auto n = int(inverse_masses_.size());
    row_of_.resize(std::size_t(n) + 4);
    block_begins_ = {0};
    int next = 0;
    for (int block = 0; block < blocks_.count; ++block) {
      next = (next + kPage - 1) / kPage * kPage;
      for (int v = 0; v < n; ++v)
        if (blocks_.count == 1 || blocks_.of_vertex[std::size_t(v)] == block) {
          row_of_[std::size_t(v)] = next++;
          vertices_.push_back(v);
        }
      block_begins_.push_back(int(vertices_.size()));
    }
    for (int j = 0; j < 4; ++j) row_of_[std::size_t(n + j)] = next++;
    rows_.assign(4 * std::size_t(next), T(0));
    for (int v = 0; v < n; ++v) rows_[at(v) + 3] = T(inverse_masses_[v] / units_.inverse_mass);
    T* row = rows_.data() + at(n);
    row[4] = row[9] = row[12] = row[14] = T(1);
  }
  std::size_t at(Eigen::Index vertex) const { return 4 * std::size_t(row_of_[std::size_t(vertex)]); }

  Packs<T> packed(const ConstraintGraph& graph, const std::vector<double>& rest) const {
    Packs<T> packs;
    const Schedule schedule = options_.order == SweepOrder::Coloured
                                  ? block_schedule(graph, width, blocks_)
                                  : list_schedule(graph, width, graph.cardinality == 4 ? 2 : 3);
    packs.waits = schedule.waits;
    packs.region_begins = schedule.part_begins;
    const auto lanes = schedule.constraints.size(), w = std::size_t(width), k = std::size_t(graph.cardinality);
    packs.at.resize(lanes * k);
    packs.rest.assign(lanes, T(0));
    if (options_.is_compliant) packs.multipliers.assign(lanes, T(0));
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      const int c = schedule.constraints[lane];
      if (c >= 0) packs.rest[lane] = T(rest[std::size_t(c)]);
      for (std::size_t j = 0; j < k; ++j) {
        const int v = c >= 0 ? graph.of(c)[j] : graph.vertex_count + int(j);
        packs.at[lane / w * w * k + j * w + lane % w] = std::int32_t(at(v));
      }
    }
    return packs;
  }

  /// Projects packs first … last − 1, forward or backward; backward also reverses the order of constraints that share a
  /// vertex.
  template <bool is_compliant, bool is_backward>
  void project_stretches(int first, int last) {
    for (int p = first; p < last; ++p) {
      const auto lane = std::size_t(is_backward ? first + last - 1 - p : p) * std::size_t(width);
      project_stretch<T, width, is_compliant>(rows_.data(), stretch_.at.data() + 2 * lane, stretch_.rest.data() + lane,
                                              is_compliant ? stretch_.multipliers.data() + lane : nullptr,
                                              stretch_.law);
    }
  }
  template <bool is_compliant, bool is_backward>
  void project_bends(int first, int last) {
    const auto lane = std::size_t(first) * std::size_t(width);
    pbd::project_bends<T, width, is_compliant, is_backward>(
        rows_.data(), bend_.at.data() + 4 * lane, bend_.rest.data() + lane,
        is_compliant ? bend_.multipliers.data() + lane : nullptr, bend_.waits.data() + first, last - first, bend_.law);
  }

  /// Calls work(first, last, sweep) on every thread with its blocks first … last − 1; sweep() is one iteration and ends
  /// with a barrier.
  template <class Work>
  void in_team(Work&& work) {
    numerics::Barrier barrier(threads_);
    numerics::run_team(threads_, [&](int thread) {
      // Share of `size` mutually independent regions.
      const auto part = [&](int size, int of) { return size * of / threads_; };
      const auto project = [&](int first, int size, const Packs<T>& packs, auto&& project_packs) {
        project_packs(packs.region_begins[std::size_t(first + part(size, thread))],
                      packs.region_begins[std::size_t(first + part(size, thread + 1))]);
        barrier.arrive_and_wait(thread);
      };
      const auto sweep = [&]<bool is_compliant>() {
        const auto stretches = [&](int first, int last) { project_stretches<is_compliant, false>(first, last); };
        const auto bends = [&](int first, int last) { project_bends<is_compliant, false>(first, last); };
        project(0, blocks_.count, stretch_, stretches);
        project(blocks_.count, blocks_.count - 1, stretch_, stretches);
        project(0, blocks_.count, bend_, bends);
        project(blocks_.count, blocks_.count - 1, bend_, bends);
        if (options_.order != SweepOrder::Symmetric) return;  // of one block
        project(0, 1, bend_, [&](int first, int last) { project_bends<is_compliant, true>(first, last); });
        project(0, 1, stretch_, [&](int first, int last) { project_stretches<is_compliant, true>(first, last); });
      };
      work(part(blocks_.count, thread), part(blocks_.count, thread + 1), [&] {
        if (options_.is_compliant)
          sweep.template operator()<true>();
        else
          sweep.template operator()<false>();
      });
    });
  }

  PbdOptions options_;
  Eigen::VectorXd inverse_masses_;
  Blocks blocks_;
  int threads_ = 1;
  Units units_;
  Vector3 shift_ = Vector3::Zero();  ///< m, origin of the sweep's coordinates
  std::vector<int> vertices_;        ///< sorted by block
  std::vector<int> block_begins_;    ///< in vertices_
  std::vector<int> row_of_;          ///< per vertex, then for the vertices of idle lanes
  AlignedVector<T> rows_;            ///< x, y, z, w
  Packs<T> stretch_, bend_;
};

}  // namespace

std::unique_ptr<Sweep> make_lane_sweep(const MeshConstraints& constraints, const Eigen::VectorXd& inverse_masses,
                                       const PbdOptions& options, int threads) {
  constexpr int doubles = numerics::register_lanes<double>, floats = numerics::register_lanes<float>;
  const auto n = int(inverse_masses.size());
  if (options.precision == Precision::Double)
    return std::make_unique<LaneSweep<double, doubles>>(constraints, inverse_masses, options, threads);
  if (options.order == SweepOrder::Coloured || fills_lanes(n, floats))
    return std::make_unique<LaneSweep<float, floats>>(constraints, inverse_masses, options, threads);
  return std::make_unique<LaneSweep<float, doubles>>(constraints, inverse_masses, options, threads);
}

}  // namespace deformbench::pbd
