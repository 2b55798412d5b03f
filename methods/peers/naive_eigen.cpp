// SPDX-License-Identifier: BSD-3-Clause
// Straightforward warped stiffness FEM with Eigen: polar decomposition by SVD, triplets and setFromTriplets in every
// step, Eigen's conjugate gradients. The lower speed baseline; reuse_eigen is the higher one.
#include "methods/peers/eigen_body.hpp"
#include "methods/peers/register_peers.hpp"

namespace deformbench::peers {
namespace {

class NaiveEigen final : public EigenBody {
 public:
  NaiveEigen(const Scene& scene, const Parameters& parameters, const RunContext& context)
      : EigenBody(scene, parameters, context), a_(3 * free_count_, 3 * free_count_) {}

 private:
  const SparseMatrix& assemble(Eigen::VectorXd& b, const Points& prescribed) override {
    const double dt = scene_.time_step;
    triplets_.clear();
    for (Eigen::Index e = 0; e < element_count(); ++e) {
      const Matrix3 r = rotation(positions_, e);
      const Matrix12& k0 = stiffness_[std::size_t(e)];
      const Vector12 force = k0 * unrotated_displacements(positions_, e, r);
      for (int i = 0; i < 4; ++i) {
        const int row = row_of(vertex(e, i));
        if (row < 0) continue;
        b.segment<3>(3 * row) -= dt * (r * force.segment<3>(3 * i));
        for (int j = 0; j < 4; ++j) {
          const Matrix3 warped = dt * dt * (r * k0.block<3, 3>(3 * i, 3 * j) * r.transpose());
          const int column = row_of(vertex(e, j));
          if (column < 0) {
            b.segment<3>(3 * row) -= warped * prescribed.row(vertex(e, j)).transpose();
            continue;
          }
          for (int p = 0; p < 3; ++p)
            for (int q = 0; q < 3; ++q) triplets_.emplace_back(3 * row + p, 3 * column + q, warped(p, q));
        }
      }
    }
    for (int i = 0; i < masses_.size(); ++i) {
      const int row = row_of(i);
      if (row < 0) continue;
      for (int p = 0; p < 3; ++p) triplets_.emplace_back(3 * row + p, 3 * row + p, masses_[i]);
    }
    a_.setFromTriplets(triplets_.begin(), triplets_.end());
    return a_;
  }

  SparseMatrix a_;
  std::vector<Eigen::Triplet<double>> triplets_;
};

}  // namespace

void register_naive_eigen(Registry& registry) {
  MethodDescriptor naive = eigen_peer();
  naive.id = "naive_eigen";
  naive.summary = "Warped stiffness FEM the obvious way: SVD, triplets and Eigen's CG every step; a yardstick of speed";
  naive.create = [](const Scene& scene, const Parameters& parameters, const RunContext& context) {
    return std::make_unique<NaiveEigen>(scene, parameters, context);
  };
  registry.add(std::move(naive));
}

}  // namespace deformbench::peers
