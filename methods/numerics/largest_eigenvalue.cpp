// SPDX-License-Identifier: BSD-3-Clause
#include "methods/numerics/largest_eigenvalue.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <vector>

#include "methods/numerics/random.hpp"

namespace deformbench::numerics {

double largest_eigenvalue(const Eigen::VectorXd& is_free,
                          const std::function<Eigen::VectorXd(const Eigen::VectorXd&)>& times) {
  // The largest eigenvalue of Lanczos' tridiagonal matrix rises to that of A. Its distance to an eigenvalue of A is
  // at most the last off-diagonal times the last entry of its eigenvector.
  constexpr int kMostIterations = 2000;
  constexpr double kTolerance = 1e-6;
  RandomStream random(1);
  Eigen::VectorXd w(is_free.size()), before = Eigen::VectorXd::Zero(is_free.size());
  for (Eigen::Index k = 0; k < w.size(); ++k) w[k] = random.uniform(-0.5, 0.5);
  w = w.cwiseProduct(is_free);
  double length = w.norm(), largest = 0.0;
  std::vector<double> diagonal, beside;
  int next_look = 10;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  for (int iteration = 1; iteration <= kMostIterations && length > 0.0; ++iteration) {
    w /= length;
    Eigen::VectorXd next = times(w).cwiseProduct(is_free);
    diagonal.push_back(w.dot(next));
    next -= diagonal.back() * w + (beside.empty() ? 0.0 : beside.back()) * before;
    before = std::move(w);
    w = std::move(next);
    length = w.norm();
    const bool is_last = iteration == kMostIterations || !(length > 1e-14 * std::abs(diagonal.front()));
    if (iteration == next_look || is_last) {
      next_look += std::max(10, next_look / 4);  // a check costs O(iterations³)
      solver.computeFromTridiagonal(Eigen::Map<Eigen::VectorXd>(diagonal.data(), iteration),
                                    Eigen::Map<Eigen::VectorXd>(beside.data(), iteration - 1));
      largest = solver.eigenvalues()[iteration - 1];
      if (length * std::abs(solver.eigenvectors()(iteration - 1, iteration - 1)) < kTolerance * largest) break;
    }
    if (is_last) break;
    beside.push_back(length);
  }
  return largest;
}

}  // namespace deformbench::numerics
