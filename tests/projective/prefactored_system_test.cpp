// SPDX-License-Identifier: BSD-3-Clause
// The constant matrix against one assembled densely here, with rollers and with blocks of obstacles.
#include "tests/projective/projective_fixture.hpp"

namespace deformbench::projective {
namespace {

class Prefactored : public ::testing::Test {
 protected:
  Prefactored() {
    scene_ = held_block();
    scene_.prescribed.resize(2);  // and rollers: x alone is held
    scene_.prescribed[1].vertices = model::vertices_on_plane(scene_.tet_mesh.rest_positions, 2, 0.2, 0.05);
    scene_.prescribed[1].components = {true, false, false};
    body_.emplace(scene_, 1);
    body_->state.begin_step();
    numerics::RandomStream random(3);
    right_.assign(body_->state.positions.size(), 0.0);
    for (std::size_t n = 0; n < right_.size(); ++n)
      if (n % 4 < 3) right_[n] = random.normal();
  }

  /// A of all vertices with `blocks`, rows and columns of held components replaced by those of the identity.
  Eigen::MatrixXd dense(double inertia, double shares, const std::vector<fem::NodeBlock>& blocks) const {
    const Eigen::MatrixXd one = dense_matrix(scene_, body_->masses, inertia, shares);
    const Eigen::Index n = one.rows();
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(3 * n, 3 * n);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index j = 0; j < n; ++j) a.block<3, 3>(3 * i, 3 * j) = one(i, j) * Matrix3::Identity();
    for (const fem::NodeBlock& added : blocks) {
      const int v = body_->graph.node_of[std::size_t(added.node)];
      a.block<3, 3>(3 * v, 3 * v) += added.block;
    }
    const auto held = prescribed_components(scene_);
    for (Eigen::Index i = 0; i < n; ++i)
      for (Eigen::Index c = 0; c < 3; ++c)
        if (held[std::size_t(i)][std::size_t(c)]) {
          a.row(3 * i + c).setZero(), a.col(3 * i + c).setZero();
          a(3 * i + c, 3 * i + c) = 1.0;
        }
    return a;
  }
  /// Free components of a vector in the graph's order, in the order of the mesh.
  Eigen::VectorXd in_mesh_order(const PrefactoredSystem::Vector& x) const {
    Eigen::VectorXd result(3 * Eigen::Index(x.size() / 4));
    const auto held = prescribed_components(scene_);
    for (std::size_t i = 0; i < x.size() / 4; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto v = std::size_t(body_->graph.node_of[i]);
        result[Eigen::Index(3 * v + c)] = held[v][c] ? 0.0 : x[4 * i + c];
      }
    return result;
  }

  Scene scene_;
  std::optional<fem::Body<double>> body_;
  PrefactoredSystem::Vector right_;
};

TEST_F(Prefactored, SolvesWithTheMatrixAssembledDensely) {
  const std::pair<MatrixStiffness, double> kinds[] = {
      {MatrixStiffness::Shear, 0.0}, {MatrixStiffness::Sum, 1.0}, {MatrixStiffness::Bound, 3.0}};
  for (const auto& [kind, shares] : kinds) {
    const PrefactoredSystem system(*body_, 1e4, kind);
    PrefactoredSystem::Vector x;
    system.solve(right_, x);
    const Eigen::VectorXd expected = dense(1e4, shares, {}).ldlt().solve(in_mesh_order(right_));
    EXPECT_LT((in_mesh_order(x) - expected).norm(), 1e-11 * expected.norm()) << shares;
    body_->state.each_prescribed(
        [&](std::size_t, std::size_t node, std::size_t c) { EXPECT_EQ(x[4 * node + c], 0.0) << "held"; });
  }
}

TEST_F(Prefactored, AddsTheBlocksOfObstacles) {
  const PrefactoredSystem system(*body_, 1e4, MatrixStiffness::Sum);
  std::vector<fem::NodeBlock> blocks;
  for (int k = 0; k < 5; ++k) {
    const Vector3 normal = Vector3(1.0, k, 2.0 * k - 3.0).normalized();
    blocks.push_back({3 * k + 4, 1e5 * (k + 1) * normal * normal.transpose()});
  }
  PrefactoredSystem::Vector x;
  const int iterations = system.solve(right_, blocks, x);
  const Eigen::VectorXd expected = dense(1e4, 1.0, blocks).ldlt().solve(in_mesh_order(right_));
  EXPECT_LT((in_mesh_order(x) - expected).norm(), 1e-5 * expected.norm());
  EXPECT_LE(iterations, 8);
}

}  // namespace
}  // namespace deformbench::projective
