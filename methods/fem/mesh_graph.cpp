// SPDX-License-Identifier: BSD-3-Clause
#include "methods/fem/mesh_graph.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <string>

#include "methods/model/error.hpp"

namespace deformbench::fem {
namespace {

std::size_t at(int i) { return std::size_t(i); }

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
      std::sort(fresh.begin(), fresh.end(), [&](int a, int b) {
        return degree(a) != degree(b) ? degree(a) < degree(b) : a < b;
      });
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

MeshGraph::MeshGraph(const model::TetMesh& mesh) {
  const int nodes = int(mesh.vertex_count());
  const int elements = int(mesh.element_count());
  if (elements >= (1 << 27))
    throw InputError("finite element mesh: got " + std::to_string(elements) + " elements, expected fewer than 134217728");

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
  corners.resize(4 * at(elements));
  for (int slot = 0; slot < elements; ++slot)
    for (int a = 0; a < 4; ++a)
      corners[4 * at(slot) + at(a)] = vertex_to_node[at(mesh.tetrahedra(element_of[at(slot)], a))];
  incidence(corners, nodes, node_start, node_places);

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

}  // namespace deformbench::fem
