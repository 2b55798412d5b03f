// SPDX-License-Identifier: BSD-3-Clause
// Stored plastic strain of the elements, [MG04] §3, and elements softened by heat sources.
#include <algorithm>
#include <cmath>

#include "experiments/harness/probes/channel_table.hpp"
#include "methods/facets.hpp"

namespace deformbench::harness {
namespace {

/// Frobenius norm of the tensor; off-diagonal entries count twice.
double tensor_norm(const Vector6& strain) {
  return std::sqrt(strain.head<3>().squaredNorm() + 2.0 * strain.tail<3>().squaredNorm());
}

double largest_strain(const ProbeInput& input) {
  double largest = 0.0;
  for (const Vector6& strain : facet_of<PlasticStrainFacet>(input).plastic_strains())
    largest = std::max(largest, tensor_norm(strain));
  return largest;
}

double mean_strain(const ProbeInput& input) {
  const auto strains = facet_of<PlasticStrainFacet>(input).plastic_strains();
  const auto& mesh = input.scene.tet_mesh;
  double sum = 0.0, volume = 0.0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    const double weight = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
    sum += weight * tensor_norm(strains.at(std::size_t(e)));
    volume += weight;
  }
  return volume > 0.0 ? sum / volume : 0.0;
}

}  // namespace

std::vector<ChannelEntry> plasticity_channels() {
  std::vector<ChannelEntry> entries{
      scalar_channel({"plastic_strain_max", "1", "strain", "Largest Frobenius norm of an element's plastic strain."},
                     largest_strain),
      scalar_channel({"plastic_strain_mean", "1", "strain",
                      "Frobenius norm of the plastic strain, averaged over the rest volume."},
                     mean_strain),
      field_channel({"element_plastic_strains", "1", "strain",
                     "Plastic strain of every element in the element frame: xx yy zz xy yz zx, tensor components."},
                    ChannelRows::Elements, {6},
                    [](const ProbeInput& input, std::span<double> row) {
                      auto out = row.begin();
                      for (const Vector6& s : facet_of<PlasticStrainFacet>(input).plastic_strains())
                        out = std::copy_n(s.data(), 6, out);
                    }),
      field_channel({"heated_elements",
                     "1",
                     "flag",
                     "1 for every element that a heat source has reached, else 0.",
                     "method",
                     {},
                     ScalarType::Int64},
                    ChannelRows::Elements, {},
                    [](const ProbeInput& input, std::span<double> row) {
                      const auto heated = facet_of<PlasticStrainFacet>(input).heated();
                      std::fill(row.begin(), row.end(), 0.0);
                      std::copy_n(heated.begin(), std::min(heated.size(), row.size()), row.begin());
                    }),
  };
  for (auto& entry : entries) entry = from_facet<PlasticStrainFacet>(std::move(entry), "PlasticStrainFacet");
  return entries;
}

}  // namespace deformbench::harness
