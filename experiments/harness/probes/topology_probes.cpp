// SPDX-License-Identifier: BSD-3-Clause
// A mesh that comes apart: splits, vertices and pieces.
#include <algorithm>
#include <array>
#include <numeric>

#include "experiments/harness/probes/channel_table.hpp"
#include "experiments/harness/probes/cloth_edges.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

/// Pieces of a mesh that hang together through faces with the same three vertices.
int component_count(const Tetrahedra& tetrahedra) {
  static constexpr std::array<std::array<int, 3>, 4> kFaces{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};
  struct Face {
    std::array<int, 3> vertices;
    int element;
  };
  std::vector<Face> faces;
  faces.reserve(static_cast<std::size_t>(4 * tetrahedra.rows()));
  for (Eigen::Index e = 0; e < tetrahedra.rows(); ++e)
    for (const auto& corners : kFaces) {
      Face face{{tetrahedra(e, corners[0]), tetrahedra(e, corners[1]), tetrahedra(e, corners[2])}, static_cast<int>(e)};
      std::sort(face.vertices.begin(), face.vertices.end());
      faces.push_back(face);
    }
  std::sort(faces.begin(), faces.end(), [](const Face& a, const Face& b) { return a.vertices < b.vertices; });

  std::vector<int> root(static_cast<std::size_t>(tetrahedra.rows()));
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&root](int e) {
    while (root[static_cast<std::size_t>(e)] != e) {
      auto& parent = root[static_cast<std::size_t>(e)];
      parent = root[static_cast<std::size_t>(parent)];
      e = parent;
    }
    return e;
  };
  int count = static_cast<int>(tetrahedra.rows());
  for (std::size_t i = 1; i < faces.size(); ++i) {
    if (faces[i].vertices != faces[i - 1].vertices) continue;
    const int a = find(faces[i].element), b = find(faces[i - 1].element);
    if (a == b) continue;
    root[static_cast<std::size_t>(a)] = b;
    --count;
  }
  return count;
}

int pieces_of(const Scene& scene) {
  return scene.cloth.triangle_count() > 0 ? cloth_pieces(scene.cloth.triangles).count()
                                          : component_count(scene.tet_mesh.tetrahedra);
}

ChannelEntry component_channel() {
  ChannelEntry entry;
  entry.needs = Needs::Mesh;
  entry.spec = {"component_count", "1", "count",
                "Pieces of the mesh: elements that hang together through faces, triangles through edges."};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    return function_probe(s, [count = pieces_of(scene)](const ProbeInput&, std::span<double> row) { row[0] = count; });
  };
  return entry;
}

double split_count(const ProbeInput& input) {
  const auto* topology = dynamic_cast<const TopologyFacet*>(&input.simulation);
  return topology ? static_cast<double>(topology->topology_version()) : 0.0;
}

}  // namespace

std::vector<ChannelEntry> topology_channels() {
  ChannelSpec splits{"split_count", "1", "count",
                     "Vertex splits since the start, as the method counts them; 0 where vertices do not split."};
  splits.source = "method";
  return {
      scalar_channel(splits, split_count),
      scalar_channel({"vertex_count", "1", "count", "Vertices of the deformable body."},
                     [](const ProbeInput& input) { return static_cast<double>(input.positions.rows()); }),
      component_channel(),
  };
}

}  // namespace deformbench::harness
