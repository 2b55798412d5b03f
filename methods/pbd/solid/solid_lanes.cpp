// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/solid/solid_lanes.hpp"

#include <algorithm>
#include <cstdint>

#include "methods/numerics/aligned_vector.hpp"
#include "methods/numerics/team.hpp"
#include "methods/pbd/solid/local_step.hpp"
#include "methods/pbd/solid/solid_kernels.hpp"
#include "methods/pbd/sweeps/schedule.hpp"
#include "methods/pbd/sweeps/sweep.hpp"

namespace deformbench::pbd {
namespace {

template <int N>
class Lanes final : public SolidLanes {
 public:
  Lanes(const std::vector<SolidTetrahedron>& tetrahedra, const Eigen::VectorXd& inverse_masses,
        const PbdOptions& options, int threads)
      : options_(options),
        threads_(options.order == SweepOrder::Coloured && inverse_masses.size() >= kVerticesForThreads ? threads : 1) {
    const auto n = int(inverse_masses.size());
    rows_.assign(4 * (std::size_t(n) + 1), 0.0);  // the last serves idle lanes
    for (int v = 0; v < n; ++v) rows_[4 * std::size_t(v) + 3] = inverse_masses[v];
    std::vector<int> vertices;
    for (const SolidTetrahedron& t : tetrahedra) vertices.insert(vertices.end(), t.vertices.begin(), t.vertices.end());
    const ConstraintGraph graph{vertices, 4, n};
    const Schedule schedule =
        options.order == SweepOrder::Coloured ? colour_schedule(graph, N) : list_schedule(graph, N, 2);
    parts_ = schedule.part_begins;
    packs_.resize(std::size_t(schedule.pack_count()));
    for (std::size_t lane = 0; lane < schedule.constraints.size(); ++lane) {
      const int c = schedule.constraints[lane];
      fill(packs_[lane / N], lane % N, c < 0 ? nullptr : &tetrahedra[std::size_t(c)], inverse_masses);
    }
  }

  void begin_step(double time_step, Points& positions) override {
    square_ = time_step * time_step;
    if (options_.warm_start) load(positions);
    for (Tetrahedra& pack : packs_) {
      for (auto& multiplier : pack.multipliers) std::fill(multiplier, multiplier + N, 0.0);
      if (options_.warm_start)
        move(pack, load_applied(pack));
      else
        for (auto& entry : pack.applied) std::fill(entry, entry + N, 0.0);
    }
    if (options_.warm_start) store(positions);
  }

  void sweep(Points& positions, Work& work) override {
    load(positions);
    switch (options_.solid_solve) {
      case SolidSolve::OneByOne:
        in_team<SolidSolve::OneByOne>(work);
        break;
      case SolidSolve::Coupled:
        in_team<SolidSolve::Coupled>(work);
        break;
      case SolidSolve::Newton:
        in_team<SolidSolve::Newton>(work);
        break;
    }
    store(positions);
  }

 private:
  using P = Pack<double, N>;
  /// N tetrahedra in the axes of solid_kernels.hpp.
  struct alignas(64) Tetrahedra {
    double slopes[9][N];  ///< ∇N of corners 1 to 3
    double root[3][N], root_inverse[3][N];
    double mu[N], lambda[N];  ///< times V
    double applied[9][N];
    double multipliers[2][N];
    std::int32_t at[4 * N];  ///< in rows_
  };

  void fill(Tetrahedra& pack, std::size_t lane, const SolidTetrahedron* tetrahedron,
            const Eigen::VectorXd& inverse_masses) {
    Matrix3 slopes = Matrix3::Zero();
    MobilityAxes axes{Matrix3::Identity(), Vector3::Zero(), Vector3::Zero()};
    if (tetrahedron != nullptr) {
      Matrix3 g = Matrix3::Zero();
      for (std::size_t a = 0; a < 4; ++a)
        g += inverse_masses[tetrahedron->vertices[a]] * tetrahedron->slopes[a] * tetrahedron->slopes[a].transpose();
      axes = mobility_axes(g);
      for (int a = 0; a < 3; ++a) slopes.row(a) = axes.directions.transpose() * tetrahedron->slopes[std::size_t(a) + 1];
    }
    for (int a = 0; a < 4; ++a)
      pack.at[std::size_t(a) * N + lane] =
          tetrahedron != nullptr ? 4 * tetrahedron->vertices[std::size_t(a)] : std::int32_t(rows_.size()) - 4;
    for (int k = 0; k < 9; ++k) pack.slopes[k][lane] = slopes(k / 3, k % 3), pack.applied[k][lane] = 0.0;
    for (int k = 0; k < 3; ++k) pack.root[k][lane] = axes.roots[k], pack.root_inverse[k][lane] = axes.inverses[k];
    pack.mu[lane] = tetrahedron != nullptr ? tetrahedron->volume * tetrahedron->material.mu : 1.0;
    pack.lambda[lane] = tetrahedron != nullptr ? tetrahedron->volume * tetrahedron->material.lambda : 1.0;
    for (auto& multiplier : pack.multipliers) multiplier[lane] = 0.0;
  }

  void load(const Points& positions) {
    for (Eigen::Index v = 0; v < positions.rows(); ++v)
      for (int k = 0; k < 3; ++k) rows_[4 * std::size_t(v) + std::size_t(k)] = positions(v, k);
  }
  /// Held vertices are unchanged bit for bit.
  void store(Points& positions) const {
    for (Eigen::Index v = 0; v < positions.rows(); ++v)
      if (const double* row = rows_.data() + 4 * v; row[3] > 0.0)
        for (int k = 0; k < 3; ++k) positions(v, k) = row[k];
  }

  static DEFORMBENCH_INLINE LaneMatrix<N> load_applied(const Tetrahedra& pack) {
    LaneMatrix<N> applied;
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) applied.at[i][k] = numerics::load<P>(pack.applied[3 * i + k]);
    return applied;
  }

  /// x_a += w_a S ∇N_a
  static DEFORMBENCH_INLINE void move(const Tetrahedra& pack, const LaneMatrix<N>& change, Rows<double, N> (&x)[4]) {
    P moved[3] = {};
    DEFORMBENCH_FOR3(a) {
      const P s0 = numerics::load<P>(pack.slopes[3 * a]), s1 = numerics::load<P>(pack.slopes[3 * a + 1]),
              s2 = numerics::load<P>(pack.slopes[3 * a + 2]);
      P shift[3];
      DEFORMBENCH_FOR3(i) {
        shift[i] = change.at[i][0] * s0 + (change.at[i][1] * s1 + change.at[i][2] * s2);
        moved[i] += shift[i];
      }
      Rows<double, N>& corner = x[a + 1];
      corner.x += corner.w * shift[0], corner.y += corner.w * shift[1], corner.z += corner.w * shift[2];
    }
    x[0].x -= x[0].w * moved[0], x[0].y -= x[0].w * moved[1], x[0].z -= x[0].w * moved[2];
  }
  void move(const Tetrahedra& pack, const LaneMatrix<N>& change) {
    Rows<double, N> x[4];
    for (int a = 0; a < 4; ++a) x[a].gather(rows_.data(), pack.at + a * N);
    move(pack, change, x);
    for (int a = 0; a < 4; ++a) x[a].scatter(rows_.data(), pack.at + a * N);
  }

  template <SolidSolve solve>
  DEFORMBENCH_INLINE void project(Tetrahedra& pack, Work& work) {
    Rows<double, N> x[4];
    for (int a = 0; a < 4; ++a) x[a].gather(rows_.data(), pack.at + a * N);
    LaneStep<N> step;
    step.mu = square_ * numerics::load<P>(pack.mu);
    step.lambda = square_ * numerics::load<P>(pack.lambda);
    DEFORMBENCH_FOR3(k) {
      step.root[k] = numerics::load<P>(pack.root[k]);
      step.d[k] = step.root[k] * step.root[k];
    }
    DEFORMBENCH_FOR3(i) DEFORMBENCH_FOR3(k) step.f.at[i][k] = P{};
    DEFORMBENCH_FOR3(a) {
      const P edge[3] = {x[a + 1].x - x[0].x, x[a + 1].y - x[0].y, x[a + 1].z - x[0].z};
      DEFORMBENCH_FOR3(k) {
        const P slope = numerics::load<P>(pack.slopes[3 * a + k]);
        DEFORMBENCH_FOR3(i) step.f.at[i][k] += edge[i] * slope;
      }
    }
    LaneMatrix<N> change;
    if constexpr (solve == SolidSolve::Newton) {
      step.applied = load_applied(pack);
      DEFORMBENCH_FOR3(k) step.root_inverse[k] = numerics::load<P>(pack.root_inverse[k]);
      change = newton_lanes(step, work);
      DEFORMBENCH_FOR3(i)
      DEFORMBENCH_FOR3(k) numerics::store(pack.applied[3 * i + k], P(step.applied.at[i][k] + change.at[i][k]));
    } else {
      step.deviatoric = numerics::load<P>(pack.multipliers[0]);
      step.hydrostatic = numerics::load<P>(pack.multipliers[1]);
      change = linearised_change<N, solve == SolidSolve::Coupled>(step);
      numerics::store(pack.multipliers[0], step.deviatoric);
      numerics::store(pack.multipliers[1], step.hydrostatic);
    }
    move(pack, change, x);
    for (int a = 0; a < 4; ++a) x[a].scatter(rows_.data(), pack.at + a * N);
  }

  template <SolidSolve solve>
  void in_team(Work& work) {
    numerics::Barrier barrier(threads_);
    std::vector<Work> shares(static_cast<std::size_t>(threads_));
    numerics::run_team(threads_, [&](int thread) {
      Work own;
      for (std::size_t part = 0; part + 1 < parts_.size(); ++part) {
        const int first = parts_[part], size = parts_[part + 1] - first;
        for (int p = first + size * thread / threads_; p < first + size * (thread + 1) / threads_; ++p)
          project<solve>(packs_[std::size_t(p)], own);
        if (threads_ > 1) barrier.arrive_and_wait(thread);
      }
      if (options_.order == SweepOrder::Symmetric)  // of one part and thread
        for (auto pack = packs_.rbegin(); pack != packs_.rend(); ++pack) project<solve>(*pack, own);
      shares[std::size_t(thread)] = own;
    });
    for (const Work& share : shares) work += share;
  }

  PbdOptions options_;
  int threads_;
  double square_ = 1.0;                   ///< Δt²
  numerics::AlignedVector<double> rows_;  ///< x, y, z, w
  std::vector<int> parts_;                ///< first pack of each, then the total
  numerics::AlignedVector<Tetrahedra> packs_;
};

}  // namespace

bool has_solid_lanes(const PbdOptions& options) {
  return options.execution == Execution::Scheduled &&
         (options.order == SweepOrder::Forward || options.order == SweepOrder::Symmetric ||
          options.order == SweepOrder::Coloured);
}

std::unique_ptr<SolidLanes> make_solid_lanes(const std::vector<SolidTetrahedron>& tetrahedra,
                                             const Eigen::VectorXd& inverse_masses, const PbdOptions& options,
                                             int threads) {
  return std::make_unique<Lanes<numerics::register_lanes<double>>>(tetrahedra, inverse_masses, options, threads);
}

}  // namespace deformbench::pbd
