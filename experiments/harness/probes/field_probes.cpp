// SPDX-License-Identifier: BSD-3-Clause
// Whole fields, for the frame clock.
#include <algorithm>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

/// One per element or per vertex, as chosen by the method.
std::size_t one_a_rotation(const Scene& scene, const Simulation& simulation) {
  return facet_of<RotationFacet>(simulation).rotations(scene.rest_positions()).size();
}

ChannelEntry rotation_channel() {
  ChannelEntry entry;
  entry.spec = {"rotations", "1", "rotation", "Rotation matrix of every element (or vertex), row by row."};
  entry.spec.row_shape = {0, 3, 3};
  entry.rows = ChannelRows::Elements;
  entry.per_rotation = true;
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation& simulation) {
    ChannelSpec sized = s;
    sized.row_shape[0] = one_a_rotation(scene, simulation);
    return function_probe(sized, [](const ProbeInput& input, std::span<double> row) {
      auto out = row.begin();
      for (const Matrix3& r : facet_of<RotationFacet>(input).rotations(input.positions))
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j) *out++ = r(i, j);
    });
  };
  return entry;
}

void copy_points(const Points& points, std::span<double> row) {
  std::copy_n(points.data(), points.size(), row.begin());
}

}  // namespace

std::vector<ChannelEntry> field_channels() {
  return {
      field_channel({"positions", "m", "position", "Position of every vertex."}, ChannelRows::Vertices, {3},
                    [](const ProbeInput& input, std::span<double> row) { copy_points(input.positions, row); }),
      field_channel({"vertex_masses", "kg", "mass", "Mass of every vertex, as the method has it."},
                    ChannelRows::Vertices, {},
                    [](const ProbeInput& input, std::span<double> row) {
                      std::copy_n(input.masses.data(), input.masses.size(), row.begin());
                    }),
      field_channel({"velocities", "m/s", "velocity", "Velocity of every vertex."}, ChannelRows::Vertices, {3},
                    [](const ProbeInput& input, std::span<double> row) { copy_points(input.velocities, row); }),
      from_facet<ElasticityFacet>(
          field_channel({"elastic_forces", "N", "force", "Elastic force on every vertex."}, ChannelRows::Vertices, {3},
                        [](const ProbeInput& input, std::span<double> row) {
                          copy_points(facet_of<ElasticityFacet>(input).elastic_forces(input.positions), row);
                        }),
          "ElasticityFacet"),
      from_facet<RotationFacet>(rotation_channel(), "RotationFacet"),
      from_facet<DeformationGradientFacet>(
          field_channel({"deformation_gradients", "1", "deformation gradient",
                         "F of every element as the method forms it, row by row."},
                        ChannelRows::Elements, {3, 3},
                        [](const ProbeInput& input, std::span<double> row) {
                          auto out = row.begin();
                          for (const Matrix3& f :
                               facet_of<DeformationGradientFacet>(input).deformation_gradients(input.positions))
                            for (int k = 0; k < 9; ++k) *out++ = f(k / 3, k % 3);
                        }),
          "DeformationGradientFacet"),
      from_facet<StressFacet>(
          field_channel(
              {"element_stresses", "Pa", "stress", "Stress of every element in the element frame: xx yy zz xy yz zx."},
              ChannelRows::Elements, {6},
              [](const ProbeInput& input, std::span<double> row) {
                auto out = row.begin();
                for (const Vector6& s : facet_of<StressFacet>(input).element_stresses(input.positions))
                  out = std::copy_n(s.data(), 6, out);
              }),
          "StressFacet"),
  };
}

}  // namespace deformbench::harness
