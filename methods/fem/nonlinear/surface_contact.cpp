// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/nonlinear/surface_contact.hpp"

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

bool is_mesh(const model::RigidBody& body) {
  return body.shape.kind == model::ShapeKind::Mesh;
}

/// Vertices of all rigid bodies that are meshes.
Points obstacle_places(const Scene& scene, double time) {
  Points places(0, 3);
  for (const model::RigidBody& body : scene.rigid_bodies) {
    if (!is_mesh(body)) continue;
    const Points& own = body.shape.mesh.positions;
    const model::Pose pose = body.pose_at(time);
    places.conservativeResize(places.rows() + own.rows(), 3);
    places.bottomRows(own.rows()) =
        (own * pose.orientation.transpose()).rowwise() + Eigen::RowVector3d(pose.position.transpose());
  }
  return places;
}

std::vector<double> obstacle_friction(const Scene& scene) {
  std::vector<double> friction;
  for (const model::RigidBody& body : scene.rigid_bodies)
    if (is_mesh(body)) friction.insert(friction.end(), std::size_t(body.shape.mesh.positions.rows()), body.friction);
  return friction;
}

/// The surface's triangles with vertices counted from 0, and rest positions; those of rigid bodies follow.
model::TriangleMesh surface_at_rest(const Scene& scene) {
  model::TriangleMesh sum = model::boundary_surface(scene.tet_mesh).surface;
  for (const model::RigidBody& body : scene.rigid_bodies) {
    if (!is_mesh(body)) continue;
    const model::TriangleMesh& mesh = body.shape.mesh;
    const int first = int(sum.positions.rows());
    sum.positions.conservativeResize(first + mesh.positions.rows(), 3);
    sum.positions.bottomRows(mesh.positions.rows()) = mesh.positions;
    sum.triangles.conservativeResize(sum.triangles.rows() + mesh.triangles.rows(), 3);
    sum.triangles.bottomRows(mesh.triangles.rows()) = mesh.triangles.array() + first;
  }
  return sum;
}

std::vector<char> held_vertices(const Body<double>& body, const std::vector<int>& nodes) {
  std::vector<char> is_held(std::size_t(body.graph.node_count()), 0), of_surface;
  for (std::size_t k = 0; k < body.state.prescribed.size(); ++k)
    is_held[std::size_t(body.state.prescribed[k])] =
        body.state.prescribed_components[k] == numerics::kAllComponents ? 1 : 0;
  for (const int node : nodes) of_surface.push_back(is_held[std::size_t(node)]);
  of_surface.resize(nodes.size() + obstacle_friction(body.scene).size(), 1);
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
  const int count = int(boundary.mesh_vertex.size());
  const Points given = obstacle_places(scene, 0.0);
  Points places(count + given.rows(), 3);
  for (Eigen::Index i = 0; i < count; ++i) places.row(i) = start.row(boundary.mesh_vertex[std::size_t(i)]);
  places.bottomRows(given.rows()) = given;
  if (const auto found = collision::find_intersection(places, surface_at_rest(scene).triangles, count)) {
    const auto name = [&](int vertex) {
      return vertex < count ? std::to_string(boundary.mesh_vertex[std::size_t(vertex)])
                            : fmt::format("{} of a rigid body", vertex - count);
    };
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
               held_vertices(body, nodes_),
               {potential_.distance, potential_.stiffness, friction, body.threads(), obstacle_friction(body.scene)}) {
  const model::TriangleMesh rest = model::boundary_surface(body.scene.tet_mesh).surface;
  double area = 0.0;
  for (Eigen::Index t = 0; t < rest.triangles.rows(); ++t) {
    const auto corner = [&](Eigen::Index k) { return Vector3(rest.positions.row(rest.triangles(t, k)).transpose()); };
    area += 0.5 * (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm();
  }
  edge_ = std::sqrt(area / double(rest.triangles.rows()));
}

Points SurfaceContact::surface(const Vector& of, double progress) const {
  Points places(Eigen::Index(nodes_.size()) + obstacle_start_.rows(), 3);
  if (progress == 1.0)
    places.bottomRows(obstacle_start_.rows()) = obstacle_end_;
  else
    places.bottomRows(obstacle_start_.rows()) = obstacle_start_ + progress * (obstacle_end_ - obstacle_start_);
  for (std::size_t k = 0; k < nodes_.size(); ++k)
    for (std::size_t c = 0; c < 3; ++c) places(Eigen::Index(k), Eigen::Index(c)) = of[4 * std::size_t(nodes_[k]) + c];
  return places;
}

void SurfaceContact::begin_step(const Vector& x) {
  const double time = body_.state.time;
  obstacle_start_ = obstacle_places(body_.scene, time);
  obstacle_end_ = obstacle_places(body_.scene, time + body_.state.time_step);
  progress_ = 0.0;
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
    const auto is_body = [&](int vertex) { return std::size_t(vertex) < nodes_.size(); };
    const auto& vertices = blocks_[k].vertices;
    const auto one = std::find_if(vertices.begin(), vertices.end(), is_body);  // a pair has one
    couplings[k].block = blocks_[k].block;
    for (std::size_t i = 0; i < 4; ++i) {
      couplings[k].nodes[i] = nodes_[std::size_t(is_body(vertices[i]) ? vertices[i] : *one)];
      if (is_body(vertices[i])) continue;  // a vertex of a rigid body has no row
      couplings[k].block.middleRows<3>(3 * Eigen::Index(i)).setZero();
      couplings[k].block.middleCols<3>(3 * Eigen::Index(i)).setZero();
    }
    for (Eigen::Index n = 0; n < 12; ++n) largest = std::max(largest, blocks_[k].block(n, n));
  }
  return largest;
}

double SurfaceContact::longest_move(const Vector& x, const Vector& move, bool obstacles) {
  const Points from = surface(x);
  Points way = surface(move);
  way.bottomRows(obstacle_start_.rows()) = (obstacles ? 1.0 - progress_ : 0.0) * (obstacle_end_ - obstacle_start_);
  const double longest = way.rowwise().norm().maxCoeff();
  // Long ways in parts that grow: boxes swept beyond the first contact would only meet.
  for (double part = std::min(1.0, edge_ / std::max(longest, edge_));; part = std::min(1.0, 4.0 * part)) {
    barrier_.prepare(from, from + part * way);
    const double free = barrier_.longest_move(from, part * way);
    if (free < 1.0 || part == 1.0) return part * free;
  }
}

bool SurfaceContact::is_free(const Vector& x, const Vector& to, double part) const {
  return barrier_.is_free(surface(x), surface(to, part == 1.0 ? 1.0 : progress_ + part * (1.0 - progress_)));
}

double SurfaceContact::hold_friction(const Vector& x) {
  return barrier_.hold_friction(surface(x));
}

}  // namespace deformbench::fem
