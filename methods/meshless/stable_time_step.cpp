// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <limits>

#include "methods/meshless/nodes/mls_elasticity.hpp"
#include "methods/numerics/largest_eigenvalue.hpp"

namespace deformbench::meshless {

double stable_time_step(const MlsElasticity& elasticity, const NodeCloud& cloud, const Points& is_held,
                        const std::function<Points(const Points&)>& more) {
  // Symmetric form with w = M^½ u: M^-½ K M^-½.
  const Eigen::VectorXd root =
      Eigen::Map<const Eigen::VectorXd>(cloud.masses.data(), cloud.size()).cwiseSqrt().cwiseInverse();
  const Points is_free = Points::Ones(cloud.size(), 3) - is_held;
  const auto times = [&](const Eigen::VectorXd& w) {
    const Points u = root.asDiagonal() * PointsView(w.data(), cloud.size(), 3);
    Points pull = elasticity.stiffness_times(u);
    if (more) pull += more(u);
    pull = root.asDiagonal() * pull;
    return Eigen::VectorXd(Eigen::Map<const Eigen::VectorXd>(pull.data(), pull.size()));
  };
  const double squared =
      numerics::largest_eigenvalue(Eigen::Map<const Eigen::VectorXd>(is_free.data(), is_free.size()), times);
  return squared > 0.0 ? 2.0 / std::sqrt(squared) : std::numeric_limits<double>::infinity();
}

}  // namespace deformbench::meshless
