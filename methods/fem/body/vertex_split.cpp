// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/vertex_split.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "methods/model/error.hpp"

namespace deformbench::fem {
namespace {

template <class T>
void sort_unique(std::vector<T>& values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
}

}  // namespace

std::string SplitTrial::reason() const {
  if (splits()) return "";
  const int count = positive + negative;
  if (count == 0) return "no element is left round it";
  if (count == 1) return "only one element is left round it";
  return "all " + std::to_string(count) + " elements round it lie on the " + (negative == 0 ? "positive" : "negative") +
         " side";
}

FractureTopology::FractureTopology(const Tetrahedra& tetrahedra, int vertex_count, HingeRule hinges)
    : tetrahedra_(tetrahedra), hinges_(hinges) {
  const int elements = int(tetrahedra.rows());
  std::vector<int> degree(at(vertex_count), 0);
  for (int e = 0; e < elements; ++e) {
    for (int a = 0; a < 4; ++a) {
      const int v = tetrahedra(e, a);
      if (v < 0 || v >= vertex_count)
        throw InputError("mesh to fracture, element " + std::to_string(e) + ": got vertex " + std::to_string(v) +
                         ", expected 0 … " + std::to_string(vertex_count - 1));
      for (int b = 0; b < a; ++b)
        if (tetrahedra(e, b) == v)
          throw InputError("mesh to fracture, element " + std::to_string(e) + ": got vertex " + std::to_string(v) +
                           " twice, expected four different ones");
      ++degree[at(v)];
    }
  }
  stars_.resize(at(vertex_count));
  for (int v = 0; v < vertex_count; ++v) stars_[at(v)].reserve(at(degree[at(v)]));
  for (int place = 0; place < 4 * elements; ++place) stars_[at(tetrahedra_.data()[place])].push_back(place);

  neighbours_.assign(4 * at(elements), -1);
  for (int e = 0; e < elements; ++e) {
    for (int a = 0; a < 4; ++a) {
      const int v1 = tetrahedra_(e, (a + 1) & 3), v2 = tetrahedra_(e, (a + 2) & 3), v3 = tetrahedra_(e, (a + 3) & 3);
      int& neighbour = neighbours_[at(4 * e + a)];
      for (const int place : stars_[at(v1)]) {
        const int other = place >> 2;
        if (other == e || corner_of(other, v2) < 0 || corner_of(other, v3) < 0) continue;
        if (neighbour >= 0)
          throw InputError("mesh to fracture: face (" + std::to_string(v1) + ", " + std::to_string(v2) + ", " +
                           std::to_string(v3) + ") belongs to elements " + std::to_string(e) + ", " +
                           std::to_string(neighbour) + " and " + std::to_string(other) + ", expected at most two");
        neighbour = other;
      }
    }
  }
  parents_.resize(at(vertex_count));
  std::iota(parents_.begin(), parents_.end(), 0);
  sources_ = parents_;
  tips_.assign(at(vertex_count), 0);
  label_.assign(at(elements), -1);
}

int FractureTopology::corner_of(int element, int vertex) const {
  for (int a = 0; a < 4; ++a)
    if (tetrahedra_(element, a) == vertex) return a;
  return -1;
}

Vector3 FractureTopology::position(int vertex, const Eigen::Ref<const Points>& positions) const {
  while (vertex >= positions.rows()) vertex = sources_[at(vertex)];
  return positions.row(vertex).transpose();
}

void FractureTopology::require_vertex(int vertex, const Eigen::Ref<const Points>& positions) const {
  if (vertex < 0 || vertex >= vertex_count())
    throw InputError("vertex split: got vertex " + std::to_string(vertex) + ", expected 0 … " +
                     std::to_string(vertex_count() - 1));
  // Vertices of the initial mesh have no source.
  for (int v = vertex; v >= positions.rows(); v = sources_[at(v)])
    if (sources_[at(v)] == v)
      throw InputError("vertex split: got " + std::to_string(positions.rows()) +
                       " positions, expected one for every vertex of the first mesh");
}

bool FractureTopology::is_negative(int place, const Vector3& normal, const Eigen::Ref<const Points>& positions) const {
  const int element = place >> 2, corner = place & 3;
  const Vector3 origin = position(tetrahedra_(element, corner), positions);
  double distance = 0.0, size = 0.0;  // four times the centroid's distance; size of the terms that cancel in it
  for (int k = 1; k < 4; ++k) {
    const Vector3 other = position(tetrahedra_(element, (corner + k) & 3), positions);
    distance += normal.dot(other - origin);
    size += normal.cwiseAbs().dot(other.cwiseAbs() + origin.cwiseAbs());
  }
  return distance < -4.0 * std::numeric_limits<double>::epsilon() * size;
}

SplitTrial FractureTopology::would_split(int vertex, const Vector3& normal,
                                         const Eigen::Ref<const Points>& positions) const {
  require_vertex(vertex, positions);
  SplitTrial trial;
  for (const int place : stars_[at(vertex)])
    ++(is_negative(place, normal, positions) ? trial.negative : trial.positive);
  return trial;
}

/// Places of the star of `vertex` by components connected through faces at it, in order of lowest element.
std::vector<std::vector<int>> FractureTopology::face_components(int vertex) const {
  const std::vector<int>& star = stars_[at(vertex)];
  for (int k = 0; k < int(star.size()); ++k) label_[at(star[at(k)] >> 2)] = k;
  std::vector<std::vector<int>> components;
  for (const int seed : star) {
    if (label_[at(seed >> 2)] < 0) continue;
    std::vector<int> piece{seed};
    label_[at(seed >> 2)] = -1;
    for (std::size_t head = 0; head < piece.size(); ++head) {
      const int element = piece[head] >> 2, corner = piece[head] & 3;
      for (int k = 1; k < 4; ++k) {
        const int other = neighbours_[at(4 * element + ((corner + k) & 3))];
        if (other < 0 || label_[at(other)] < 0) continue;
        piece.push_back(star[at(label_[at(other)])]);
        label_[at(other)] = -1;
      }
    }
    std::sort(piece.begin(), piece.end());
    components.push_back(std::move(piece));
  }
  return components;
}

void FractureTopology::give_new_vertex(int source, std::vector<int> places, bool hinge, VertexSplit& record) {
  const int vertex = vertex_count();
  NewVertex added{vertex, source, parents_[at(source)], hinge, {}};
  added.elements.reserve(places.size());
  for (const int place : places) {
    tetrahedra_.data()[place] = vertex;
    added.elements.push_back(place >> 2);
    record.moves.push_back({place >> 2, place & 3, source, vertex});
  }
  std::vector<int>& star = stars_[at(source)];
  std::size_t kept = 0, gone = 0;  // both are ascending
  for (const int place : star) {
    if (gone < places.size() && places[gone] == place)
      ++gone;
    else
      star[kept++] = place;
  }
  star.resize(kept);
  parents_.push_back(parents_[at(source)]);
  sources_.push_back(source);
  tips_.push_back(0);
  stars_.push_back(std::move(places));  // last: may move the vectors
  record.new_vertices.push_back(std::move(added));
}

/// Cuts the adjacency between `negative` and the rest of the star, and notes the faces' other vertices as tips.
void FractureTopology::expose_faces(int vertex, const std::vector<int>& negative, VertexSplit& record) {
  for (const int place : negative) label_[at(place >> 2)] = 0;
  for (const int place : negative) {
    const int b = place >> 2, corner = place & 3;
    for (int k = 1; k < 4; ++k) {
      const int face_b = (corner + k) & 3, a = neighbours_[at(4 * b + face_b)];
      if (a < 0 || label_[at(a)] == 0) continue;
      int face_a = 0;
      while (neighbours_[at(4 * a + face_a)] != b) ++face_a;
      neighbours_[at(4 * a + face_a)] = neighbours_[at(4 * b + face_b)] = -1;
      record.exposed_faces.push_back({a, face_a, b, face_b});
      for (int c = 0; c < 4; ++c)
        if (c != face_b && c != corner) record.tips.push_back(tetrahedra_(b, c));
    }
  }
  for (const int place : negative) label_[at(place >> 2)] = -1;
  sort_unique(record.tips);
  for (const int tip : record.tips) tips_[at(tip)] = 1;  // [MG04] §4: v1 and v2 become crack tips
  tips_[at(vertex)] = 0;
}

bool FractureTopology::is_hinge_edge(int a, int b) const {
  int boundary_faces = 0;
  for (const int place : stars_[at(a)]) {
    const int element = place >> 2, corner_b = corner_of(element, b);
    if (corner_b < 0) continue;
    for (int c = 0; c < 4; ++c)
      if (c != corner_b && c != (place & 3) && neighbours_[at(4 * element + c)] < 0) ++boundary_faces;
  }
  return boundary_faces > 2;
}

std::optional<VertexSplit> FractureTopology::split(int vertex, const Vector3& normal,
                                                   const Eigen::Ref<const Points>& positions) {
  require_vertex(vertex, positions);
  std::vector<int> negative;
  for (const int place : stars_[at(vertex)])
    if (is_negative(place, normal, positions)) negative.push_back(place);
  if (negative.empty() || negative.size() == stars_[at(vertex)].size()) return std::nullopt;

  VertexSplit record;
  record.vertex = vertex;
  record.normal = normal;
  expose_faces(vertex, negative, record);
  if (hinges_ == HingeRule::Keep) {
    give_new_vertex(vertex, std::move(negative), false, record);
  } else {
    // Components of v+ and v− alike: nothing is connected across the plane any more, except through old hinges.
    const auto on_negative_side = [&](const std::vector<int>& piece) {
      return std::binary_search(negative.begin(), negative.end(), piece.front());
    };
    std::vector<std::vector<int>> pieces = face_components(vertex);
    bool first = true;
    for (auto& piece : pieces) {
      if (!on_negative_side(piece)) continue;
      give_new_vertex(vertex, std::move(piece), !first, record);
      first = false;
    }
    bool keeps_index = true;
    for (auto& piece : pieces) {
      if (piece.empty() || on_negative_side(piece)) continue;
      if (!keeps_index) give_new_vertex(vertex, std::move(piece), true, record);
      keeps_index = false;
    }
    for (const int tip : record.tips) {
      pieces = face_components(tip);
      if (pieces.size() < 2) continue;
      record.hinges.push_back(tip);
      tips_[at(tip)] = 0;
      for (std::size_t k = 1; k < pieces.size(); ++k) give_new_vertex(tip, std::move(pieces[k]), true, record);
    }
    std::erase_if(record.tips,
                  [&](int tip) { return std::binary_search(record.hinges.begin(), record.hinges.end(), tip); });
  }

  for (const ExposedFace& face : record.exposed_faces) {
    for (const int place : {4 * face.element_a + face.face_a, 4 * face.element_b + face.face_b}) {
      for (int k = 1; k < 4; ++k) {
        const int a = tetrahedra_(place >> 2, (place + k) & 3), b = tetrahedra_(place >> 2, (place + k % 3 + 1) & 3);
        if (is_hinge_edge(a, b)) record.hinge_edges.push_back({std::min(a, b), std::max(a, b)});
      }
    }
  }
  sort_unique(record.hinge_edges);
  ++split_count_;
  return record;
}

std::vector<int> FractureTopology::hinge_vertices() const {
  std::vector<int> result;
  for (int v = 0; v < vertex_count(); ++v)
    if (face_components(v).size() > 1) result.push_back(v);
  return result;
}

void append_copies(const FractureTopology& topology, Points& rows) {
  const Eigen::Index old = rows.rows();
  rows.conservativeResize(topology.vertex_count(), 3);
  for (Eigen::Index v = old; v < rows.rows(); ++v) rows.row(v) = rows.row(topology.sources()[std::size_t(v)]);
}

void update_masses(const FractureTopology& topology, std::span<const VertexSplit> splits,
                   std::span<const double> element_masses, Eigen::VectorXd& masses) {
  masses.conservativeResize(topology.vertex_count());
  const auto lump = [&](int vertex) {
    double sum = 0.0;
    for (const int place : topology.star(vertex)) sum += 0.25 * element_masses[std::size_t(place >> 2)];
    masses[vertex] = sum;
  };
  for (const VertexSplit& split : splits) {
    lump(split.vertex);
    for (const int hinge : split.hinges) lump(hinge);
    for (const NewVertex& added : split.new_vertices) lump(added.vertex);
  }
}

}  // namespace deformbench::fem
