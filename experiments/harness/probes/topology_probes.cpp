// SPDX-License-Identifier: BSD-3-Clause
// Topology changes of a mesh: splits, vertices and pieces.
#include "experiments/harness/probes/channel_table.hpp"
#include "experiments/harness/probes/cloth_edges.hpp"
#include "methods/facets.hpp"
#include "methods/model/boundary_surface.hpp"

namespace deformbench::harness {
namespace {

int pieces_of(const Scene& scene) {
  return scene.cloth.triangle_count() > 0 ? cloth_pieces(scene.cloth.triangles).count()
                                          : model::face_connected_parts(scene.tet_mesh.tetrahedra);
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
  const auto* topology = find_facet<TopologyFacet>(input.simulation);
  return topology ? double(topology->topology_version()) : 0.0;
}

}  // namespace

std::vector<ChannelEntry> topology_channels() {
  ChannelSpec splits{"split_count", "1", "count",
                     "Vertex splits since the start, as the method counts them; 0 where vertices do not split."};
  splits.source = "method";
  return {
      scalar_channel(splits, split_count),
      scalar_channel({"vertex_count", "1", "count", "Vertices of the deformable body."},
                     [](const ProbeInput& input) { return double(input.positions.rows()); }),
      component_channel(),
  };
}

}  // namespace deformbench::harness
