// SPDX-License-Identifier: BSD-3-Clause
// Whole fields, for the frame clock.
#include <algorithm>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

/// n rows, known when the scene and the method are.
template <class Count>
ChannelEntry field_channel(ChannelSpec spec, std::vector<std::size_t> entry_shape, Count rows, RowMeasure measure) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.spec.row_shape = {0};
  entry.spec.row_shape.insert(entry.spec.row_shape.end(), entry_shape.begin(), entry_shape.end());
  entry.make = [rows, measure = std::move(measure)](const ChannelSpec& s, const Scene& scene,
                                                    const Simulation& simulation) {
    ChannelSpec sized = s;
    sized.row_shape[0] = rows(scene, simulation);
    return function_probe(sized, measure);
  };
  return entry;
}

std::size_t one_a_vertex(const Scene& scene, const Simulation&) {
  return static_cast<std::size_t>(scene.tet_mesh.vertex_count());
}

std::size_t one_an_element(const Scene& scene, const Simulation&) {
  return static_cast<std::size_t>(scene.tet_mesh.element_count());
}

/// One an element, or one a vertex: the method decides.
std::size_t one_a_rotation(const Scene& scene, const Simulation& simulation) {
  return dynamic_cast<const RotationFacet&>(simulation).rotations(scene.tet_mesh.rest_positions).size();
}

void copy_points(const Points& points, std::span<double> row) {
  std::copy_n(points.data(), points.size(), row.begin());
}

}  // namespace

std::vector<ChannelEntry> field_channels() {
  return {
      field_channel({"positions", "m", "position", "Position of every vertex."}, {3}, one_a_vertex,
                    [](const ProbeInput& input, std::span<double> row) { copy_points(input.positions, row); }),
      field_channel({"velocities", "m/s", "velocity", "Velocity of every vertex."}, {3}, one_a_vertex,
                    [](const ProbeInput& input, std::span<double> row) { copy_points(input.velocities, row); }),
      from_facet<ElasticityFacet>(
          field_channel({"elastic_forces", "N", "force", "Elastic force on every vertex."}, {3}, one_a_vertex,
                        [](const ProbeInput& input, std::span<double> row) {
                          copy_points(facet_of<ElasticityFacet>(input).elastic_forces(input.positions), row);
                        }),
          "ElasticityFacet"),
      from_facet<RotationFacet>(
          field_channel({"rotations", "1", "rotation", "Rotation matrix of every element (or vertex), row by row."},
                        {3, 3}, one_a_rotation,
                        [](const ProbeInput& input, std::span<double> row) {
                          auto out = row.begin();
                          for (const Matrix3& r : facet_of<RotationFacet>(input).rotations(input.positions))
                            for (int i = 0; i < 3; ++i)
                              for (int j = 0; j < 3; ++j) *out++ = r(i, j);
                        }),
          "RotationFacet"),
      from_facet<StressFacet>(
          field_channel({"element_stresses", "Pa", "stress",
                         "Stress of every element in the element frame: xx yy zz xy yz zx."},
                        {6}, one_an_element,
                        [](const ProbeInput& input, std::span<double> row) {
                          auto out = row.begin();
                          for (const Vector6& s : facet_of<StressFacet>(input).element_stresses(input.positions))
                            out = std::copy_n(s.data(), 6, out);
                        }),
          "StressFacet"),
  };
}

}  // namespace deformbench::harness
