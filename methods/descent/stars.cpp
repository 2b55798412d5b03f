// SPDX-License-Identifier: BSD-3-Clause
#include "methods/descent/stars.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <numeric>

#include "methods/numerics/random.hpp"

namespace deformbench::descent {
namespace {

/// Calls work(neighbour) for the nodes that share a tetrahedron with `node`; repeatedly for some.
template <class Work>
void each_neighbour(const fem::MeshGraph& graph, int node, Work&& work) {
  for (int k = graph.node_start[std::size_t(node)]; k < graph.node_start[std::size_t(node) + 1]; ++k) {
    const std::size_t slot = std::size_t(graph.node_places[std::size_t(k)]) / 4;
    for (std::size_t a = 0; a < 4; ++a)
      if (const int other = graph.corners[4 * slot + a]; other != node) work(other);
  }
}

std::vector<int> colours_of(const fem::MeshGraph& graph, const std::vector<int>& order) {
  std::vector<int> colour(order.size(), -1), taken;
  for (const int node : order) {
    taken.clear();
    each_neighbour(graph, node, [&](int other) { taken.push_back(colour[std::size_t(other)]); });
    int lowest = 0;
    while (std::find(taken.begin(), taken.end(), lowest) != taken.end()) ++lowest;
    colour[std::size_t(node)] = lowest;
  }
  return colour;
}

}  // namespace

Schedule schedule_of(const fem::MeshGraph& graph, SweepOrder order, std::uint64_t seed) {
  const std::size_t count = std::size_t(graph.node_count());
  std::vector<int> nodes = graph.vertex_to_node;
  if (order == SweepOrder::Random) {
    numerics::RandomStream random(seed);
    for (std::size_t k = count; k > 1; --k) std::swap(nodes[k - 1], nodes[random.below(k)]);
  }
  // The level of a node is one more than the highest of its neighbours before it; a colour is a level already.
  std::vector<int> level(count, -1);
  if (order == SweepOrder::Coloured) {
    level = colours_of(graph, nodes);
  } else {
    for (const int node : nodes) {
      int highest = -1;
      each_neighbour(graph, node, [&](int other) { highest = std::max(highest, level[std::size_t(other)]); });
      level[std::size_t(node)] = highest + 1;
    }
  }
  std::stable_sort(nodes.begin(), nodes.end(),
                   [&](int a, int b) { return level[std::size_t(a)] < level[std::size_t(b)]; });
  Schedule schedule{std::move(nodes), {}};
  for (std::size_t k = 0; k < count; ++k)
    if (k == 0 || level[std::size_t(schedule.nodes[k])] != level[std::size_t(schedule.nodes[k - 1])])
      schedule.level_start.push_back(int(k));
  schedule.level_start.push_back(int(count));
  return schedule;
}

Stars::Stars(const Scene& scene, const fem::MeshGraph& graph, Schedule given) : schedule(std::move(given)) {
  first.push_back(0);
  for (const int node : schedule.nodes) {
    const int corners = graph.node_start[std::size_t(node) + 1] - graph.node_start[std::size_t(node)];
    first.push_back(first.back() + (corners + int(kLanes) - 1) / int(kLanes));
  }
  const std::size_t batches = std::size_t(first.back());
  coefficients.assign(batches * kCoefficients * kLanes, 0.0);
  others.resize(batches * 3 * kLanes);
  const Points& rest = scene.rest_positions();
  for (std::size_t visit = 0; visit < schedule.nodes.size(); ++visit) {
    const int node = schedule.nodes[visit];
    const std::size_t begin = std::size_t(first[visit]), end = std::size_t(first[visit + 1]);
    std::fill(others.begin() + long(begin * 3 * kLanes), others.begin() + long(end * 3 * kLanes), 4 * unsigned(node));
    std::size_t place = 0;
    for (int k = graph.node_start[std::size_t(node)]; k < graph.node_start[std::size_t(node) + 1]; ++k, ++place) {
      const std::size_t corner = std::size_t(graph.node_places[std::size_t(k)]), slot = corner / 4, a = corner % 4;
      // The other corners in an order that keeps the orientation.
      static constexpr std::size_t kOthers[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
      const auto rest_of = [&](int of) -> Vector3 { return rest.row(graph.node_of[std::size_t(of)]); };
      Matrix3 edges;
      const std::size_t batch = begin + place / kLanes, lane = place % kLanes;
      for (std::size_t b = 0; b < 3; ++b) {
        const int other = graph.corners[4 * slot + kOthers[a][b]];
        edges.col(Eigen::Index(b)) = rest_of(other) - rest_of(node);
        others[(batch * 3 + b) * kLanes + lane] = 4 * unsigned(other);
      }
      Matrix3 r = Eigen::HouseholderQR<Matrix3>(edges).matrixQR().triangularView<Eigen::Upper>();
      for (Eigen::Index i = 0; i < 3; ++i)  // Q of determinant 1 with a positive diagonal of R
        if (r(i, i) < 0.0) r.row(i) *= -1.0;
      const Matrix3 u = r.triangularView<Eigen::Upper>().solve(Matrix3::Identity());
      const double volume = r(0, 0) * r(1, 1) * r(2, 2) / 6.0;
      const model::Material& material = scene.material_of(graph.element_of[slot]);
      const double numbers[kCoefficients] = {u(0, 0),
                                             u(0, 1),
                                             u(0, 2),
                                             u(1, 1),
                                             u(1, 2),
                                             u(2, 2),
                                             material.lame_lambda() * volume,
                                             material.lame_mu() * volume};
      for (std::size_t n = 0; n < kCoefficients; ++n)
        coefficients[(batch * kCoefficients + n) * kLanes + lane] = numbers[n];
    }
  }
}

}  // namespace deformbench::descent
