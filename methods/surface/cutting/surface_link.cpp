// SPDX-License-Identifier: BSD-3-Clause
#include "methods/surface/cutting/surface_link.hpp"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>

#include "methods/model/error.hpp"
#include "methods/surface/embedding.hpp"

namespace deformbench::surface {

Points outward_directions(const model::TetMesh& mesh, const TetAdjacency& tets) {
  constexpr int kRounds = 200;
  std::vector<std::vector<Vector3>> normals(std::size_t(mesh.vertex_count()));
  for (const TetFace& face : tets.faces()) {
    if (face.elements[1] >= 0) continue;
    const auto corner = [&](std::size_t c) -> Vector3 { return mesh.rest_positions.row(face.vertices[c]).transpose(); };
    const Vector3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0)).normalized();
    for (const int v : face.vertices) normals[std::size_t(v)].push_back(normal);
  }
  Points directions = Points::Zero(mesh.vertex_count(), 3);
  for (std::size_t v = 0; v < normals.size(); ++v) {
    if (normals[v].empty()) continue;
    // Perceptron rule: step towards the worst-served face until all are served.
    Vector3 best = Vector3::Zero();
    double best_worst = -1.0;
    Vector3 direction = Vector3::Zero();
    for (const Vector3& n : normals[v]) direction += n;
    for (int round = 0; round < kRounds; ++round) {
      const double length = std::max(direction.norm(), 1e-300);
      const auto worst =
          std::min_element(normals[v].begin(), normals[v].end(),
                           [&](const Vector3& a, const Vector3& b) { return a.dot(direction) < b.dot(direction); });
      const double value = worst->dot(direction) / length;
      if (value > best_worst) {
        best_worst = value;
        best = direction / length;
      }
      if (best_worst > 0.1) break;
      direction += *worst;
    }
    const double largest = best.cwiseAbs().maxCoeff();
    if (largest > 0.0) directions.row(Eigen::Index(v)) = (best / largest).transpose();
  }
  return directions;
}

std::vector<int> containing_elements(const model::TetMesh& mesh, const TetAdjacency& tets,
                                     const PerturbedPoints& points, const model::TriangleMesh& surface,
                                     const std::vector<int>& source_vertices, const std::string& name) {
  const Embedding embedding(mesh, surface);
  std::vector<int> elements = embedding.elements();
  // First face that has the point on its outer side; −1 if the element contains it.
  const auto outside_of = [&](int element, PointId point) {
    for (const int f : tets.faces_of(element)) {
      const TetFace& face = tets.faces()[std::size_t(f)];
      const int side =
          points.side(tet_point(face.vertices[0]), tet_point(face.vertices[1]), tet_point(face.vertices[2]), point);
      if (side == 0) {
        throw InputError(fmt::format(
            "{}: vertex {} could not be told from the plane of face ({}, {}, {}); expected a mesh in which "
            "elements have a volume",
            name, source_vertices[std::size_t(point)], face.vertices[0], face.vertices[1], face.vertices[2]));
      }
      if ((face.elements[0] == element) == (side > 0)) return f;
    }
    return -1;
  };
  const double near =
      1e-9 * (mesh.rest_positions.colwise().maxCoeff() - mesh.rest_positions.colwise().minCoeff()).maxCoeff();
  int refused = 0, worst = -1;
  double worst_distance = -1.0;
  for (std::size_t v = 0; v < elements.size(); ++v) {
    const auto point = PointId(v);
    int element = elements[v];
    int face = -1;
    // The embedding is correct up to rounding; otherwise a neighbour is.
    for (int step = 0; step < 20 && element >= 0 && (face = outside_of(element, point)) >= 0; ++step) {
      const TetFace& f = tets.faces()[std::size_t(face)];
      element = f.elements[0] == element ? f.elements[1] : f.elements[0];
    }
    if (face >= 0) element = -1;
    if (element < 0 && embedding.outside_distances()[v] <= near) {
      const Vector3 p = surface.positions.row(point).transpose();
      for (Eigen::Index e = 0; e < mesh.element_count() && element < 0; ++e) {
        if (barycentric_in(mesh, e, p).minCoeff() > -1e-6 && outside_of(int(e), point) < 0) element = int(e);
      }
    }
    if (element < 0) {
      ++refused;
      const double distance = embedding.outside_distances()[v];
      if (distance > worst_distance) {
        worst_distance = distance;
        worst = point;
      }
    }
    elements[v] = element;
  }
  if (refused > 0) {
    throw InputError(fmt::format(
        "{}: vertex {} ({:.6g}, {:.6g}, {:.6g}) sticks out of the tetrahedral mesh by {} ({} of {} vertices "
        "stick out); expected a surface inside the mesh",
        name, source_vertices[std::size_t(worst)], surface.positions(worst, 0), surface.positions(worst, 1),
        surface.positions(worst, 2),
        worst_distance > 0.0 ? fmt::format("{:.6g} m", worst_distance) : std::string("less than rounding"), refused,
        elements.size()));
  }
  return elements;
}

}  // namespace deformbench::surface
