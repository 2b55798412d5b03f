// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/conjugate_gradient.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <Eigen/IterativeLinearSolvers>
#include <limits>

#include "methods/numerics/direct_solver.hpp"
#include "tests/numerics/random_pattern.hpp"
#include "tests/numerics/textbook_iterate.hpp"

namespace deformbench::numerics {
namespace {

constexpr int kNodes = 300;

struct Problem {
  explicit Problem(std::uint64_t seed)
      : random(seed),
        pattern(random_pattern(kNodes, 0.01, random)),
        system(pattern, random),
        b(random_nodes<double>(kNodes, random)) {}
  RandomStream random;
  EdgePattern pattern;
  RandomSystem<double> system;
  AlignedVector<double> b;

  template <class Matrix>
  SolverResult solve(const Matrix& a, AlignedVector<double>& x, int threads, const SolverSettings& settings,
                     std::vector<int> frozen = {}, bool jacobi = false, std::vector<Components> components = {}) {
    KrylovSpace<double> space(pattern, frozen, threads, components);
    space.residual = b;
    space.clear_frozen(space.residual.data(), 0, kNodes);
    if (jacobi) {
      space.inverse_diagonal.resize(b.size());
      a.diagonal_entries(space.inverse_diagonal.data());
      for (std::size_t i = 0; i < b.size(); ++i)
        space.inverse_diagonal[i] = i % 4 < 3 ? 1.0 / space.inverse_diagonal[i] : 0.0;
    }
    x.assign(b.size(), 0.0);
    return space.conjugate_gradient(a, x.data(), packed(space.residual).norm(), settings);
  }
};

TEST(ConjugateGradient, SolvesToTheToleranceInBothStoragesWithOneThreadAndMore) {
  Problem problem(41);
  const Eigen::MatrixXd dense(problem.system.full.to_sparse());
  const Eigen::VectorXd expected = dense.llt().solve(packed(problem.b));
  for (const int threads : {1, 2, 3}) {
    for (const bool jacobi : {false, true}) {
      AlignedVector<double> x;
      const SolverResult full = problem.solve(problem.system.full, x, threads, {.tolerance = 1e-12}, {}, jacobi);
      EXPECT_LE(full.residual, 1e-12);
      EXPECT_LT((packed(x) - expected).norm(), 1e-9 * expected.norm());
      const SolverResult upper = problem.solve(problem.system.upper, x, threads, {.tolerance = 1e-12}, {}, jacobi);
      EXPECT_LE(upper.residual, 1e-12);
      EXPECT_LT((packed(x) - expected).norm(), 1e-9 * expected.norm());
      EXPECT_NEAR(upper.iterations, full.iterations, 2);
    }
  }
}

TEST(ConjugateGradient, AFixedCountGivesTheIterateOfEigensConjugateGradient) {
  Problem problem(42);
  const Eigen::SparseMatrix<double> a = problem.system.full.to_sparse();
  Eigen::ConjugateGradient<Eigen::SparseMatrix<double>, Eigen::Lower | Eigen::Upper, Eigen::IdentityPreconditioner>
      oracle(a);
  oracle.setTolerance(0.0);
  for (const int count : {1, 2, 7, 20}) {
    oracle.setMaxIterations(count);
    const Eigen::VectorXd expected = oracle.solve(packed(problem.b));
    for (const int threads : {1, 2}) {
      AlignedVector<double> x;
      EXPECT_EQ(problem.solve(problem.system.full, x, threads, {.fixed_iterations = count}).iterations, count);
      EXPECT_LT((packed(x) - expected).norm(), 1e-11 * expected.norm());
      const SolverResult result = problem.solve(problem.system.upper, x, threads, {.fixed_iterations = count});
      EXPECT_LT((packed(x) - expected).norm(), 1e-11 * expected.norm());
      const double true_residual = (packed(problem.b) - a * packed(x)).norm() / packed(problem.b).norm();
      EXPECT_NEAR(result.residual, true_residual, 1e-10 * true_residual);
    }
  }
}

TEST(ConjugateGradient, TwentyIterationsAreTwentyAndNeitherNineteenNorTwentyOne) {
  Problem problem(51);
  const Eigen::SparseMatrix<double> a = problem.system.full.to_sparse();
  const Eigen::VectorXd b = packed(problem.b), start = Eigen::VectorXd::Zero(b.size());
  const Eigen::VectorXd twenty = textbook_iterate(a, b, start, 20);
  const double to_nineteen = (twenty - textbook_iterate(a, b, start, 19)).norm();
  const double to_twenty_one = (twenty - textbook_iterate(a, b, start, 21)).norm();
  ASSERT_GT(to_nineteen, 1e-5 * twenty.norm());
  ASSERT_GT(to_twenty_one, 1e-5 * twenty.norm());
  for (const int threads : {1, 2, 3}) {
    AlignedVector<double> x;
    const SolverResult full = problem.solve(problem.system.full, x, threads, {.fixed_iterations = 20});
    EXPECT_EQ(full.iterations, 20);
    EXPECT_LT((packed(x) - twenty).norm(), 1e-10 * twenty.norm()) << threads;
    const SolverResult upper = problem.solve(problem.system.upper, x, threads, {.fixed_iterations = 20});
    EXPECT_EQ(upper.iterations, 20);
    EXPECT_LT((packed(x) - twenty).norm(), 1e-10 * twenty.norm()) << threads;
  }
}

TEST(ConjugateGradient, SaysWhetherItMetItsToleranceWhereOneWasAskedFor) {
  Problem problem(52);
  for (const int threads : {1, 2}) {
    AlignedVector<double> x;
    const SolverResult met = problem.solve(problem.system.upper, x, threads, {.tolerance = 1e-8});
    EXPECT_EQ(met.converged, std::optional(true));
    EXPECT_LE(met.residual, 1e-8);
    const SolverSettings too_few{.tolerance = 1e-8, .max_iterations = met.iterations - 1};
    const SolverResult missed = problem.solve(problem.system.upper, x, threads, too_few);
    EXPECT_EQ(missed.converged, std::optional(false));
    EXPECT_EQ(missed.iterations, met.iterations - 1);
    EXPECT_GT(missed.residual, 1e-8);
    EXPECT_EQ(problem.solve(problem.system.upper, x, threads, {.fixed_iterations = 20}).converged, std::nullopt);
  }
}

TEST(ConjugateGradient, FrozenNodesAreRemovedFromTheSystem) {
  Problem problem(43);
  const std::vector<int> frozen = {0, 5, 149, 150, 151, 299};
  Eigen::MatrixXd reduced(problem.system.full.to_sparse());
  Eigen::VectorXd b = packed(problem.b);
  for (const int node : frozen) {
    reduced.middleRows(3 * node, 3).setZero();
    reduced.middleCols(3 * node, 3).setZero();
    reduced.block(3 * node, 3 * node, 3, 3).setIdentity();
    b.segment(3 * node, 3).setZero();
  }
  const Eigen::VectorXd expected = reduced.llt().solve(b);
  for (const int threads : {1, 2}) {
    AlignedVector<double> x;
    problem.solve(problem.system.full, x, threads, {.tolerance = 1e-12}, frozen);
    EXPECT_LT((packed(x) - expected).norm(), 1e-9 * expected.norm());
    problem.solve(problem.system.upper, x, threads, {.tolerance = 1e-12}, frozen);
    EXPECT_LT((packed(x) - expected).norm(), 1e-9 * expected.norm());
    for (const int node : frozen) EXPECT_EQ(x[4 * std::size_t(node)], 0.0);
  }
}

TEST(ConjugateGradient, FrozenComponentsAreRemovedFromTheSystemAndNoOthers) {
  Problem problem(53);
  const std::vector<int> frozen = {0, 5, 149, 150, 151, 299};
  const std::vector<Components> components = {1, 2, 4, 7, 5, 6};
  Eigen::MatrixXd reduced(problem.system.full.to_sparse());
  Eigen::VectorXd b = packed(problem.b);
  std::vector<bool> is_frozen(std::size_t(b.size()), false);
  for (std::size_t k = 0; k < frozen.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      if (has_component(components[k], c)) is_frozen[3 * std::size_t(frozen[k]) + c] = true;
  ASSERT_EQ(std::count(is_frozen.begin(), is_frozen.end(), true), 10);
  for (Eigen::Index row = 0; row < b.size(); ++row) {
    if (!is_frozen[std::size_t(row)]) continue;
    reduced.row(row).setZero();
    reduced.col(row).setZero();
    reduced(row, row) = 1.0;
    b[row] = 0.0;
  }
  const Eigen::VectorXd expected = reduced.llt().solve(b);
  for (const int threads : {1, 2}) {
    for (const bool jacobi : {false, true}) {
      AlignedVector<double> x;
      const auto check = [&](const SolverResult& result) {
        EXPECT_LE(result.residual, 1e-12);
        const Eigen::VectorXd found = packed(x);
        EXPECT_LT((found - expected).norm(), 1e-9 * expected.norm());
        for (Eigen::Index row = 0; row < b.size(); ++row) {
          if (!is_frozen[std::size_t(row)]) continue;
          EXPECT_EQ(found[row], 0.0) << row;
        }
      };
      check(problem.solve(problem.system.full, x, threads, {.tolerance = 1e-12}, frozen, jacobi, components));
      check(problem.solve(problem.system.upper, x, threads, {.tolerance = 1e-12}, frozen, jacobi, components));
    }
  }
  KrylovSpace<double> space(problem.pattern, frozen, 1, components);
  space.residual = problem.b;
  space.clear_frozen(space.residual.data(), 0, kNodes);
  AlignedVector<double> x(problem.b.size(), 0.0);
  space.bicgstab(problem.system.full, x.data(), packed(space.residual).norm(), {.tolerance = 1e-12});
  EXPECT_LT((packed(x) - expected).norm(), 1e-9 * expected.norm());
}

TEST(ConjugateGradient, AllComponentsOfFrozenNodesAreTheSameBitsAsWholeNodes) {
  Problem problem(54);
  const std::vector<int> frozen = {3, 77, 150, 280};
  for (const int threads : {1, 2}) {
    AlignedVector<double> whole, named;
    problem.solve(problem.system.upper, whole, threads, {.fixed_iterations = 15}, frozen);
    problem.solve(problem.system.upper, named, threads, {.fixed_iterations = 15}, frozen, false,
                  std::vector<Components>(4, kAllComponents));
    EXPECT_EQ(whole, named);
  }
}

TEST(ConjugateGradient, SameThreadsSameBits) {
  Problem problem(44);
  for (const int threads : {1, 2}) {
    AlignedVector<double> first, second;
    problem.solve(problem.system.upper, first, threads, {.fixed_iterations = 15});
    problem.solve(problem.system.upper, second, threads, {.fixed_iterations = 15});
    EXPECT_EQ(first, second);
  }
}

// Where one step takes nearly all of the residual away, its recurrence is rounding alone: it must be formed anew.
TEST(ConjugateGradient, AsManyIterationsAsEigenvaluesSolveExactly) {
  EdgePattern pattern;
  pattern.nodes = kNodes;
  pattern.row_start.assign(kNodes + 1, 0);
  RandomStream random(49);
  const AlignedVector<double> b = random_nodes<double>(kNodes, random);
  for (const int eigenvalues : {1, 2, 3})
    for (const int threads : {1, 2}) {
      UpperBlockMatrix<double> a(pattern);
      for (int i = 0; i < kNodes; ++i) a.weight(i) = 1.0 + i % eigenvalues;
      KrylovSpace<double> space(pattern, {}, threads);
      space.residual = b;
      AlignedVector<double> x(b.size(), 0.0);
      const SolverResult result = space.conjugate_gradient(a, x.data(), packed(b).norm(), {.tolerance = 1e-13});
      EXPECT_EQ(result.iterations, eigenvalues);
      EXPECT_LT(result.residual, 1e-13);
      for (std::size_t i = 0; i < b.size(); ++i)
        EXPECT_NEAR(x[i], b[i] / a.weight(int(i / 4)), 1e-13) << eigenvalues << " " << threads;
    }
}

TEST(ConjugateGradient, ManyIterationsLeaveTheResidualOfTheirSolution) {
  Problem problem(50);
  const Eigen::SparseMatrix<double> a = problem.system.full.to_sparse();
  for (const int count : {1, 2, 3, 4, 5, 30, 31})  // x is brought up to date every other iteration
    for (const bool jacobi : {false, true}) {
      AlignedVector<double> x;
      const SolverResult result = problem.solve(problem.system.upper, x, 1, {.fixed_iterations = count}, {}, jacobi);
      const double left = (packed(problem.b) - a * packed(x)).norm() / packed(problem.b).norm();
      EXPECT_NEAR(result.residual, left, 1e-9 * left + 1e-15);
    }
}

TEST(ConjugateGradient, AZeroResidualNeedsNoIteration) {
  Problem problem(45);
  std::fill(problem.b.begin(), problem.b.end(), 0.0);
  AlignedVector<double> x;
  EXPECT_EQ(problem.solve(problem.system.full, x, 1, {.fixed_iterations = 20}).iterations, 0);
  EXPECT_EQ(packed(x).norm(), 0.0);
}

TEST(BiCgStab, SolvesANonsymmetricSystem) {
  Problem problem(46);
  for (int e = 0; e < problem.pattern.edge_count(); ++e)
    for (int k = 0; k < 3; ++k) problem.system.full.lower(e)[3 + k] += problem.random.normal();
  const Eigen::MatrixXd dense(problem.system.full.to_sparse());
  ASSERT_GT((dense - dense.transpose()).norm(), 0.05 * dense.norm());
  const Eigen::VectorXd expected = dense.partialPivLu().solve(packed(problem.b));
  KrylovSpace<double> space(problem.pattern, {}, 1);
  space.residual = problem.b;
  AlignedVector<double> x(problem.b.size(), 0.0);
  const SolverResult result =
      space.bicgstab(problem.system.full, x.data(), packed(problem.b).norm(), {.tolerance = 1e-11});
  EXPECT_LE(result.residual, 1e-11);
  EXPECT_LT((packed(x) - expected).norm(), 1e-7 * expected.norm());
}

TEST(DirectSolver, SolvesAndRefusesASingularMatrix) {
  Problem problem(47);
  const Eigen::SparseMatrix<double> a = problem.system.full.to_sparse();
  const Eigen::VectorXd b = packed(problem.b);
  for (const auto kind : {DirectSolver::Kind::SymmetricPositiveDefinite, DirectSolver::Kind::General}) {
    DirectSolver solver(kind);
    ASSERT_TRUE(solver.factorise(a));
    EXPECT_LT((a * solver.solve(b) - b).norm(), 1e-11 * b.norm());
    Eigen::SparseMatrix<double> singular = a;
    singular *= 0.0;
    EXPECT_FALSE(solver.factorise(singular));
    if (kind == DirectSolver::Kind::General) continue;
    Eigen::SparseMatrix<double> undefined = a;
    undefined.coeffRef(0, 0) = std::numeric_limits<double>::quiet_NaN();
    EXPECT_FALSE(solver.factorise(undefined));
  }
}

}  // namespace
}  // namespace deformbench::numerics
