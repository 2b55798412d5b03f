// SPDX-License-Identifier: BSD-3-Clause
// One sweep: blocks against differences of the energies of methods/fem, lanes against the plain loop, order, threads.
#include <numeric>
#include <set>

#include "methods/fem/nonlinear/hyperelasticity.hpp"
#include "tests/descent/descent_fixture.hpp"

namespace deformbench::descent {
namespace {

using Vector = numerics::AlignedVector<double>;
constexpr double kRate = 0.3;  // k_d/Δt of the damped problems

struct Problem {
  Scene scene;
  fem::Body<double> body;
  StepProblem step;
  Vector x;
  std::optional<fem::ObstaclePotential<double>> obstacle;

  /// A step that ends `away` m from its start, at random.
  Problem(const Scene& given, double away, int threads = 1) : scene(given), body(scene, threads) {
    step.time_step = scene.time_step;
    step.inertia = 1.0 / (scene.time_step * scene.time_step);
    step.before = body.state.positions;
    numerics::RandomStream random(9);
    const auto moved = [&](double size) {
      Vector to = step.before;
      for (std::size_t n = 0; n < to.size(); ++n)
        if (n % 4 < 3) to[n] += size * random.normal();
      return to;
    };
    step.y = moved(away), x = moved(away);
    step.held.assign(body.state.masses.size(), numerics::kNoComponents);
  }
  std::unique_ptr<BlockSweep> sweep(const std::string& law, bool is_plain, SweepOrder order = SweepOrder::Index,
                                    SweepSettings settings = {}) const {
    return make_sweep(law, is_plain, body, schedule_of(body.graph, order, 4), settings);
  }
  SweepSettings damped() const {
    SweepSettings settings;
    settings.damping = kRate * step.time_step;
    return settings;
  }
  Points in_mesh_order(const Vector& of) const {
    Points points(Eigen::Index(of.size() / 4), 3);
    for (std::size_t n = 0; n < of.size(); n += 4)
      points.row(body.graph.node_of[n / 4]) = Eigen::Map<const Vector3>(of.data() + n).transpose();
    return points;
  }
  std::vector<Matrix3> green(const fem::Hyperelasticity& elasticity, const Vector& at) const {
    std::vector<Matrix3> found;
    for (const Matrix3& f : elasticity.deformation_gradients(in_mesh_order(at))) found.push_back(f.transpose() * f / 2);
    return found;
  }
  /// The objective as methods/fem and the formulas in the headers give it; `with`: the damping's potential too.
  double objective(const fem::Hyperelasticity& elasticity, const Vector& at, bool with) const {
    double sum = elasticity.elastic_energy(in_mesh_order(at));
    for (std::size_t n = 0; n < at.size(); ++n)
      if (n % 4 < 3) sum += 0.5 * step.inertia * body.state.masses[n / 4] * (at[n] - step.y[n]) * (at[n] - step.y[n]);
    if (obstacle) sum += obstacle->energy(at);
    if (!with) return sum;
    const auto now = green(elasticity, at), then = green(elasticity, step.before);
    for (std::size_t e = 0; e < now.size(); ++e) {
      const model::Material& material = scene.material_of(Eigen::Index(e));
      const Matrix3 change = now[e] - then[e];
      sum += kRate * model::tetrahedron_volume(scene.tet_mesh, scene.tet_mesh.rest_positions, Eigen::Index(e)) *
             (material.lame_mu() * change.squaredNorm() + material.lame_lambda() / 2 * change.trace() * change.trace());
    }
    return sum;
  }
};

TEST(VertexSweep, BlocksAreSlopeAndCurvatureOfTheObjective) {
  // 0.002 m: strained by some 5 %; 0.06 m: tangled, with inverted tetrahedra. The plane lies within the body.
  for (const double away : {0.002, 0.06})
    for (const std::string& law : descent_laws())
      for (const bool is_damped : {false, true}) {
        Problem p(held_block(), away);
        p.scene.colliders = {{Vector3(0, 0.6, 0.8), 0.15, 0.0}};
        p.body.scene.colliders = p.scene.colliders;
        p.obstacle.emplace(p.body, fem::PotentialOptions{true, 0.05, 2e4, 0.1, 1});
        p.body.state.begin_step();
        p.obstacle->begin_step(p.step.before);
        p.step.obstacles = &*p.obstacle;
        const auto elasticity = fem::make_hyperelasticity(law, p.body, std::nullopt);
        const auto sweep = p.sweep(law, false, SweepOrder::Index, is_damped ? p.damped() : SweepSettings{});
        sweep->begin_step(p.step);
        const double h = 1e-5;  // m; errors: h² of the third derivative, rounding of the energy over h²
        for (int visit = 0; visit < int(p.step.held.size()); visit += 3) {
          const auto block = sweep->block(p.step, p.x.data(), visit);
          const std::size_t at = 4 * std::size_t(sweep->schedule().nodes[std::size_t(visit)]);
          Vector x = p.x;
          const auto value = [&](const Vector3& move) {
            for (std::size_t i = 0; i < 3; ++i) x[at + i] = p.x[at + i] + move[Eigen::Index(i)];
            return p.objective(*elasticity, x, is_damped);
          };
          for (int i = 0; i < 3; ++i) {
            const Vector3 ei = h * Vector3::Unit(i);
            const double slope = (value(ei) - value(-ei)) / (2 * h);
            EXPECT_NEAR(-block.force[i], slope, 2e-5 * (1 + block.force.norm())) << law << away << is_damped;
            for (int j = 0; j < 3; ++j) {
              const Vector3 ej = h * Vector3::Unit(j);
              const double curvature =
                  (value(ei + ej) - value(ei - ej) - value(ej - ei) + value(-ei - ej)) / (4 * h * h);
              EXPECT_NEAR(block.matrix(i, j), curvature, 2e-3 * block.matrix.norm()) << law << away << is_damped;
            }
          }
        }
      }
}

TEST(VertexSweep, BlocksOfNeoHookeanLawsArePositiveDefiniteHoweverDeformed) {
  for (const char* law : {"stable_neo_hookean", "stable_neo_hookean_core"})
    for (const double away : {0.01, 0.1, 1.0}) {
      Problem p(held_block(), away);
      p.step.inertia = 0.0;
      const auto sweep = p.sweep(law, false);
      for (int visit = 0; visit < int(p.step.held.size()); ++visit) {
        const Matrix3 block = sweep->block(p.step, p.x.data(), visit).matrix;
        EXPECT_GT(Eigen::SelfAdjointEigenSolver<Matrix3>(block).eigenvalues()[0], -1e-12 * block.norm());
      }
    }
  // St. Venant–Kirchhoff is not, where pressed below 1/√3 of its length: what the laws above are compared with.
  Problem pressed(held_block(), 0.0);
  for (std::size_t n = 0; n < pressed.x.size(); ++n) pressed.x[n] *= 0.4;
  pressed.step.inertia = 0.0;
  const Matrix3 block = pressed.sweep("st_venant_kirchhoff", false)->block(pressed.step, pressed.x.data(), 20).matrix;
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<Matrix3>(block).eigenvalues()[0], -0.01 * block.norm());
}

TEST(VertexSweep, LanesGiveThePlainLoop) {
  for (const std::string& law : descent_laws())
    for (const bool is_damped : {false, true})
      for (const auto search : {BlockSearch::None, BlockSearch::Armijo}) {
        Problem p(held_block(), 0.003);
        SweepSettings settings = is_damped ? p.damped() : SweepSettings{};
        settings.search = search;
        const auto lanes = p.sweep(law, false, SweepOrder::Index, settings);
        const auto plain = p.sweep(law, true, SweepOrder::Index, settings);
        Vector a = p.x, b = p.x;
        for (auto* sweep : {&lanes, &plain}) (*sweep)->begin_step(p.step);
        double first = 0.0, last = 0.0;
        for (int k = 0; k < 200; ++k) {
          lanes->run(p.step, a.data()), plain->run(p.step, b.data());
          last = 0.0;
          for (std::size_t n = 0; n < a.size(); ++n) last = std::max(last, std::abs(a[n] - b[n]));
          if (k == 0) first = last;
        }
        // Coordinates below 0.4 m round to 6e-17; sums of some 30 terms, and blocks of condition below 100. A search
        // compares objectives, which leaves places open to the root of their rounding.
        EXPECT_LT(first, 1e-14) << law << is_damped;
        EXPECT_LT(last, search == BlockSearch::None ? 1e-14 : 1e-8) << law << is_damped;
      }
}

/// Nodes that share a tetrahedron.
std::vector<std::set<int>> neighbours(const fem::MeshGraph& graph) {
  std::vector<std::set<int>> of(std::size_t(graph.node_count()));
  for (std::size_t slot = 0; slot < graph.corners.size() / 4; ++slot)
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = 0; b < 4; ++b)
        if (a != b) of[std::size_t(graph.corners[4 * slot + a])].insert(graph.corners[4 * slot + b]);
  return of;
}

TEST(VertexSweep, LevelsKeepTheOrderOfNeighbours) {
  const Problem p(held_block(1e5, {6, 4, 3}), 0.0);
  const auto near = neighbours(p.body.graph);
  for (const auto order : {SweepOrder::Index, SweepOrder::Random, SweepOrder::Coloured}) {
    const Schedule schedule = schedule_of(p.body.graph, order, 4);
    std::vector<int> level(near.size(), -1);
    for (std::size_t l = 0; l + 1 < schedule.level_start.size(); ++l)
      for (int k = schedule.level_start[l]; k < schedule.level_start[l + 1]; ++k)
        level[std::size_t(schedule.nodes[std::size_t(k)])] = int(l);
    EXPECT_EQ(std::count(level.begin(), level.end(), -1), 0);
    EXPECT_EQ(std::set<int>(schedule.nodes.begin(), schedule.nodes.end()).size(), near.size());
    for (std::size_t a = 0; a < near.size(); ++a)
      for (const int b : near[a]) {
        EXPECT_NE(level[a], level[std::size_t(b)]);
        if (order == SweepOrder::Index)
          EXPECT_EQ(level[a] < level[std::size_t(b)], p.body.graph.node_of[a] < p.body.graph.node_of[std::size_t(b)]);
      }
    if (order == SweepOrder::Coloured) {
      EXPECT_GE(schedule.level_start.size(), 5u);  // corners of a tetrahedron have four colours
      EXPECT_LE(schedule.level_start.size(), 10u);
    }
  }
  EXPECT_NE(schedule_of(p.body.graph, SweepOrder::Random, 1).nodes,
            schedule_of(p.body.graph, SweepOrder::Random, 2).nodes);
}

TEST(VertexSweep, IsGaussSeidelInTheOrderOfTheVertices) {
  Problem p(held_block(), 0.003);
  const auto sweep = p.sweep("stable_neo_hookean", false);
  const auto plain = p.sweep("stable_neo_hookean", true);
  Vector x = p.x, y = p.x;
  sweep->run(p.step, x.data());
  std::vector<int> visit_of(p.step.held.size());
  for (std::size_t k = 0; k < visit_of.size(); ++k) visit_of[std::size_t(plain->schedule().nodes[k])] = int(k);
  for (const int node : p.body.graph.vertex_to_node) {
    const auto block = plain->block(p.step, y.data(), visit_of[std::size_t(node)]);
    Eigen::Map<Vector3>(y.data() + 4 * node) += block.matrix.ldlt().solve(block.force);
  }
  for (std::size_t n = 0; n < x.size(); ++n) EXPECT_NEAR(x[n], y[n], 1e-14);
}

TEST(VertexSweep, ThreadsGiveTheSameBits) {
  // Eight colours of 64 vertices and more for each of three threads; the other orders run on one.
  for (const auto order : {SweepOrder::Index, SweepOrder::Random, SweepOrder::Coloured}) {
    Vector first;
    for (const int threads : {1, 2, 3}) {
      Problem p(held_block(1e5, {18, 9, 9}), 0.003, threads);
      ASSERT_EQ(p.body.threads(), threads);
      const auto sweep = p.sweep("stable_neo_hookean", false, order);
      for (int k = 0; k < 5; ++k) sweep->run(p.step, p.x.data());
      if (first.empty()) first = p.x;
      EXPECT_TRUE(std::equal(first.begin(), first.end(), p.x.begin())) << threads;
    }
  }
}

TEST(VertexSweep, EachUpdateOfTheCoreLawFindsTheMinimumOfItsVertex) {
  // The objective is a convex quadratic in one vertex: after the step its own force is zero.
  Problem p(held_block(), 0.1);
  const auto sweep = p.sweep("stable_neo_hookean_core", false);
  for (int visit = 0; visit < int(p.step.held.size()); ++visit) {
    const auto block = sweep->block(p.step, p.x.data(), visit);
    const std::size_t at = 4 * std::size_t(sweep->schedule().nodes[std::size_t(visit)]);
    Vector x = p.x;
    Eigen::Map<Vector3>(x.data() + at) += block.matrix.ldlt().solve(block.force);
    EXPECT_LT(sweep->block(p.step, x.data(), visit).force.norm(), 1e-10 * (1 + block.force.norm()));
  }
}

}  // namespace
}  // namespace deformbench::descent
