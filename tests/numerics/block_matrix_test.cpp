// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/block_matrix.hpp"

#include <gtest/gtest.h>

#include "tests/numerics/random_pattern.hpp"

namespace deformbench::numerics {
namespace {

template <class T>
class BlockMatrix : public testing::Test {
 protected:
  static constexpr double tolerance = sizeof(T) == 8 ? 1e-13 : 1e-5;  // 60 products of a row, relative to ‖A‖‖x‖
};
using Scalars = testing::Types<float, double>;
TYPED_TEST_SUITE(BlockMatrix, Scalars);

TYPED_TEST(BlockMatrix, BothStoragesHoldTheSameSparseMatrix) {
  RandomStream random(31);
  const EdgePattern pattern = random_pattern(70, 0.1, random);
  const RandomSystem<TypeParam> system(pattern, random, false);
  const Eigen::MatrixXd full(system.full.to_sparse()), upper(system.upper.to_sparse());
  EXPECT_LT((full - upper).cwiseAbs().maxCoeff(), this->tolerance * full.norm());
  AlignedVector<TypeParam> a(280), b(280);
  system.full.diagonal_entries(a.data());
  system.upper.diagonal_entries(b.data());
  EXPECT_LT((packed(a) - full.diagonal()).norm(), this->tolerance * full.norm());
  EXPECT_LT((packed(b) - full.diagonal()).norm(), this->tolerance * full.norm());
}

TYPED_TEST(BlockMatrix, SparseMatricesAreSortedAndAlikeInMemoryThatIsUsedAgain) {
  RandomStream random(33);
  Eigen::SparseMatrix<double> full, upper;
  for (const int nodes : {40, 25, 25, 60})
    for (const double density : {0.0, 0.2}) {
      const EdgePattern pattern = random_pattern(nodes, density, random);
      const RandomSystem<TypeParam> system(pattern, random, false);
      system.full.to_sparse(full);
      system.upper.to_sparse(upper);
      for (const auto* a : {&full, &upper}) {
        EXPECT_TRUE(a->isCompressed());
        EXPECT_EQ(a->nonZeros(), 9 * (nodes + 2 * pattern.edge_count()));
        for (int j = 0; j < a->outerSize(); ++j) {
          int last = -1;
          for (Eigen::SparseMatrix<double>::InnerIterator it(*a, j); it; ++it) {
            EXPECT_GT(it.row(), last);
            last = int(it.row());
          }
        }
      }
      EXPECT_EQ(Eigen::MatrixXd(full), Eigen::MatrixXd(system.full.to_sparse()));
      EXPECT_EQ(Eigen::MatrixXd(upper), Eigen::MatrixXd(system.upper.to_sparse()));
    }
}

TYPED_TEST(BlockMatrix, ProductsAreThoseOfEigen) {
  RandomStream random(32);
  for (const double density : {0.0, 0.05, 0.3}) {
    const EdgePattern pattern = random_pattern(75, density, random);
    const RandomSystem<TypeParam> system(pattern, random, false);
    const auto x = random_nodes<TypeParam>(75, random);
    AlignedVector<TypeParam> y(300, TypeParam(7));
    const Eigen::SparseMatrix<double> a = system.full.to_sparse();
    const double size = Eigen::MatrixXd(a).norm() * packed(x).norm();
    system.full.multiply_rows(0, 75, x.data(), y.data());
    EXPECT_LT((packed(y) - a * packed(x)).norm(), this->tolerance * size);

    Eigen::SparseMatrix<double> k = a;
    for (int i = 0; i < 75; ++i)
      for (int c = 0; c < 3; ++c) k.coeffRef(3 * i + c, 3 * i + c) -= double(system.upper.weight(i));
    system.full.multiply_differences(0, 75, std::array<const TypeParam*, 1>{x.data()},
                                     std::array<TypeParam*, 1>{y.data()});
    EXPECT_LT((packed(y) - k * packed(x)).norm(), this->tolerance * size);
    std::fill(y.begin(), y.end(), TypeParam(0));
    system.upper.add_rows(0, 75, 75, std::array<const TypeParam*, 1>{x.data()}, std::array<TypeParam*, 1>{y.data()},
                          std::array<TypeParam*, 1>{y.data() + 300});
    EXPECT_LT((packed(y) - k * packed(x)).norm(), this->tolerance * size);
    for (std::size_t i = 3; i < y.size(); i += 4) EXPECT_EQ(y[i], TypeParam(0));
  }
}

TEST(BlockMatrixLayout, KeepsEveryEntryOfABlock) {
  Matrix3 b;
  b << 1, 2, 3, 4, 5, 6, 7, 8, 9;
  double numbers[9];
  put_block(numbers, b);
  EXPECT_EQ(block_at(numbers), b);
}

TEST(BlockMatrixPattern, RangesCoverEveryRowOnceAndShareTheWork) {
  RandomStream random(33);
  const EdgePattern pattern = random_pattern(500, 0.02, random);
  for (const int threads : {1, 2, 3, 8}) {
    const std::vector<int> ranges = balanced_ranges(pattern, threads);
    ASSERT_EQ(ranges.size(), std::size_t(threads) + 1);
    EXPECT_EQ(ranges.front(), 0);
    EXPECT_EQ(ranges.back(), 500);
    for (int t = 0; t < threads; ++t) {
      const int low = ranges[std::size_t(t)], high = ranges[std::size_t(t) + 1];
      const double work = pattern.row_start[std::size_t(high)] - pattern.row_start[std::size_t(low)] + high - low;
      EXPECT_NEAR(work, (pattern.edge_count() + 500.0) / threads, 40.0);
    }
  }
}

}  // namespace
}  // namespace deformbench::numerics
