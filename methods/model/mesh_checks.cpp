// SPDX-License-Identifier: BSD-3-Clause
#include "methods/model/mesh_checks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>

#include "methods/model/boundary_surface.hpp"
#include "methods/model/error.hpp"
#include "methods/model/vertex_fans.hpp"

namespace deformbench::model {
namespace {

// The rounding error of a determinant of edge vectors is a few 1e−16 of the cube of the longest edge; coordinates far
// from the origin cost more digits.
constexpr double kDegenerate = 1e-12;

using Findings = std::vector<Finding>;
using Index = Eigen::Index;

/// Checks indices and coordinates; true if they allow further checks.
template <class Elements>
bool check_arrays(const Points& positions, const Elements& elements, const char* element_name, Findings& findings) {
  for (Index v = 0; v < positions.rows(); ++v) {
    if (!positions.row(v).allFinite()) {
      findings.push_back({FindingKind::NonFinitePosition,
                          {},
                          {int(v)},
                          fmt::format("vertex {} is at ({}, {}, {}), expected finite coordinates", v, positions(v, 0),
                                      positions(v, 1), positions(v, 2))});
    }
  }
  for (Index e = 0; e < elements.rows(); ++e) {
    for (Index k = 0; k < elements.cols(); ++k) {
      const int v = elements(e, k);
      if (v >= 0 && v < positions.rows()) continue;
      findings.push_back(
          {FindingKind::IndexOutOfRange,
           {int(e)},
           {v},
           fmt::format("{} {} has vertex {}, expected 0 … {}", element_name, e, v, positions.rows() - 1)});
    }
  }
  return findings.empty();
}

template <class Elements>
bool has_repeated_vertex(const Elements& elements, Index e) {
  for (Index a = 0; a < elements.cols(); ++a) {
    for (Index b = a + 1; b < elements.cols(); ++b) {
      if (elements(e, a) == elements(e, b)) return true;
    }
  }
  return false;
}

template <class Elements>
std::string vertex_list(const Elements& elements, Index e) {
  std::vector<int> vertices(std::size_t(elements.cols()));
  for (Index k = 0; k < elements.cols(); ++k) vertices[std::size_t(k)] = elements(e, k);
  return fmt::format("{}", fmt::join(vertices, ", "));
}

/// The first ten numbers: an edge may be in any number of triangles.
std::string shortened_list(const std::vector<int>& numbers) {
  const auto shown = std::ptrdiff_t(std::min<std::size_t>(numbers.size(), 10));
  return fmt::format("{}{}", fmt::join(numbers.begin(), numbers.begin() + shown, ", "),
                     numbers.size() > 10 ? ", …" : "");
}

template <class Elements>
double longest_edge(const Points& positions, const Elements& elements, Index e) {
  double longest = 0;
  for (Index a = 0; a < elements.cols(); ++a) {
    for (Index b = a + 1; b < elements.cols(); ++b) {
      longest = std::max(longest, (positions.row(elements(e, a)) - positions.row(elements(e, b))).norm());
    }
  }
  return longest;
}

template <class Elements>
void check_duplicates(const Elements& elements, const char* element_name, Findings& findings) {
  constexpr std::size_t kSize = Elements::ColsAtCompileTime;
  std::vector<std::pair<std::array<int, kSize>, int>> sorted;
  sorted.reserve(std::size_t(elements.rows()));
  for (Index e = 0; e < elements.rows(); ++e) {
    std::array<int, kSize> key;
    for (std::size_t k = 0; k < kSize; ++k) key[k] = elements(e, Index(k));
    std::sort(key.begin(), key.end());
    sorted.emplace_back(key, int(e));
  }
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    if (sorted[i].first != sorted[i - 1].first) continue;
    findings.push_back(
        {FindingKind::DuplicateElement,
         {sorted[i - 1].second, sorted[i].second},
         {sorted[i].first.begin(), sorted[i].first.end()},
         fmt::format("{0} {1} has the same vertices as {0} {2} ({3}), expected each {0} once", element_name,
                     sorted[i].second, sorted[i - 1].second, vertex_list(elements, sorted[i].second))});
  }
}

template <class Elements>
std::vector<bool> referenced(Index vertex_count, const Elements& elements) {
  std::vector<bool> used(std::size_t(vertex_count), false);
  for (Index i = 0; i < elements.size(); ++i) used[std::size_t(elements.data()[i])] = true;
  return used;
}

template <class Elements>
void check_unreferenced(Index vertex_count, const Elements& elements, const char* element_name, Findings& findings) {
  const std::vector<bool> used = referenced(vertex_count, elements);
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (used[v]) continue;
    findings.push_back({FindingKind::UnreferencedVertex,
                        {},
                        {int(v)},
                        fmt::format("vertex {} is in no {}, expected at least one", v, element_name)});
  }
}

struct DirectedEdge {
  int low, high, triangle;
  bool forward;  // the triangle runs from low to high
  bool same_edge(const DirectedEdge& other) const { return low == other.low && high == other.high; }
  bool operator<(const DirectedEdge& o) const {
    return std::tie(low, high, triangle, forward) < std::tie(o.low, o.high, o.triangle, o.forward);
  }
};

std::vector<DirectedEdge> sorted_edges(const Triangles& triangles) {
  std::vector<DirectedEdge> edges;
  edges.reserve(std::size_t(triangles.size()));
  for (Index t = 0; t < triangles.rows(); ++t) {
    for (int k = 0; k < 3; ++k) {
      const int a = triangles(t, k), b = triangles(t, (k + 1) % 3);
      if (a != b) edges.push_back({std::min(a, b), std::max(a, b), int(t), a < b});
    }
  }
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// Open, non-manifold and inconsistently oriented edges.
void check_edges(const Triangles& triangles, const char* triangle_name, Findings& findings) {
  const std::vector<DirectedEdge> edges = sorted_edges(triangles);
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i + 1;
    while (end < edges.size() && edges[end].same_edge(edges[i])) ++end;
    std::vector<int> owners;
    for (std::size_t k = i; k < end; ++k) owners.push_back(edges[k].triangle);
    const std::vector<int> ends{edges[i].low, edges[i].high};
    if (owners.size() == 1) {
      findings.push_back({FindingKind::OpenEdge, owners, ends,
                          fmt::format("edge {}–{} is in {} {} only, expected two (a closed surface)", ends[0], ends[1],
                                      triangle_name, owners[0])});
    } else if (owners.size() > 2) {
      findings.push_back({FindingKind::NonManifoldEdge, owners, ends,
                          fmt::format("edge {}–{} is in {} {}s ({}), expected two", ends[0], ends[1], owners.size(),
                                      triangle_name, shortened_list(owners))});
    } else if (edges[i].forward == edges[i + 1].forward) {
      findings.push_back({FindingKind::InconsistentOrientation, owners, ends,
                          fmt::format("{0}s {1} and {2} both run through edge {3}–{4} in the same direction, expected "
                                      "opposite ones (one of them is turned over)",
                                      triangle_name, owners[0], owners[1], ends[0], ends[1])});
    }
    i = end;
  }
}

/// Faces of more than two elements, and of two elements on the same side.
void check_faces(const Tetrahedra& tetrahedra, Findings& findings) {
  struct Side {
    std::array<int, 3> key;
    int element;
    bool even;  // parity of the outward face against its sorted vertices
  };
  constexpr int kOutwardFaces[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
  std::vector<Side> sides;
  sides.reserve(std::size_t(4 * tetrahedra.rows()));
  for (Index e = 0; e < tetrahedra.rows(); ++e) {
    if (has_repeated_vertex(tetrahedra, e)) continue;
    for (const auto& face : kOutwardFaces) {
      std::array<int, 3> key{tetrahedra(e, face[0]), tetrahedra(e, face[1]), tetrahedra(e, face[2])};
      const bool even = ((key[0] > key[1]) + (key[0] > key[2]) + (key[1] > key[2])) % 2 == 0;
      std::sort(key.begin(), key.end());
      sides.push_back({key, int(e), even});
    }
  }
  std::sort(sides.begin(), sides.end(),
            [](const Side& a, const Side& b) { return a.key != b.key ? a.key < b.key : a.element < b.element; });
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].key == sides[i].key) ++end;
    const auto& key = sides[i].key;
    const bool same_side = end - i == 2 && sides[i].even == sides[i + 1].even;
    if (end - i > 2 || same_side) {
      std::vector<int> owners;
      for (std::size_t k = i; k < end; ++k) owners.push_back(sides[k].element);
      findings.push_back(
          {FindingKind::OverlappingFace,
           owners,
           {key.begin(), key.end()},
           fmt::format("face {} is in tetrahedra {}{}, expected at most one on each side", fmt::join(key, "–"),
                       shortened_list(owners), same_side ? " on the same side" : "")});
    }
    i = end;
  }
}

template <class Elements>
std::vector<int> compact(Points& positions, Elements& elements) {
  const std::vector<bool> used = referenced(positions.rows(), elements);
  std::vector<int> number(used.size(), -1);
  int count = 0;
  for (std::size_t v = 0; v < used.size(); ++v) {
    if (!used[v]) continue;
    positions.row(count) = positions.row(Index(v)).eval();
    number[v] = count++;
  }
  positions.conservativeResize(count, 3);
  for (Index i = 0; i < elements.size(); ++i) {
    elements.data()[i] = number[std::size_t(elements.data()[i])];
  }
  return number;
}

}  // namespace

std::vector<Finding> find_problems(const TetMesh& mesh) {
  Findings findings;
  if (!check_arrays(mesh.rest_positions, mesh.tetrahedra, "tetrahedron", findings)) return findings;
  for (Index e = 0; e < mesh.element_count(); ++e) {
    const int element = int(e);
    const std::vector<int> vertices{mesh.tetrahedra.row(e).begin(), mesh.tetrahedra.row(e).end()};
    if (has_repeated_vertex(mesh.tetrahedra, e)) {
      findings.push_back({FindingKind::DegenerateElement,
                          {element},
                          vertices,
                          fmt::format("tetrahedron {} has a vertex twice ({}), expected four different ones", e,
                                      vertex_list(mesh.tetrahedra, e))});
      continue;
    }
    const double volume = tetrahedron_volume(mesh, mesh.rest_positions, e);
    const double length = longest_edge(mesh.rest_positions, mesh.tetrahedra, e);
    if (!(std::abs(6 * volume) > kDegenerate * length * length * length)) {
      findings.push_back({FindingKind::DegenerateElement,
                          {element},
                          vertices,
                          fmt::format("tetrahedron {} ({}) is flat: volume {:.3g} m³ with longest edge {:.3g} m, "
                                      "expected a positive volume",
                                      e, vertex_list(mesh.tetrahedra, e), volume, length)});
    } else if (volume < 0) {
      findings.push_back({FindingKind::InvertedElement,
                          {element},
                          vertices,
                          fmt::format("tetrahedron {} ({}) is inverted: volume {:.3g} m³, expected a positive volume",
                                      e, vertex_list(mesh.tetrahedra, e), volume)});
    }
  }
  check_duplicates(mesh.tetrahedra, "tetrahedron", findings);
  check_unreferenced(mesh.vertex_count(), mesh.tetrahedra, "tetrahedron", findings);
  check_faces(mesh.tetrahedra, findings);
  const Triangles boundary = boundary_triangles(mesh);
  Findings on_boundary;
  check_edges(boundary, "boundary triangle", on_boundary);
  check_fans(mesh.vertex_count(), boundary, "boundary triangle", on_boundary);
  // Boundary triangles have no number in a tetrahedral mesh: name the tetrahedra.
  const std::vector<int> owners = boundary_triangle_elements(mesh.tetrahedra);
  for (Finding& finding : on_boundary) {
    // Overlaps and inverted elements, reported already, cause holes and flipped triangles.
    if (finding.kind == FindingKind::OpenEdge || finding.kind == FindingKind::InconsistentOrientation) continue;
    for (int& element : finding.elements) element = owners[std::size_t(element)];
    if (finding.kind == FindingKind::NonManifoldEdge) {
      finding.message = fmt::format("boundary edge {}–{} is in {} boundary triangles (of tetrahedra {}), expected two",
                                    finding.vertices[0], finding.vertices[1], finding.elements.size(),
                                    shortened_list(finding.elements));
    } else {
      finding.message = fmt::format(
          "boundary vertex {} is shared by {} fans of boundary triangles (with tetrahedra "
          "{}), expected one fan",
          finding.vertices[0], finding.elements.size(), shortened_list(finding.elements));
    }
    findings.push_back(finding);
  }
  return findings;
}

std::vector<Finding> find_problems(const TriangleMesh& mesh) {
  Findings findings;
  if (!check_arrays(mesh.positions, mesh.triangles, "triangle", findings)) return findings;
  for (Index t = 0; t < mesh.triangle_count(); ++t) {
    const std::vector<int> vertices{mesh.triangles.row(t).begin(), mesh.triangles.row(t).end()};
    if (has_repeated_vertex(mesh.triangles, t)) {
      findings.push_back({FindingKind::DegenerateElement,
                          {int(t)},
                          vertices,
                          fmt::format("triangle {} has a vertex twice ({}), expected three different ones", t,
                                      vertex_list(mesh.triangles, t))});
      continue;
    }
    const Vector3 a = mesh.positions.row(vertices[1]) - mesh.positions.row(vertices[0]);
    const Vector3 b = mesh.positions.row(vertices[2]) - mesh.positions.row(vertices[0]);
    const double length = longest_edge(mesh.positions, mesh.triangles, t);
    const double doubled_area = a.cross(b).norm();
    if (!(doubled_area > kDegenerate * length * length)) {
      findings.push_back({FindingKind::DegenerateElement,
                          {int(t)},
                          vertices,
                          fmt::format("triangle {} ({}) is degenerate: area {:.3g} m² with longest edge {:.3g} m, "
                                      "expected a positive area",
                                      t, vertex_list(mesh.triangles, t), doubled_area / 2, length)});
    }
  }
  check_duplicates(mesh.triangles, "triangle", findings);
  check_unreferenced(mesh.vertex_count(), mesh.triangles, "triangle", findings);
  Findings on_edges;
  check_edges(mesh.triangles, "triangle", on_edges);
  const bool closed = on_edges.empty();
  findings.insert(findings.end(), on_edges.begin(), on_edges.end());
  check_fans(mesh.vertex_count(), mesh.triangles, "triangle", findings);
  if (closed && mesh.triangle_count() > 0) {
    const double volume = enclosed_volume(mesh);
    if (encloses_nothing(mesh)) {
      findings.push_back({FindingKind::NoVolume,
                          {},
                          {},
                          fmt::format("the surface encloses no volume: {:.3g} m³ at an area of {:.3g} m², expected a "
                                      "positive volume",
                                      volume, surface_area(mesh))});
    } else if (volume < 0) {
      findings.push_back({FindingKind::InsideOut,
                          {},
                          {},
                          fmt::format("the surface is inside out: it encloses {:.3g} m³, expected a positive volume "
                                      "(triangles counter-clockwise seen from outside)",
                                      volume)});
    }
  }
  return findings;
}

void require_simulatable(const TetMesh& mesh, const MeshSource& source) {
  if (mesh.element_count() == 0) {
    throw InputError((source.file.empty() ? "" : source.file + ": ") +
                     "the mesh has no tetrahedra, expected at least one");
  }
  refuse_findings(find_problems(mesh), source, {FindingKind::NonManifoldEdge, FindingKind::SharedFanVertex});
}

void require_closed_surface(const TriangleMesh& mesh, const MeshSource& source) {
  if (mesh.triangle_count() == 0) {
    throw InputError((source.file.empty() ? "" : source.file + ": ") +
                     "the surface has no triangles, expected at least four");
  }
  refuse_findings(find_problems(mesh), source, {FindingKind::UnreferencedVertex});
}

bool encloses_nothing(const TriangleMesh& mesh) {
  if (mesh.triangle_count() == 0) return true;
  Vector3 low = mesh.positions.row(mesh.triangles(0, 0)), high = low;
  for (Index i = 0; i < mesh.triangles.size(); ++i) {
    const Vector3 p = mesh.positions.row(mesh.triangles.data()[i]);
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  return !(std::abs(enclosed_volume(mesh)) > kDegenerate * surface_area(mesh) * (high - low).norm());
}

double surface_area(const TriangleMesh& mesh) {
  double area = 0;
  for (Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0));
    const Vector3 b = mesh.positions.row(mesh.triangles(t, 1)), c = mesh.positions.row(mesh.triangles(t, 2));
    area += (b - a).cross(c - a).norm() / 2;
  }
  return area;
}

double enclosed_volume(const TriangleMesh& mesh) {
  if (mesh.triangle_count() == 0) return 0;
  // Relative to a point of the surface, for accuracy far from the origin.
  const Vector3 reference = mesh.positions.row(mesh.triangles(0, 0));
  double volume = 0;
  for (Index t = 0; t < mesh.triangle_count(); ++t) {
    const Vector3 a = mesh.positions.row(mesh.triangles(t, 0)).transpose() - reference;
    const Vector3 b = mesh.positions.row(mesh.triangles(t, 1)).transpose() - reference;
    const Vector3 c = mesh.positions.row(mesh.triangles(t, 2)).transpose() - reference;
    volume += a.dot(b.cross(c)) / 6;
  }
  return volume;
}

TetMesh without_unreferenced_vertices(const TetMesh& mesh) {
  TetMesh result = mesh;
  compact(result.rest_positions, result.tetrahedra);
  return result;
}

TriangleMesh without_unreferenced_vertices(const TriangleMesh& mesh) {
  TriangleMesh result = mesh;
  compact(result.positions, result.triangles);
  return result;
}

}  // namespace deformbench::model
