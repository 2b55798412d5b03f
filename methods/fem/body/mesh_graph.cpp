// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/body/mesh_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::fem {
namespace {

/// For every node the places 4·slot + a where it is a corner.
void incidence(const std::vector<int>& corners, int nodes, std::vector<int>& start, std::vector<int>& places) {
  start.assign(at(nodes) + 1, 0);
  for (const int node : corners) ++start[at(node) + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  places.resize(corners.size());
  std::vector<int> next(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < corners.size(); ++k) places[at(next[at(corners[k])]++)] = int(k);
}

double mean_distance(const model::TetMesh& mesh) {
  double sum = 0.0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) sum += std::abs(mesh.tetrahedra(e, a) - mesh.tetrahedra(e, b));
  return sum / (6.0 * double(std::max<Eigen::Index>(1, mesh.element_count())));
}

}  // namespace

std::vector<int> reverse_cuthill_mckee(const model::TetMesh& mesh) {
  const int nodes = int(mesh.vertex_count());
  const std::vector<int> corners(mesh.tetrahedra.data(), mesh.tetrahedra.data() + mesh.tetrahedra.size());
  std::vector<int> start, places;
  incidence(corners, nodes, start, places);
  const auto degree = [&](int node) { return start[at(node) + 1] - start[at(node)]; };
  std::vector<int> order, level(at(nodes), -1), fresh;
  // Breadth first from `root`, neighbours by rising degree; appends to `order`; returns the last node reached.
  const auto sweep = [&](int root, int mark) {
    std::size_t head = order.size();
    order.push_back(root);
    level[at(root)] = mark;
    for (; head < order.size(); ++head) {
      fresh.clear();
      const int node = order[head];
      for (int k = start[at(node)]; k < start[at(node) + 1]; ++k) {
        const int element = places[at(k)] / 4;
        for (int a = 0; a < 4; ++a) {
          const int other = corners[at(4 * element + a)];
          if (level[at(other)] == mark) continue;
          level[at(other)] = mark;
          fresh.push_back(other);
        }
      }
      std::sort(fresh.begin(), fresh.end(),
                [&](int a, int b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
      order.insert(order.end(), fresh.begin(), fresh.end());
    }
    return order.back();
  };
  for (int seed = 0; seed < nodes; ++seed) {
    if (level[at(seed)] == 3) continue;
    const std::size_t begin = order.size();
    int root = seed;
    for (int mark = 1; mark <= 2; ++mark) {  // two sweeps find a node at the far end
      root = sweep(root, mark);
      order.resize(begin);
    }
    sweep(root, 3);
  }
  std::reverse(order.begin(), order.end());
  return order;
}

MeshGraph::MeshGraph(const model::TetMesh& mesh, const Cliques& cliques) {
  const int nodes = int(mesh.vertex_count());
  const int elements = int(mesh.element_count());
  if (elements >= (1 << 27))
    throw InputError("finite element mesh: got " + std::to_string(elements) +
                     " elements, expected fewer than 134217728");

  const double layered = std::pow(double(nodes), 2.0 / 3.0) + 16.0;
  if (mean_distance(mesh) > layered) {
    node_of = reverse_cuthill_mckee(mesh);
  } else {
    node_of.resize(at(nodes));
    std::iota(node_of.begin(), node_of.end(), 0);
  }
  vertex_to_node.resize(at(nodes));
  for (int i = 0; i < nodes; ++i) vertex_to_node[at(node_of[at(i)])] = i;

  // Elements by their first node: a counting sort.
  std::vector<int> bucket(at(nodes) + 1, 0);
  const auto first_node = [&](int e) {
    int first = nodes;
    for (int a = 0; a < 4; ++a) first = std::min(first, vertex_to_node[at(mesh.tetrahedra(e, a))]);
    return first;
  };
  for (int e = 0; e < elements; ++e) ++bucket[at(first_node(e)) + 1];
  std::partial_sum(bucket.begin(), bucket.end(), bucket.begin());
  element_of.resize(at(elements));
  for (int e = 0; e < elements; ++e) element_of[at(bucket[at(first_node(e))]++)] = e;
  build(mesh.tetrahedra, cliques);
}

MeshGraph::MeshGraph(const Tetrahedra& tetrahedra, std::vector<int> nodes, std::vector<int> elements)
    : node_of(std::move(nodes)), element_of(std::move(elements)) {
  vertex_to_node.resize(node_of.size());
  for (int i = 0; i < node_count(); ++i) vertex_to_node[at(node_of[at(i)])] = i;
  build(tetrahedra, {});
}

void MeshGraph::build(const Tetrahedra& tetrahedra, const Cliques& cliques) {
  const int nodes = node_count(), elements = element_count();
  slot_of_.resize(at(elements));
  for (int slot = 0; slot < elements; ++slot) slot_of_[at(element_of[at(slot)])] = slot;
  corners.resize(4 * at(elements));
  for (int slot = 0; slot < elements; ++slot)
    for (int a = 0; a < 4; ++a) corners[4 * at(slot) + at(a)] = vertex_to_node[at(tetrahedra(element_of[at(slot)], a))];
  incidence(corners, nodes, node_start, node_places);
  std::vector<int> clique_nodes, clique_start, clique_places;
  for (const int vertex : cliques.reshaped<Eigen::RowMajor>()) clique_nodes.push_back(vertex_to_node[at(vertex)]);
  incidence(clique_nodes, nodes, clique_start, clique_places);

  // Edges of each row in turn; `slot_of` holds the edge's number while its row is open.
  edges.nodes = nodes;
  edges.row_start.assign(at(nodes) + 1, 0);
  std::vector<int> slot_of(at(nodes), -1), row;
  edges.column.reserve(at(elements) * 5 / 4 + at(nodes));
  edge_start.reserve(at(elements) * 5 / 4 + at(nodes) + 1);
  edge_start.push_back(0);
  edge_places.resize(6 * at(elements));
  std::vector<int> next;
  for (int i = 0; i < nodes; ++i) {
    row.clear();
    next.clear();
    for (int k = node_start[at(i)]; k < node_start[at(i) + 1]; ++k) {
      const int* corner = corners.data() + (node_places[at(k)] & ~3);
      for (int b = 0; b < 4; ++b) {
        if (corner[b] <= i) continue;
        if (slot_of[at(corner[b])] < 0) {
          slot_of[at(corner[b])] = 0;
          row.push_back(corner[b]);
        }
        ++slot_of[at(corner[b])];
      }
    }
    for (int k = clique_start[at(i)]; k < clique_start[at(i) + 1]; ++k) {
      const int first = clique_places[at(k)] / int(cliques.cols()) * int(cliques.cols());
      for (int b = first; b < first + int(cliques.cols()); ++b) {
        const int other = clique_nodes[at(b)];
        if (other <= i || slot_of[at(other)] >= 0) continue;
        slot_of[at(other)] = 0;
        row.push_back(other);
      }
    }
    std::sort(row.begin(), row.end());
    for (const int j : row) {
      const int begin = edge_start.back();
      edge_start.push_back(begin + slot_of[at(j)]);
      edges.column.push_back(j);
      slot_of[at(j)] = begin;
    }
    for (int k = node_start[at(i)]; k < node_start[at(i) + 1]; ++k) {
      const int place = node_places[at(k)];
      const int* corner = corners.data() + (place & ~3);
      for (int b = 0; b < 4; ++b)
        if (corner[b] > i) edge_places[at(slot_of[at(corner[b])]++)] = 4 * place + b;
    }
    for (const int j : row) slot_of[at(j)] = -1;
    edges.row_start[at(i) + 1] = edges.edge_count();
  }
  edges.column.shrink_to_fit();
  edge_start.shrink_to_fit();
}

// ---- following vertex splits

/// A place that an edge (i, j) or a node (i, with j = 0) gains or loses.
struct MeshGraph::Edit {
  int i, j, place;
  bool gained;
  bool operator<(const Edit& other) const {
    return i != other.i ? i < other.i : j != other.j ? j < other.j : place < other.place;
  }
};

GraphChange MeshGraph::apply(std::span<const VertexSplit> splits) {
  std::vector<CornerMove> moves;
  int vertices = node_count();
  for (const VertexSplit& split : splits) {
    moves.insert(moves.end(), split.moves.begin(), split.moves.end());
    vertices += int(split.new_vertices.size());
  }
  return apply(moves, vertices);
}

GraphChange MeshGraph::apply(std::span<const CornerMove> moves, int vertex_count) {
  const int old_nodes = node_count();
  std::vector<int> slots;
  for (const CornerMove& move : moves) {
    if (move.element < 0 || move.element >= element_count() || move.corner < 0 || move.corner > 3 || move.to < 0 ||
        move.to >= vertex_count || vertex_count < old_nodes)
      throw InputError("mesh graph: got corner " + std::to_string(move.corner) + " of element " +
                       std::to_string(move.element) + " moved to vertex " + std::to_string(move.to) +
                       ", expected elements and vertices of the mesh");
    slots.push_back(slot_of_[at(move.element)]);
  }
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  std::vector<int> before;
  for (const int slot : slots) before.insert(before.end(), &corners[4 * at(slot)], &corners[4 * at(slot)] + 4);

  for (int v = old_nodes; v < vertex_count; ++v) {  // new vertices have the same number as their nodes
    node_of.push_back(v);
    vertex_to_node.push_back(v);
  }
  for (const CornerMove& move : moves) {
    int& corner = corners[at(4 * slot_of_[at(move.element)] + move.corner)];
    if (move.from < 0 || move.from >= vertex_count || corner != vertex_to_node[at(move.from)]) {
      const int found = node_of[at(corner)];
      for (std::size_t k = 0; k < before.size(); ++k) corners[at(4 * slots[k / 4]) + k % 4] = before[k];
      node_of.resize(at(old_nodes));
      vertex_to_node.resize(at(old_nodes));
      throw InputError("mesh graph: got a move from vertex " + std::to_string(move.from) + " of corner " +
                       std::to_string(move.corner) + " of element " + std::to_string(move.element) +
                       ", expected from vertex " + std::to_string(found));
    }
    corner = vertex_to_node[at(move.to)];
  }
  edges.nodes = vertex_count;
  edges.row_start.resize(at(vertex_count) + 1, edges.edge_count());
  node_start.resize(at(vertex_count) + 1, int(node_places.size()));

  std::vector<Edit> edge_edits, node_edits;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const int *was = &before[4 * k], *is = &corners[4 * at(slots[k])];
    for (int a = 0; a < 4; ++a) {
      const int place = 4 * slots[k] + a;
      if (was[a] != is[a]) {
        node_edits.push_back({was[a], 0, place, false});
        node_edits.push_back({is[a], 0, place, true});
      }
      for (int b = 0; b < 4; ++b) {
        if (was[a] == is[a] && was[b] == is[b]) continue;
        if (was[a] < was[b]) edge_edits.push_back({was[a], was[b], 4 * place + b, false});
        if (is[a] < is[b]) edge_edits.push_back({is[a], is[b], 4 * place + b, true});
      }
    }
  }
  std::sort(edge_edits.begin(), edge_edits.end());
  std::sort(node_edits.begin(), node_edits.end());
  GraphChange change;
  merge_edges(edge_edits, change);
  merge_nodes(node_edits);
  return change;
}

void MeshGraph::merge_edges(const std::vector<Edit>& edits, GraphChange& change) {
  const int old_edges = edges.edge_count();
  spare_column_.resize(at(old_edges) + edits.size());
  spare_start_.resize(at(old_edges) + edits.size() + 1);
  spare_places_.resize(edge_places.size());
  int read = 0, written = 0, places = 0;  // edges read and written, places written
  const auto keep_until = [&](int end) {
    if (end == read) return;
    const int first = edge_start[at(read)], shift = places - first;
    std::copy(edges.column.begin() + read, edges.column.begin() + end, spare_column_.begin() + written);
    std::copy(edge_places.begin() + first, edge_places.begin() + edge_start[at(end)], spare_places_.begin() + places);
    for (int e = read; e < end; ++e) spare_start_[at(written + e - read)] = edge_start[at(e)] + shift;
    change.kept_edges.push_back({read, written, end - read});
    places = edge_start[at(end)] + shift;
    written += end - read;
    read = end;
  };

  int row = -1, row_begin = 0, row_end = 0, growth = 0;  // growth: edges added in rows up to `row`
  for (std::size_t k = 0; k < edits.size();) {
    const int i = edits[k].i, j = edits[k].j;
    if (i != row) {
      for (int r = row + 1; r <= i; ++r) edges.row_start[at(r)] += growth;
      row = i;
      row_begin = edges.row_start[at(i)] - growth;
      row_end = edges.row_start[at(i) + 1];
    }
    const auto end = edges.column.begin() + row_end;
    const int edge = int(std::lower_bound(edges.column.begin() + row_begin, end, j) - edges.column.begin());
    keep_until(edge);
    const bool existed = edge < row_end && edges.column[at(edge)] == j;
    int old_place = existed ? edge_start[at(edge)] : 0;
    const int old_end = existed ? edge_start[at(edge) + 1] : 0, start = places;
    for (; k < edits.size() && edits[k].i == i && edits[k].j == j; ++k) {
      while (old_place < old_end && edge_places[at(old_place)] < edits[k].place)
        spare_places_[at(places++)] = edge_places[at(old_place++)];
      if (edits[k].gained)
        spare_places_[at(places++)] = edits[k].place;
      else
        ++old_place;
    }
    while (old_place < old_end) spare_places_[at(places++)] = edge_places[at(old_place++)];
    if (existed) read = edge + 1;
    growth -= existed ? 1 : 0;
    if (places == start) continue;
    ++growth;
    spare_column_[at(written)] = j;
    spare_start_[at(written)] = start;
    change.edges.push_back(written++);
  }
  keep_until(old_edges);
  for (std::size_t r = at(row + 1); r < edges.row_start.size(); ++r) edges.row_start[r] += growth;
  spare_start_[at(written)] = places;
  spare_column_.resize(at(written));
  spare_start_.resize(at(written) + 1);
  edges.column.swap(spare_column_);
  edge_start.swap(spare_start_);
  edge_places.swap(spare_places_);
  change.edge_count = written;
}

void MeshGraph::merge_nodes(const std::vector<Edit>& edits) {
  spare_node_places_.resize(node_places.size());
  int read = 0, places = 0, node = -1, growth = 0;
  const auto keep_until = [&](int end) {
    std::copy(node_places.begin() + read, node_places.begin() + end, spare_node_places_.begin() + places);
    places += end - read;
    read = end;
  };
  for (std::size_t k = 0; k < edits.size();) {
    const int i = edits[k].i;
    for (int r = node + 1; r <= i; ++r) node_start[at(r)] += growth;
    node = i;
    keep_until(node_start[at(i)] - growth);
    const int end = node_start[at(i) + 1];
    for (; k < edits.size() && edits[k].i == i; ++k) {
      while (read < end && node_places[at(read)] < edits[k].place)
        spare_node_places_[at(places++)] = node_places[at(read++)];
      if (edits[k].gained)
        spare_node_places_[at(places++)] = edits[k].place;
      else
        ++read;
      growth += edits[k].gained ? 1 : -1;
    }
    keep_until(end);
  }
  keep_until(int(node_places.size()));
  for (std::size_t r = at(node + 1); r < node_start.size(); ++r) node_start[r] += growth;
  node_places.swap(spare_node_places_);
}

std::vector<unsigned> MeshGraph::corner_offsets(std::size_t slots) const {
  std::vector<unsigned> offsets(4 * slots);
  for (std::size_t slot = 0; slot < slots; ++slot) {
    const std::size_t source = std::min(slot, std::size_t(element_count()) - 1);
    for (std::size_t a = 0; a < 4; ++a) offsets[4 * slot + a] = 4 * unsigned(corners[4 * source + a]);
  }
  return offsets;
}

Eigen::SparseMatrix<double> MeshGraph::in_mesh_order(const Eigen::SparseMatrix<double>& of_nodes) const {
  const auto vertex_row = [&](Eigen::Index row) { return 3 * node_of[std::size_t(row / 3)] + int(row % 3); };
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(std::size_t(of_nodes.nonZeros()));
  for (int column = 0; column < of_nodes.outerSize(); ++column)
    for (Eigen::SparseMatrix<double>::InnerIterator it(of_nodes, column); it; ++it)
      entries.emplace_back(vertex_row(it.row()), vertex_row(column), it.value());
  Eigen::SparseMatrix<double> a(of_nodes.rows(), of_nodes.cols());
  a.setFromTriplets(entries.begin(), entries.end());
  return a;
}

}  // namespace deformbench::fem
