// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/probes/body_measures.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "experiments/harness/probes/channel_table.hpp"
#include "experiments/harness/probes/cloth_edges.hpp"

namespace deformbench::harness {
namespace {

RestEdge edge_of(int a, int b, const Eigen::Ref<const Points>& rest) {
  return {a, b, (rest.row(a) - rest.row(b)).norm()};
}

}  // namespace

double kinetic_energy(const Eigen::Ref<const Eigen::VectorXd>& masses, const Eigen::Ref<const Points>& velocities,
                      std::span<const RigidBodyState> rigid_bodies) {
  double twice = masses.dot(velocities.rowwise().squaredNorm());
  for (const RigidBodyState& body : rigid_bodies)
    if (is_dynamic(body)) twice += body.mass * body.velocity.squaredNorm() + body.angular_velocity.dot(spin(body));
  return 0.5 * twice;
}

std::vector<RestEdge> triangle_edges(const Eigen::Ref<const Triangles>& triangles,
                                     const Eigen::Ref<const Points>& rest) {
  std::vector<RestEdge> edges;
  for (const ClothEdge& edge : cloth_edges(triangles)) edges.push_back(edge_of(edge.a, edge.b, rest));
  return edges;
}

std::vector<RestEdge> tetrahedron_edges(const Tetrahedra& tetrahedra, const Eigen::Ref<const Points>& rest) {
  std::vector<std::pair<int, int>> pairs;
  pairs.reserve(std::size_t(6 * tetrahedra.rows()));
  for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) pairs.push_back(std::minmax({tetrahedra(e, a), tetrahedra(e, b)}));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  std::vector<RestEdge> edges;
  edges.reserve(pairs.size());
  for (const auto& [a, b] : pairs) edges.push_back(edge_of(a, b, rest));
  return edges;
}

std::vector<RestEdge> rest_edges(const Scene& scene) {
  std::vector<RestEdge> edges = scene.cloth.triangle_count() > 0
                                    ? triangle_edges(scene.cloth.triangles, scene.cloth.rest_positions)
                                    : tetrahedron_edges(scene.tet_mesh.tetrahedra, scene.tet_mesh.rest_positions);
  for (const auto& constraint : scene.constraints)
    if (constraint.kind == model::ConstraintKind::Distance && !constraint.is_inequality)
      edges.push_back({constraint.vertices[0], constraint.vertices[1], constraint.rest_value});
  std::erase_if(edges, [](const RestEdge& edge) { return !(edge.rest_length > 0.0); });
  return edges;
}

double stretch(const RestEdge& edge, const Eigen::Ref<const Points>& positions) {
  return (positions.row(edge.a) - positions.row(edge.b)).norm() / edge.rest_length;
}

}  // namespace deformbench::harness
