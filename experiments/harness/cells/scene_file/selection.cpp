// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/scene_file/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>

#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/boundary_surface.hpp"

namespace deformbench::harness {
namespace {

/// Default distance tolerance of plane selections, relative to the body's size.
constexpr double kPlaneTolerance = 1e-6;

template <class Rows>
bool all_corners(const Rows& rows, Eigen::Index row, const std::vector<char>& marked) {
  for (Eigen::Index k = 0; k < rows.cols(); ++k)
    if (!marked[std::size_t(rows(row, k))]) return false;
  return true;
}

}  // namespace

Selector::Selector(const Scene& scene, const BodyOrigin& origin) : scene_(scene), origin_(origin), size_(0.0) {
  const Points& rest = scene.rest_positions();
  if (rest.rows() > 0) size_ = (rest.colwise().maxCoeff() - rest.colwise().minCoeff()).norm();
}

void Selector::read_boundary() const {
  if (has_boundary_) return;
  has_boundary_ = true;
  boundary_ = scene_.cloth.triangles;
  if (scene_.tet_mesh.element_count() == 0) return;
  boundary_ = model::boundary_triangles(scene_.tet_mesh);
  boundary_element_ = model::boundary_triangle_elements(scene_.tet_mesh.tetrahedra);
}

std::size_t Selector::count(Kind kind) const {
  if (kind == Kind::Vertex) return std::size_t(scene_.vertex_count());
  if (kind == Kind::Element) return std::size_t(scene_.tet_mesh.element_count());
  read_boundary();
  return std::size_t(boundary_.rows());
}

Selector::Mask Selector::by_point(Kind kind, const std::function<bool(const Vector3&)>& is_inside) const {
  const Points& rest = scene_.rest_positions();
  if (kind == Kind::Element) {
    Mask inside(count(kind));
    for (std::size_t e = 0; e < inside.size(); ++e) {
      Vector3 centroid = Vector3::Zero();
      for (int k = 0; k < 4; ++k) centroid += 0.25 * rest.row(scene_.tet_mesh.tetrahedra(Eigen::Index(e), k));
      inside[e] = is_inside(centroid);
    }
    return inside;
  }
  Mask inside(std::size_t(rest.rows()));
  for (std::size_t v = 0; v < inside.size(); ++v) inside[v] = is_inside(rest.row(Eigen::Index(v)));
  return by_vertices(kind, inside);
}

Selector::Mask Selector::by_vertices(Kind kind, const Mask& vertices) const {
  if (kind == Kind::Vertex) return vertices;
  Mask inside(count(kind));
  for (std::size_t i = 0; i < inside.size(); ++i)
    inside[i] = kind == Kind::Element ? all_corners(scene_.tet_mesh.tetrahedra, Eigen::Index(i), vertices)
                                      : all_corners(boundary_, Eigen::Index(i), vertices);
  return inside;
}

Selector::Mask Selector::by_elements(Kind kind, const Mask& elements, const JsonNode& node) const {
  if (scene_.tet_mesh.element_count() == 0) node.refuse("selects tetrahedra, and the body has none");
  if (kind == Kind::Element) return elements;
  Mask inside(count(kind), 0);
  if (kind == Kind::Triangle) {
    for (std::size_t t = 0; t < inside.size(); ++t) inside[t] = elements[std::size_t(boundary_element_[t])];
    return inside;
  }
  for (std::size_t e = 0; e < elements.size(); ++e)
    for (int k = 0; elements[e] && k < 4; ++k) inside[std::size_t(scene_.tet_mesh.tetrahedra(Eigen::Index(e), k))] = 1;
  return inside;
}

Selector::Mask Selector::group_mask(const JsonNode& node) const {
  const auto group = node.value().get<long long>();
  const std::set<long long> distinct(origin_.element_group.begin(), origin_.element_group.end());
  std::vector<long long> known;
  for (const long long one : distinct)
    if (one != BodyOrigin::kNoGroup) known.push_back(one);
  if (known.empty()) node.refuse(fmt::format("got {}, and the mesh distinguishes no groups", group));
  if (!distinct.contains(group)) node.fail(fmt::format("a group of the mesh file: {}", fmt::join(known, ", ")));
  Mask marked(origin_.element_group.size());
  for (std::size_t e = 0; e < marked.size(); ++e) marked[e] = origin_.element_group[e] == group;
  return marked;
}

/// Vertices of the faces of a group, or those faces that are boundary triangles (faces between two regions are not).
Selector::Mask Selector::face_group_mask(Kind kind, const JsonNode& node) const {
  if (kind == Kind::Element) node.refuse("selects vertices and triangles, expected what selects tetrahedra");
  const auto group = node.value().get<long long>();
  std::set<int> known;
  for (const model::GroupedFace& face : origin_.faces) known.insert(face.group);
  if (known.empty()) node.refuse(fmt::format("got {}, and the mesh has no groups of faces", group));
  if (group != int(group) || !known.contains(int(group)))
    node.fail(fmt::format("a group of faces of the mesh file: {}", fmt::join(known, ", ")));
  Mask marked(count(kind), 0);
  if (kind == Kind::Vertex) {
    for (const model::GroupedFace& face : origin_.faces)
      for (const int v : face.vertices) marked[std::size_t(v)] |= face.group == group;
    return marked;
  }
  const auto sorted = [](std::array<int, 3> corners) {
    std::sort(corners.begin(), corners.end());
    return corners;
  };
  std::set<std::array<int, 3>> faces;
  for (const model::GroupedFace& face : origin_.faces)
    if (face.group == group) faces.insert(sorted(face.vertices));
  for (std::size_t t = 0; t < marked.size(); ++t) {
    const auto row = boundary_.row(Eigen::Index(t));
    marked[t] = faces.contains(sorted({row[0], row[1], row[2]}));
  }
  return marked;
}

Selector::Mask Selector::mask_of_key(Kind kind, const JsonNode& selection, const std::string& key) const {
  const JsonNode node = selection.at(key);
  const auto vertex_total = std::size_t(scene_.vertex_count());
  const auto marked = [](std::size_t total, const std::vector<int>& which) {
    Mask mask(total, 0);
    for (const int i : which) mask[std::size_t(i)] = 1;
    return mask;
  };
  if (key == "all") return Mask(count(kind), 1);
  if (key == "vertices")
    return by_vertices(kind, marked(vertex_total, node.indices(scene_.vertex_count(), "vertices")));
  if (key == "elements") {
    const Eigen::Index total = scene_.tet_mesh.element_count();
    return by_elements(kind, marked(std::size_t(total), node.indices(total, "tetrahedra")), node);
  }
  if (key == "box") {
    const Vector3 low = node.at("min_m").vector(), high = node.at("max_m").vector();
    if (!(low.array() <= high.array()).all()) node.fail("a box whose min_m is nowhere above max_m");
    return by_point(
        kind, [&](const Vector3& x) { return (x.array() >= low.array()).all() && (x.array() <= high.array()).all(); });
  }
  if (key == "sphere") {
    const Vector3 centre = node.at("centre_m").vector();
    const double radius = node.at("radius_m").number();
    return by_point(kind, [&](const Vector3& x) { return (x - centre).norm() <= radius; });
  }
  if (key == "half_space" || key == "plane") {
    const Vector3 normal = node.at("normal").unit_vector();
    const double offset = node.at("offset_m").number();
    if (key == "half_space") return by_point(kind, [&](const Vector3& x) { return normal.dot(x) >= offset; });
    const double tolerance = node.number_or("tolerance_m", kPlaneTolerance * size_);
    return by_point(kind, [&](const Vector3& x) { return std::abs(normal.dot(x) - offset) <= tolerance; });
  }
  if (key == "boundary") {
    if (kind == Kind::Element) node.refuse("selects vertices and triangles, expected what selects tetrahedra");
    if (kind == Kind::Triangle) return Mask(count(kind), 1);
    if (scene_.tet_mesh.element_count() == 0) node.refuse("selects of tetrahedra, and the body has none");
    return marked(vertex_total, model::boundary_vertices(scene_.tet_mesh));
  }
  if (key == "mesh") {
    const std::string id = node.text();
    const auto found = std::find(origin_.mesh_ids.begin(), origin_.mesh_ids.end(), id);
    if (id.empty() || found == origin_.mesh_ids.end())
      node.refuse("unknown mesh \"" + id + "\"" + suggestion(id, origin_.mesh_ids));
    const int mesh = int(found - origin_.mesh_ids.begin());
    Mask vertices(origin_.vertex_mesh.size());
    for (std::size_t v = 0; v < vertices.size(); ++v) vertices[v] = origin_.vertex_mesh[v] == mesh;
    return by_vertices(kind, vertices);
  }
  if (key == "group") return by_elements(kind, group_mask(node), node);
  if (key == "face_group") return face_group_mask(kind, node);
  if (key == "vertex_set") {
    const auto set = scene_.vertex_sets.find(node.text());
    if (set != scene_.vertex_sets.end()) return by_vertices(kind, marked(vertex_total, set->second));
    std::vector<std::string> known;
    for (const auto& [name, ignored] : scene_.vertex_sets) known.push_back(name);
    node.refuse("unknown vertex set \"" + node.text() + "\"" + suggestion(node.text(), known));
  }
  Mask any(count(kind), 0);  // any_of
  for (std::size_t i = 0; i < node.size(); ++i) {
    const Mask one = mask(kind, node.at(i));
    for (std::size_t k = 0; k < any.size(); ++k) any[k] |= one[k];
  }
  return any;
}

Selector::Mask Selector::mask(Kind kind, const JsonNode& selection) const {
  Mask result(count(kind), 1);
  for (const auto& [key, ignored] : selection.value().items()) {
    const Mask one = mask_of_key(kind, selection, key);
    for (std::size_t k = 0; k < result.size(); ++k) result[k] &= one[k];
  }
  return result;
}

std::vector<int> Selector::chosen(Kind kind, const JsonNode& selection) const {
  const Mask inside = mask(kind, selection);
  std::vector<int> selected;
  for (std::size_t i = 0; i < inside.size(); ++i)
    if (inside[i]) selected.push_back(int(i));
  expect_some(kind, selected.size(), selection);
  return selected;
}

void Selector::expect_some(Kind kind, std::size_t selected, const JsonNode& selection) const {
  if (selected > 0) return;
  const char* of = kind == Kind::Vertex ? "vertices" : kind == Kind::Element ? "tetrahedra" : "triangles";
  selection.refuse(fmt::format("got {}, which selects none of {} {}, expected at least one", shown(selection.value()),
                               count(kind), of));
}

std::vector<int> Selector::vertices(const JsonNode& selection) const {
  if (selection.size() != 1 || !selection.has("vertices")) return chosen(Kind::Vertex, selection);
  const std::vector<int> listed = selection.at("vertices").indices(scene_.vertex_count(), "vertices");
  expect_some(Kind::Vertex, listed.size(), selection);
  return listed;
}

std::vector<int> Selector::elements(const JsonNode& selection) const {
  return chosen(Kind::Element, selection);
}

Triangles Selector::triangles(const JsonNode& selection) const {
  const std::vector<int> selected = chosen(Kind::Triangle, selection);
  return boundary_(selected, Eigen::all);
}

}  // namespace deformbench::harness
