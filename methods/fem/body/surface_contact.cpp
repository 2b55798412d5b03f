// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/surface_contact.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/disjoint_sets.hpp"

namespace deformbench::fem {
namespace {

double box_diagonal(const Points& rest) {
  return (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
}

/// Least distance at rest within a part of the mesh, if below `reach`.
std::optional<double> least_rest_distance(const Scene& scene, double reach) {
  const model::TetMesh& mesh = scene.tet_mesh;
  model::DisjointSets sets(std::size_t(mesh.vertex_count()));
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    for (Eigen::Index c = 1; c < 4; ++c) sets.unite(mesh.tetrahedra(e, 0), mesh.tetrahedra(e, c));
  std::vector<int> parts;
  for (Eigen::Index i = 0; i < mesh.vertex_count(); ++i) parts.push_back(sets.root(int(i)));
  return collision::least_distance(mesh.rest_positions, model::boundary_triangles(mesh), parts, reach);
}

/// The surface's triangles with vertices counted from 0, and rest positions.
model::TriangleMesh surface_at_rest(const Scene& scene) {
  return model::boundary_surface(scene.tet_mesh).surface;
}

std::vector<char> held_vertices(const Body<double>& body, const std::vector<int>& nodes) {
  std::vector<char> is_held(std::size_t(body.graph.node_count()), 0), of_surface;
  for (std::size_t k = 0; k < body.state.prescribed.size(); ++k)
    is_held[std::size_t(body.state.prescribed[k])] =
        body.state.prescribed_components[k] == numerics::kAllComponents ? 1 : 0;
  for (const int node : nodes) of_surface.push_back(is_held[std::size_t(node)]);
  return of_surface;
}

std::vector<int> surface_nodes(const Body<double>& body) {
  std::vector<int> nodes;
  for (const int vertex : model::boundary_vertices(body.scene.tet_mesh))
    nodes.push_back(body.graph.vertex_to_node[std::size_t(vertex)]);
  return nodes;
}

/// With what 0 stands for.
PotentialOptions resolved(const Scene& scene, PotentialOptions potential) {
  potential.distance = surface_distance(scene, potential);
  if (potential.stiffness == 0.0)
    for (const auto& material : scene.materials)
      potential.stiffness = std::max(potential.stiffness, material.young_modulus);
  if (potential.friction_speed == 0.0) potential.friction_speed = potential.distance;
  return potential;
}

}  // namespace

double surface_distance(const Scene& scene, const PotentialOptions& potential) {
  if (potential.distance > 0.0) return potential.distance;
  const double distance = 1e-3 * box_diagonal(scene.tet_mesh.rest_positions);
  return std::min(distance, 0.5 * least_rest_distance(scene, 2.0 * distance).value_or(2.0 * distance));
}

std::string surface_refusal(const Scene& scene, const PotentialOptions& potential) {
  const double reach = surface_distance(scene, potential);
  if (!(reach > 0.0)) return "self_contact barrier: parts of the surface touch at rest";
  if (const auto least = least_rest_distance(scene, reach))
    return fmt::format(
        "self_contact barrier: contact_distance_m is {:g}, and at rest parts of one body's surface are {:g} m apart",
        reach, *least);
  const model::BoundarySurface boundary = model::boundary_surface(scene.tet_mesh);
  const Points start = scene.start_positions();
  Points places(boundary.surface.positions.rows(), 3);
  for (Eigen::Index i = 0; i < places.rows(); ++i) places.row(i) = start.row(boundary.mesh_vertex[std::size_t(i)]);
  if (const auto found = collision::find_intersection(places, boundary.surface.triangles)) {
    const auto name = [&](int vertex) { return boundary.mesh_vertex[std::size_t(vertex)]; };
    return fmt::format("self_contact barrier: at the start the edge {}, {} meets the triangle {}, {}, {}",
                       name(found->edge[0]), name(found->edge[1]), name(found->triangle[0]), name(found->triangle[1]),
                       name(found->triangle[2]));
  }
  return {};
}

SurfaceContact::SurfaceContact(const Body<double>& body, const PotentialOptions& potential, double friction)
    : body_(body),
      potential_(resolved(body.scene, potential)),
      friction_(friction),
      nodes_(surface_nodes(body)),
      barrier_(surface_at_rest(body.scene).positions, surface_at_rest(body.scene).triangles,
               held_vertices(body, nodes_), {potential_.distance, potential_.stiffness, friction, body.threads()}) {
  const model::TriangleMesh rest = surface_at_rest(body.scene);
  double area = 0.0;
  for (Eigen::Index t = 0; t < rest.triangles.rows(); ++t) {
    const auto corner = [&](Eigen::Index k) { return Vector3(rest.positions.row(rest.triangles(t, k)).transpose()); };
    area += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
  }
  edge_ = std::sqrt(area / double(rest.triangles.rows()));
}

Points SurfaceContact::surface(const Vector& of) const {
  Points places(Eigen::Index(nodes_.size()), 3);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) places(Eigen::Index(k), Eigen::Index(c)) = of[4 * std::size_t(nodes_[k]) + c];
  return places;
}

void SurfaceContact::begin_step(const Vector& x) {
  barrier_.begin_step(surface(x), potential_.friction_speed * body_.state.time_step);
}

void SurfaceContact::prepare(const Vector& x) {
  const Points places = surface(x);
  barrier_.prepare(places, places);
}

double SurfaceContact::energy(const Vector& x) const {
  return barrier_.energy(surface(x));
}

double SurfaceContact::add_forces(const Vector& x, Vector& forces, std::vector<NodeCoupling>& couplings,
                                  double damping) {
  const Points places = surface(x);
  Points pushes = Points::Zero(places.rows(), 3);
  const double sum = barrier_.add_forces(places, pushes, blocks_, damping);
  energy_rounding_ = 4.0 * std::numeric_limits<double>::epsilon() * sum * places.cwiseAbs().maxCoeff();
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c)
      forces[4 * std::size_t(nodes_[k]) + c] += pushes(Eigen::Index(k), Eigen::Index(c));
  double largest = 0.0;
  couplings.resize(blocks_.size());
  for (std::size_t k = 0; k < blocks_.size(); ++k) {
    for (std::size_t i = 0; i < 4; ++i) couplings[k].nodes[i] = nodes_[std::size_t(blocks_[k].vertices[i])];
    couplings[k].block = blocks_[k].block;
    for (Eigen::Index n = 0; n < 12; ++n) largest = std::max(largest, blocks_[k].block(n, n));
  }
  return largest;
}

double SurfaceContact::longest_move(const Vector& x, const Vector& move) {
  const Points from = surface(x), way = surface(move);
  const double longest = way.rowwise().norm().maxCoeff();
  // Long ways in parts that grow: boxes swept beyond the first contact would only meet.
  for (double part = std::min(1.0, edge_ / std::max(longest, edge_));; part = std::min(1.0, 4.0 * part)) {
    barrier_.prepare(from, from + part * way);
    const double free = barrier_.longest_move(from, part * way);
    if (free < 1.0 || part == 1.0) return part * free;
  }
}

bool SurfaceContact::is_free(const Vector& x, const Vector& to) const {
  return barrier_.is_free(surface(x), surface(to));
}

double SurfaceContact::hold_friction(const Vector& x) {
  return barrier_.hold_friction(surface(x));
}

}  // namespace deformbench::fem
