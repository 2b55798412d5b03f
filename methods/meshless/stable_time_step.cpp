// SPDX-License-Identifier: BSD-3-Clause
#include <Eigen/Eigenvalues>
#include <cmath>
#include <limits>

#include "methods/meshless/mls_elasticity.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::meshless {

double stable_time_step(const MlsElasticity& elasticity, const NodeCloud& cloud, const Points& is_held,
                        const std::function<Points(const Points&)>& more) {
  // Symmetric in w = M^½ u. The largest eigenvalue of Lanczos' tridiagonal matrix rises to ω², and an eigenvalue of
  // M^-½ K M^-½ is no farther from it than the last off-diagonal times the last entry of its vector.
  const Eigen::VectorXd root =
      Eigen::Map<const Eigen::VectorXd>(cloud.masses.data(), cloud.size()).cwiseSqrt().cwiseInverse();
  const Points is_free = Points::Ones(cloud.size(), 3) - is_held;
  constexpr int kMostIterations = 2000, kBetweenLooks = 10;
  constexpr double kTolerance = 1e-6;
  numerics::RandomStream random(1);
  Points w(cloud.size(), 3), before = Points::Zero(cloud.size(), 3);
  for (Eigen::Index k = 0; k < w.size(); ++k) w.data()[k] = random.uniform(-0.5, 0.5);
  w.array() *= is_free.array();
  double length = w.norm(), squared = 0.0;
  std::vector<double> diagonal, beside;
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  for (int iteration = 1; iteration <= kMostIterations && length > 0.0; ++iteration) {
    w /= length;
    const Points u = root.asDiagonal() * w;
    Points pull = elasticity.stiffness_times(u);
    if (more) pull += more(u);
    Points next = root.asDiagonal() * pull;
    next.array() *= is_free.array();
    diagonal.push_back(w.cwiseProduct(next).sum());
    next -= diagonal.back() * w + (beside.empty() ? 0.0 : beside.back()) * before;
    before = std::move(w);
    w = std::move(next);
    length = w.norm();
    const bool is_last = iteration == kMostIterations || !(length > 1e-14 * std::abs(diagonal.front()));
    if (iteration % kBetweenLooks == 0 || is_last) {
      solver.computeFromTridiagonal(Eigen::Map<Eigen::VectorXd>(diagonal.data(), iteration),
                                    Eigen::Map<Eigen::VectorXd>(beside.data(), iteration - 1));
      squared = solver.eigenvalues()[iteration - 1];
      if (length * std::abs(solver.eigenvectors()(iteration - 1, iteration - 1)) < kTolerance * squared) break;
    }
    if (is_last) break;
    beside.push_back(length);
  }
  return squared > 0.0 ? 2.0 / std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

}  // namespace deformbench::meshless
