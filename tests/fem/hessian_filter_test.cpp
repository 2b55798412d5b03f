// SPDX-License-Identifier: BSD-3-Clause
// Rules that filter the Hessians of elements: which elements, and how Newton's method converges with each.
#include "methods/fem/nonlinear/hessian_filter.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/fem/fem_fixture.hpp"

namespace deformbench::fem {
namespace {

using Gradient = HessianFilter::Vector;

/// Four numbers per node; component 1 of node i is sizes[i].
Gradient gradient_of(const std::vector<double>& sizes) {
  Gradient gradient;
  gradient.assign(4 * sizes.size(), 0.0);
  for (std::size_t i = 0; i < sizes.size(); ++i) gradient[4 * i + 1] = sizes[i];
  return gradient;
}

// [LLFLAB23]
TEST(HessianFilterRule, ProjectOnDemandIsExactInEveryIterationUntilASolveFails) {
  const Gradient gradient = gradient_of({1.0});
  HessianFilter filter(HessianRule::ProjectOnDemand, false);
  filter.begin_step();
  for (int iteration = 0; iteration < 2; ++iteration) {
    filter.begin_iteration(gradient);
    EXPECT_EQ(filter.form().negative_share, 1.0);
    EXPECT_TRUE(filter.filters_more(gradient));
    EXPECT_EQ(filter.form().negative_share, 0.0);
    EXPECT_EQ(filter.form().filtered_nodes, nullptr);
    EXPECT_FALSE(filter.filters_more(gradient));
    filter.end_iteration(gradient, 0.0, false);
  }
}

// [CLJLZ24]
TEST(HessianFilterRule, TrustRegionClampsOnlyAfterAnIterationThatWasPredicted) {
  const Gradient gradient = gradient_of({1.0});
  HessianFilter filter(HessianRule::TrustRegion, false);
  const auto share_after = [&](double ratio) {
    filter.end_iteration(gradient, ratio, false);
    filter.begin_iteration(gradient);
    return filter.form().negative_share;
  };
  filter.begin_step();
  filter.begin_iteration(gradient);
  EXPECT_EQ(filter.form().negative_share, -1.0);
  EXPECT_EQ(share_after(0.995), 0.0);
  EXPECT_EQ(share_after(1.005), 0.0);
  EXPECT_EQ(share_after(1.02), -1.0);
  EXPECT_EQ(share_after(-1.0), -1.0);
  EXPECT_EQ(share_after(1.0), 0.0);
  EXPECT_FALSE(filter.filters_more(gradient));
  filter.begin_step();
  filter.begin_iteration(gradient);
  EXPECT_EQ(filter.form().negative_share, -1.0);
}

// [FLB26]
TEST(HessianFilterRule, ProgressiveSelectsNodesOfLargeGradient) {
  const Gradient gradient = gradient_of({-8.0, 3.0, 1.0, 0.0});
  HessianFilter filter(HessianRule::Progressive, false);
  const auto selected = [&] { return *filter.form().filtered_nodes; };
  filter.begin_step();
  filter.begin_iteration(gradient);
  EXPECT_EQ(filter.form().negative_share, 1.0);  // nothing is filtered
  EXPECT_TRUE(filter.filters_more(gradient));    // threshold 4
  EXPECT_EQ(filter.form().negative_share, 0.0);
  EXPECT_EQ(selected(), (std::vector<char>{1, 0, 0, 0}));
  EXPECT_TRUE(filter.filters_more(gradient));  // 2
  EXPECT_EQ(selected(), (std::vector<char>{1, 1, 0, 0}));
  filter.end_iteration(gradient, 0.0, false);  // 4
  filter.begin_iteration(gradient);
  EXPECT_EQ(selected(), (std::vector<char>{1, 0, 0, 0}));
  filter.end_iteration(gradient, 0.0, true);  // 8, then 4: shortened
  filter.begin_iteration(gradient);
  EXPECT_EQ(selected(), (std::vector<char>{1, 0, 0, 0}));
  int more = 0;
  while (filter.filters_more(gradient)) ASSERT_LT(++more, 100);
  EXPECT_EQ(filter.form().filtered_nodes, nullptr);  // all elements
  EXPECT_EQ(filter.form().negative_share, 0.0);
}

constexpr const char* kRules[] = {"projected", "exact", "absolute", "trust_region", "project_on_demand", "progressive"};

/// A bar that fills 1 m, held at one end, and starts stretched or pressed along its axis; nearly incompressible, in a
/// step so long that inertia hardly matters.
Scene strained_bar(double stretch) {
  Scene scene = block_scene({8, 2, 2}, 0.125);
  scene.materials[0].young_modulus = 1e5;
  scene.materials[0].poisson_ratio = 0.49;
  scene.time_step = 1.0;
  scene.prescribed.resize(1);
  scene.prescribed[0].vertices = model::vertices_on_plane(scene.tet_mesh.rest_positions, 0, 0.0, 1e-9);
  scene.initial_positions = scene.tet_mesh.rest_positions;
  scene.initial_positions.col(0) *= stretch;
  return scene;
}

TEST(HessianFilters, AllEndAtTheSameMinimumOfAStretchedAndOfAPressedBar) {
  for (const double stretch : {1.6, 0.5}) {
    const Scene scene = strained_bar(stretch);
    Points first;
    for (const char* solver : {"direct", "cg"}) {
      for (const char* rule : kRules) {
        if (std::string(rule) == "exact") continue;  // ascends, or meets a matrix that is not positive definite
        const auto s = make("implicit_fem", scene,
                            {{"hessian", std::string(rule)},
                             {"solver", std::string(solver)},
                             {"cg_preconditioner", std::string("jacobi")}});
        const StepReport report = s->step();
        EXPECT_EQ(report.converged, std::optional(true)) << rule << ' ' << stretch << ' ' << solver;
        RecordProperty(fmt::format("{}_{}_{}", rule, stretch, solver), report.solves);
        if (first.size() == 0) first = s->state().positions;
        EXPECT_LT((s->state().positions - first).cwiseAbs().maxCoeff(), 1e-7) << rule << ' ' << stretch;
      }
    }
    EXPECT_GT((first - scene.initial_positions).cwiseAbs().maxCoeff(), 0.1);
  }
}

TEST(HessianFilters, TheMatrixShownIsTheOneSolved) {
  // The first iteration of trust_region is that of absolute, whatever it forms besides.
  const auto matrix_of = [](const char* rule) {
    const auto s = make(
        "implicit_fem", strained_bar(0.5),
        {{"hessian", std::string(rule)}, {"newton_max_iterations", 1LL}, {"on_unconverged", std::string("continue")}});
    s->step();
    return Eigen::MatrixXd(facet_of<StepMatrixFacet>(*s).solved_matrix());
  };
  const Eigen::MatrixXd absolute = matrix_of("absolute");
  ASSERT_GT(absolute.size(), 0);
  EXPECT_EQ(matrix_of("trust_region"), absolute);
  EXPECT_NE(matrix_of("projected"), absolute);
}

TEST(HessianFilters, TrustRegionComparesTheDecreaseWithTheExactModel) {
  // Pressed homogeneously and held all round, elements have negative eigenvalues; so near the equilibrium the exact
  // quadratic model predicts the decrease to a hundredth, a filtered one does not. The second iteration is projected.
  Scene scene = strained_bar(0.7);
  const Points rest = scene.tet_mesh.rest_positions;
  const Eigen::RowVector3d low = rest.colwise().minCoeff(), high = rest.colwise().maxCoeff();
  std::vector<int> skin;
  for (int i = 0; i < int(rest.rows()); ++i) {
    const bool is_inside = (rest.row(i) - low).minCoeff() > 1e-9 && (high - rest.row(i)).minCoeff() > 1e-9;
    if (is_inside)
      for (int c = 0; c < 3; ++c) scene.initial_positions(i, c) += 1e-5 * std::sin(7.0 * i + c);
    else
      skin.push_back(i);
  }
  scene.prescribed.resize(1);
  scene.prescribed[0].targets = scene.initial_positions(skin, Eigen::all);
  scene.prescribed[0].vertices = skin;
  const auto after = [](const Scene& start, const char* rule, long long iterations) {
    auto s = make("implicit_fem", start,
                  {{"hessian", std::string(rule)},
                   {"newton_max_iterations", iterations},
                   {"newton_tolerance", 1e-13},
                   {"solver", std::string("direct")},
                   {"on_unconverged", std::string("continue")}});
    s->step();
    return s;
  };
  const auto matrix = [](const Simulation& s) { return Eigen::MatrixXd(facet_of<StepMatrixFacet>(s).solved_matrix()); };
  // A step that begins where the first iteration ended, with the same target x + Δt v.
  Scene second = scene;
  second.initial_positions = after(scene, "absolute", 1)->state().positions;
  second.initial_velocities = (scene.initial_positions - second.initial_positions) / scene.time_step;
  const Eigen::MatrixXd found = matrix(*after(scene, "trust_region", 2));
  const Eigen::MatrixXd projected = matrix(*after(second, "projected", 1));
  const Eigen::MatrixXd absolute = matrix(*after(second, "absolute", 1));
  EXPECT_LT((found - projected).norm(), 1e-6 * (found - absolute).norm());
  EXPECT_GT((projected - absolute).norm(), 1e-3 * projected.norm());
}

TEST(HessianFilters, AreAllEqualWhereTheHessianIsPositiveDefinite) {
  // Compressible, and stretched in all directions by a twentieth: all eigenvalues of all elements are positive. One
  // iteration, the same velocities.
  Scene scene = strained_bar(1.0);
  scene.materials[0].poisson_ratio = 0.2;
  scene.time_step = 0.01;
  scene.prescribed.clear();
  scene.initial_positions = 1.05 * scene.tet_mesh.rest_positions;
  Points first;
  for (const char* rule : kRules) {
    if (std::string(rule) == "trust_region") continue;  // judges converged iterations
    const auto s =
        make("implicit_fem", scene,
             {{"hessian", std::string(rule)}, {"solver", std::string("direct")}, {"newton_iterations", 1LL}});
    s->step();
    const Points velocities = s->state().velocities;
    if (first.size() == 0) first = velocities;
    // progressive takes its forces from F, others from its singular values: rounding
    EXPECT_LT((velocities - first).cwiseAbs().maxCoeff(), 1e-11 * first.cwiseAbs().maxCoeff()) << rule;
    if (std::string(rule) != "progressive") {
      EXPECT_EQ(velocities, first) << rule;
    }
  }
  EXPECT_GT(first.cwiseAbs().maxCoeff(), 0.01);
}

TEST(HessianInSinglePrecision, TakesAsManyIterationsToTheSamePositions) {
  for (const char* law : {"stable_neo_hookean", "corotational", "neo_hookean"}) {
    for (const double poisson_ratio : {0.33, 0.45}) {
      Scene scene = strained_bar(1.05);
      scene.materials[0].poisson_ratio = poisson_ratio;
      scene.time_step = 0.02;
      const auto run = [&](const char* precision) {
        const auto s =
            make("implicit_fem", scene, {{"law", std::string(law)}, {"hessian_precision", std::string(precision)}});
        int solves = 0;
        for (int k = 0; k < 5; ++k) {
          const StepReport report = s->step();
          EXPECT_EQ(report.converged, std::optional(true)) << law << ' ' << precision;
          solves += report.solves;
        }
        return std::pair(solves, Points(s->state().positions));
      };
      const auto [solves, positions] = run("double");
      const auto [single_solves, single_positions] = run("single");
      EXPECT_LE(single_solves, solves + 1) << law << ' ' << poisson_ratio;
      EXPECT_NE(single_positions, positions);
      EXPECT_LT((single_positions - positions).cwiseAbs().maxCoeff(), 1e-8) << law << ' ' << poisson_ratio;
    }
  }
}

TEST(HessianFilterTrustRegion, IsRefusedWithAFixedNumberOfIterations) {
  const Registry registry = element_methods();
  const MethodDescriptor& method = registry.at("implicit_fem");
  const auto supports = [&](long long iterations) {
    const Settings settings = {{"hessian", std::string("trust_region")}, {"newton_iterations", iterations}};
    return method.supports(block_scene(), Parameters(method.parameters, settings, "implicit_fem")).supported;
  };
  EXPECT_TRUE(supports(0));
  EXPECT_FALSE(supports(1));
}

}  // namespace
}  // namespace deformbench::fem
