// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/boundary_surface.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "methods/model/disjoint_sets.hpp"

namespace deformbench::model {
namespace {

// Face opposite to vertex k of a positively oriented tetrahedron, counter-clockwise from outside.
constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};

struct Face {
  std::array<int, 3> key;  // sorted vertices
  int number;              // 4 * element + local face
  bool operator<(const Face& other) const { return key != other.key ? key < other.key : number < other.number; }
};

/// Faces of all elements, sorted so that faces with the same vertices are adjacent.
std::vector<Face> sorted_faces(const Tetrahedra& tetrahedra) {
  std::vector<Face> faces;
  faces.reserve(std::size_t(4 * tetrahedra.rows()));
  for (int e = 0; e < tetrahedra.rows(); ++e) {
    for (int f = 0; f < 4; ++f) {
      std::array<int, 3> key{tetrahedra(e, kFaces[f][0]), tetrahedra(e, kFaces[f][1]), tetrahedra(e, kFaces[f][2])};
      std::sort(key.begin(), key.end());
      faces.push_back({key, 4 * e + f});
    }
  }
  std::sort(faces.begin(), faces.end());
  return faces;
}

/// Numbers (4 * element + local face) of the faces of exactly one element, ascending.
std::vector<int> boundary_face_numbers(const Tetrahedra& tetrahedra) {
  const std::vector<Face> faces = sorted_faces(tetrahedra);
  std::vector<int> numbers;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i + 1;
    while (end < faces.size() && faces[end].key == faces[i].key) ++end;
    if (end == i + 1) numbers.push_back(faces[i].number);
    i = end;
  }
  std::sort(numbers.begin(), numbers.end());
  return numbers;
}

}  // namespace

Triangles boundary_triangles(const Tetrahedra& tetrahedra) {
  const std::vector<int> numbers = boundary_face_numbers(tetrahedra);
  Triangles triangles(Eigen::Index(numbers.size()), 3);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    for (int k = 0; k < 3; ++k) {
      triangles(Eigen::Index(i), k) = tetrahedra(numbers[i] / 4, kFaces[numbers[i] % 4][k]);
    }
  }
  return triangles;
}

Triangles boundary_triangles(const TetMesh& mesh) {
  return boundary_triangles(mesh.tetrahedra);
}

std::vector<int> boundary_triangle_elements(const Tetrahedra& tetrahedra) {
  std::vector<int> elements = boundary_face_numbers(tetrahedra);
  for (int& number : elements) number /= 4;
  return elements;
}

std::vector<int> boundary_vertices(const TetMesh& mesh) {
  const Triangles triangles = boundary_triangles(mesh);
  std::vector<int> vertices(triangles.data(), triangles.data() + triangles.size());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  return vertices;
}

BoundarySurface boundary_surface(const TetMesh& mesh) {
  BoundarySurface result;
  result.mesh_vertex = boundary_vertices(mesh);
  result.surface.triangles = boundary_triangles(mesh);
  result.surface.positions.resize(Eigen::Index(result.mesh_vertex.size()), 3);
  std::vector<int> local(std::size_t(mesh.vertex_count()), -1);
  for (std::size_t i = 0; i < result.mesh_vertex.size(); ++i) {
    local[std::size_t(result.mesh_vertex[i])] = int(i);
    result.surface.positions.row(Eigen::Index(i)) = mesh.rest_positions.row(result.mesh_vertex[i]);
  }
  for (Eigen::Index i = 0; i < result.surface.triangles.size(); ++i) {
    int& vertex = result.surface.triangles.data()[i];
    vertex = local[std::size_t(vertex)];
  }
  return result;
}

Triangles boundary_triangles_on_plane(const TetMesh& mesh, int axis, double coordinate, double tolerance) {
  const Triangles all = boundary_triangles(mesh);
  Triangles chosen(all.rows(), 3);
  Eigen::Index count = 0;
  for (Eigen::Index i = 0; i < all.rows(); ++i) {
    bool on_plane = true;
    for (int k = 0; k < 3; ++k) {
      on_plane = on_plane && std::abs(mesh.rest_positions(all(i, k), axis) - coordinate) <= tolerance;
    }
    if (on_plane) chosen.row(count++) = all.row(i);
  }
  return chosen.topRows(count);
}

Eigen::VectorXd vertex_areas(const Points& rest_positions, const Triangles& triangles) {
  Eigen::VectorXd areas = Eigen::VectorXd::Zero(rest_positions.rows());
  for (Eigen::Index t = 0; t < triangles.rows(); ++t) {
    const auto corner = [&](Eigen::Index c) { return Vector3(rest_positions.row(triangles(t, c)).transpose()); };
    const double third = (corner(1) - corner(0)).cross(corner(2) - corner(0)).norm() / 6.0;
    for (Eigen::Index c = 0; c < 3; ++c) areas[triangles(t, c)] += third;
  }
  return areas;
}

Eigen::VectorXd contact_areas(const TetMesh& mesh) {
  Eigen::VectorXd areas = vertex_areas(mesh.rest_positions, boundary_triangles(mesh));
  Eigen::VectorXd volumes = Eigen::VectorXd::Zero(areas.size());
  for (Eigen::Index e = 0; e < mesh.tetrahedra.rows(); ++e) {
    const double quarter = 0.25 * tetrahedron_volume(mesh, mesh.rest_positions, e);
    for (Eigen::Index c = 0; c < 4; ++c) volumes[mesh.tetrahedra(e, c)] += quarter;
  }
  for (Eigen::Index v = 0; v < areas.size(); ++v)
    if (areas[v] == 0.0) areas[v] = std::cbrt(volumes[v] * volumes[v]);
  return areas;
}

int face_connected_parts(const Tetrahedra& tetrahedra) {
  const std::vector<Face> faces = sorted_faces(tetrahedra);
  DisjointSets parts(std::size_t(tetrahedra.rows()));
  int count = int(tetrahedra.rows());
  for (std::size_t i = 1; i < faces.size(); ++i)
    if (faces[i].key == faces[i - 1].key) count -= parts.unite(faces[i].number / 4, faces[i - 1].number / 4);
  return count;
}

}  // namespace deformbench::model
