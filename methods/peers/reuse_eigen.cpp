// SPDX-License-Identifier: BSD-3-Clause
#include "methods/peers/reuse_eigen.hpp"

#include <Eigen/LU>

namespace deformbench::peers {

ReuseEigen::ReuseEigen(const Scene& scene, const Parameters& parameters, const RunContext& context)
    : EigenBody(scene, parameters, context), a_(3 * free_count_, 3 * free_count_) {
  build_pattern();
  find_places();
}

void ReuseEigen::build_pattern() {
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

ReuseEigen::Place ReuseEigen::place_of(int row, int column) {
  Place place{-1, -1, -1};
  if (row < 0 || column < 0) return place;
  for (int q = 0; q < 3; ++q) place[std::size_t(q)] = &a_.coeffRef(3 * row, 3 * column + q) - a_.valuePtr();
  return place;
}

void ReuseEigen::find_places() {
  for (Eigen::Index e = 0; e < element_count(); ++e)
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) places_.push_back(place_of(row_of(vertex(e, i)), row_of(vertex(e, j))));
  for (int row = 0; row < free_count_; ++row) diagonal_.push_back(place_of(row, row));
}

void ReuseEigen::add(const Place& place, const Matrix3& block) {
  for (int q = 0; q < 3; ++q) Eigen::Map<Vector3>(a_.valuePtr() + place[std::size_t(q)]) += block.col(q);
}

/// Newton's iteration R ← (R + R⁻ᵀ)/2 from F converges to the polar factor for det F > 0; other cases use the SVD.
Matrix3 ReuseEigen::rotation_of(const Matrix3& f) const {
  const double smallest_determinant = 1e-3;  // below it the first steps overshoot
  const int most_iterations = 12;
  const double converged = 1e-16;  // squared change: convergence is quadratic
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

const EigenBody::SparseMatrix& ReuseEigen::assemble(Eigen::VectorXd& b, const Points& prescribed) {
  const double dt = scene_.time_step;
  Eigen::Map<Eigen::VectorXd>(a_.valuePtr(), a_.nonZeros()).setZero();
  Vector12 force;
  Blocks blocks;
  for (Eigen::Index e = 0; e < element_count(); ++e) {
    evaluate(e, force, blocks);
    const Place* places = &places_[16 * std::size_t(e)];
    const Matrix3* block = blocks.data();
    for (int i = 0; i < 4; ++i) {
      const int row = row_of(vertex(e, i));
      if (row >= 0) b.segment<3>(3 * row) += dt * force.segment<3>(3 * i);
      for (int j = i; j < 4; ++j) {
        const int column = row_of(vertex(e, j));
        const Matrix3 scaled = dt * dt * *block++;
        if (row < 0 && column < 0) continue;
        if (column < 0) {
          b.segment<3>(3 * row) -= scaled * prescribed.row(vertex(e, j)).transpose();
        } else if (row < 0) {
          b.segment<3>(3 * column) -= scaled.transpose() * prescribed.row(vertex(e, i)).transpose();
        } else {
          add(places[4 * i + j], scaled);
          if (j > i) add(places[4 * j + i], scaled.transpose());
        }
      }
    }
  }
  for (int i = 0; i < masses_.size(); ++i)
    if (row_of(i) >= 0) add(diagonal_[std::size_t(row_of(i))], masses_[i] * Matrix3::Identity());
  return a_;
}

}  // namespace deformbench::peers
