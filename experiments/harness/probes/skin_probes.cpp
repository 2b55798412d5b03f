// SPDX-License-Identifier: BSD-3-Clause
// The embedded surface: positions, and its normals turned by R as [MG04] §5.1 prints it and by F⁻ᵀ, which is exact.
// In inverted elements F⁻ᵀ n and (cof F) n = det F · F⁻ᵀ n have opposite signs; the cofactor is used, which agrees
// with the outward side of the mapped triangles.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <vector>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"
#include "methods/model/error.hpp"
#include "methods/surface/embedding.hpp"

namespace deformbench::harness {
namespace {

using SkinMeasure = std::function<void(const surface::Embedding&, const ProbeInput&, std::span<double> row)>;

/// `shape` of a row, starting with the skin vertices: {0} or {0, 3}.
ChannelEntry skin_channel(ChannelSpec spec, std::vector<std::size_t> shape, SkinMeasure measure) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.spec.row_shape = std::move(shape);
  entry.rows = ChannelRows::SkinVertices;
  entry.make = [measure = std::move(measure)](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    if (scene.skin.triangle_count() == 0)
      throw InputError(
          fmt::format("channel '{}': scene '{}' has no skin, expected an embedded surface", s.name, scene.name));
    ChannelSpec sized = s;
    sized.row_shape[0] = std::size_t(scene.skin.vertex_count());
    const auto embedding = std::make_shared<const surface::Embedding>(scene.tet_mesh, scene.skin);
    return function_probe(sized, [embedding, measure](const ProbeInput& input, std::span<double> row) {
      measure(*embedding, input, row);
    });
  };
  return entry;
}

/// `measure` gives a point or vector per skin vertex.
ChannelEntry skin_points_channel(ChannelSpec spec,
                                 void (*measure)(const surface::Embedding&, const ProbeInput&, Points&)) {
  return skin_channel(std::move(spec), {0, 3},
                      [measure](const surface::Embedding& skin, const ProbeInput& input, std::span<double> row) {
                        Points values;
                        measure(skin, input, values);
                        std::copy_n(values.data(), values.size(), row.begin());
                      });
}

void rotated_normals(const surface::Embedding& skin, const ProbeInput& input, Points& normals) {
  const auto rotations = facet_of<RotationFacet>(input).rotations(input.positions);
  if (Eigen::Index(rotations.size()) != input.scene.tet_mesh.element_count())
    throw InputError(
        "channel 'skin_normals_rotated': the method's rotations belong to vertices, expected one per element");
  skin.normals_by_rotation(rotations, normals);
}

ChannelEntry skin_elements_channel() {
  ChannelSpec spec{"skin_elements", "1", "index", "Element that every vertex of the embedded surface follows."};
  spec.type = ScalarType::Int64;
  return skin_channel(spec, {0}, [](const surface::Embedding& skin, const ProbeInput&, std::span<double> row) {
    std::copy(skin.elements().begin(), skin.elements().end(), row.begin());
  });
}

}  // namespace

std::vector<ChannelEntry> skin_channels() {
  return {
      skin_elements_channel(),
      skin_points_channel(
          {"skin_rest_positions", "m", "position", "Position at rest of every vertex of the embedded surface."},
          [](const surface::Embedding& skin, const ProbeInput& input, Points& values) {
            skin.interpolate(input.scene.tet_mesh.rest_positions, values);
          }),
      skin_points_channel({"skin_positions", "m", "position", "Position of every vertex of the embedded surface."},
                          [](const surface::Embedding& skin, const ProbeInput& input, Points& values) {
                            skin.interpolate(input.positions, values);
                          }),
      from_facet<RotationFacet>(
          skin_points_channel({"skin_normals_rotated", "1", "normal", "Surface normals turned by the element's R."},
                              rotated_normals),
          "RotationFacet"),
      skin_points_channel(
          {"skin_normals_exact", "1", "normal",
           "Surface normals F⁻ᵀ n, of unit length; (cof F) n, the normal of the mapped surface, where an "
           "element is inverted."},
          [](const surface::Embedding& skin, const ProbeInput& input, Points& values) {
            skin.normals_by_inverse_transpose(input.positions, values);
          }),
  };
}

}  // namespace deformbench::harness
