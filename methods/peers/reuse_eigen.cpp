// SPDX-License-Identifier: BSD-3-Clause
// Warped stiffness FEM as a careful researcher writes it with Eigen: the sparsity pattern and the places of every
// element's blocks in it found once, rotations by Newton's iteration, half of the blocks of a symmetric element,
// Eigen's own conjugate gradients. The higher yardstick of speed beside naive_eigen.
#include <Eigen/LU>
#include <array>

#include "methods/peers/eigen_body.hpp"
#include "methods/peers/register_peers.hpp"

namespace deformbench::peers {
namespace {

class ReuseEigen final : public EigenBody {
 public:
  ReuseEigen(const Scene& scene, const Parameters& parameters)
      : EigenBody(scene, parameters), a_(3 * free_count_, 3 * free_count_) {
    build_pattern();
    find_places();
  }

 private:
  /// Where the three columns of a 3×3 block begin among the values of the matrix; its rows are neighbours. −1: a row or
  /// column is prescribed.
  using Place = std::array<Eigen::Index, 3>;

  void build_pattern() {
    std::vector<Eigen::Triplet<double>> triplets;
    const auto add_block = [&](int row, int column) {
      for (int p = 0; p < 3; ++p)
        for (int q = 0; q < 3; ++q) triplets.emplace_back(3 * row + p, 3 * column + q, 0.0);
    };
    for (int row = 0; row < free_count_; ++row) add_block(row, row);
    for (Eigen::Index e = 0; e < element_count(); ++e)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          if (row_of(vertex(e, i)) >= 0 && row_of(vertex(e, j)) >= 0)
            add_block(row_of(vertex(e, i)), row_of(vertex(e, j)));
    a_.setFromTriplets(triplets.begin(), triplets.end());
  }

  Place place_of(int row, int column) {
    Place place{-1, -1, -1};
    if (row < 0 || column < 0) return place;
    for (int q = 0; q < 3; ++q) place[std::size_t(q)] = &a_.coeffRef(3 * row, 3 * column + q) - a_.valuePtr();
    return place;
  }

  void find_places() {
    for (Eigen::Index e = 0; e < element_count(); ++e)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j) places_.push_back(place_of(row_of(vertex(e, i)), row_of(vertex(e, j))));
    for (int row = 0; row < free_count_; ++row) diagonal_.push_back(place_of(row, row));
  }

  void add(const Place& place, const Matrix3& block) {
    for (int q = 0; q < 3; ++q) Eigen::Map<Vector3>(a_.valuePtr() + place[std::size_t(q)]) += block.col(q);
  }

  /// Newton's iteration R ← (R + R⁻ᵀ)/2 from F converges to the polar factor where det F > 0; the rest is left to the
  /// SVD.
  Matrix3 rotation_of(const Matrix3& f) const override {
    const double smallest_determinant = 1e-3;  // below it the first steps overshoot
    const int most_iterations = 12;
    const double converged = 1e-16;  // of a squared change: the next one is the square of this one
    if (!(f.determinant() > smallest_determinant)) return EigenBody::rotation_of(f);
    Matrix3 r = f;
    for (int k = 0; k < most_iterations; ++k) {
      const Matrix3 next = 0.5 * (r + r.inverse().transpose());
      const double change = (next - r).squaredNorm();
      r = next;
      if (change < converged) return r;
    }
    return EigenBody::rotation_of(f);
  }

  const SparseMatrix& assemble(Eigen::VectorXd& b, const Points& prescribed) override {
    const double dt = scene_.time_step;
    Eigen::Map<Eigen::VectorXd>(a_.valuePtr(), a_.nonZeros()).setZero();
    for (Eigen::Index e = 0; e < element_count(); ++e) {
      const Matrix3 r = rotation(positions_, e);
      const Matrix12& k0 = stiffness_[std::size_t(e)];
      const Vector12 force = k0 * unrotated_displacements(positions_, e, r);
      const Place* places = &places_[16 * std::size_t(e)];
      for (int i = 0; i < 4; ++i) {
        const int row = row_of(vertex(e, i));
        if (row >= 0) b.segment<3>(3 * row) -= dt * (r * force.segment<3>(3 * i));
        for (int j = i; j < 4; ++j) {
          const int column = row_of(vertex(e, j));
          if (row < 0 && column < 0) continue;
          const Matrix3 half = r * k0.block<3, 3>(3 * i, 3 * j);
          const Matrix3 warped = dt * dt * (half * r.transpose());
          if (column < 0) {
            b.segment<3>(3 * row) -= warped * prescribed.row(vertex(e, j)).transpose();
          } else if (row < 0) {
            b.segment<3>(3 * column) -= warped.transpose() * prescribed.row(vertex(e, i)).transpose();
          } else {
            add(places[4 * i + j], warped);
            if (j > i) add(places[4 * j + i], warped.transpose());
          }
        }
      }
    }
    for (int i = 0; i < masses_.size(); ++i)
      if (row_of(i) >= 0) add(diagonal_[std::size_t(row_of(i))], masses_[i] * Matrix3::Identity());
    return a_;
  }

  SparseMatrix a_;
  std::vector<Place> places_;    ///< 16 per element, row by row
  std::vector<Place> diagonal_;  ///< one per free vertex
};

}  // namespace

void register_reuse_eigen(Registry& registry) {
  MethodDescriptor reuse = eigen_peer();
  reuse.id = "reuse_eigen";
  reuse.summary = "Warped stiffness FEM written with care in Eigen: one sparsity pattern, reused; a yardstick of speed";
  reuse.create = [](const Scene& scene, const Parameters& parameters, const RunContext&) {
    return std::make_unique<ReuseEigen>(scene, parameters);
  };
  registry.add(std::move(reuse));
}

}  // namespace deformbench::peers
