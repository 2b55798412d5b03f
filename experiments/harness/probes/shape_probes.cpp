// SPDX-License-Identifier: BSD-3-Clause
// Volume, element shapes and displacements.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "experiments/harness/probes/channel_table.hpp"

namespace deformbench::harness {
namespace {

/// Element volume ratios, det F; the rest volumes are kept between rows.
class VolumeRatios {
 public:
  explicit VolumeRatios(const Scene& scene) {
    const auto& mesh = scene.tet_mesh;
    rest_volumes_.resize(mesh.element_count());
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e)
      rest_volumes_[e] = model::tetrahedron_volume(mesh, mesh.rest_positions, e);
  }
  double at(const ProbeInput& input, Eigen::Index e) const {
    return model::tetrahedron_volume(input.scene.tet_mesh, input.positions, e) / rest_volumes_[e];
  }
  double smallest(const ProbeInput& input) const {
    double smallest = std::numeric_limits<double>::infinity();
    for (Eigen::Index e = 0; e < rest_volumes_.size(); ++e) smallest = std::min(smallest, at(input, e));
    return smallest;
  }
  double largest(const ProbeInput& input) const {
    double largest = -std::numeric_limits<double>::infinity();
    for (Eigen::Index e = 0; e < rest_volumes_.size(); ++e) largest = std::max(largest, at(input, e));
    return largest;
  }
  double inverted(const ProbeInput& input) const {
    int count = 0;
    for (Eigen::Index e = 0; e < rest_volumes_.size(); ++e) count += at(input, e) <= 0.0;
    return count;
  }

 private:
  Eigen::VectorXd rest_volumes_;
};

ChannelEntry ratio_channel(ChannelSpec spec, double (VolumeRatios::*measure)(const ProbeInput&) const) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.make = [measure](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    return function_probe(s, [ratios = VolumeRatios(scene), measure](const ProbeInput& input, std::span<double> row) {
      row[0] = (ratios.*measure)(input);
    });
  };
  return entry;
}

/// Mean-ratio quality 12 (3V)^(2/3) / Σ l²: 1 for a regular tetrahedron, 0 for a flat one, negative if inverted.
double smallest_quality(const ProbeInput& input) {
  const auto& mesh = input.scene.tet_mesh;
  double smallest = 1.0;
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    double edges_squared = 0.0;
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b)
        edges_squared +=
            (input.positions.row(mesh.tetrahedra(e, a)) - input.positions.row(mesh.tetrahedra(e, b))).squaredNorm();
    const double volume = model::tetrahedron_volume(mesh, input.positions, e);
    const double size = 12.0 * std::pow(3.0 * std::abs(volume), 2.0 / 3.0);
    smallest = std::min(smallest, std::copysign(edges_squared > 0 ? size / edges_squared : 0.0, volume));
  }
  return smallest;
}

Vector3 mean_position(const Points& positions, const std::vector<int>& vertices) {
  Vector3 sum = Vector3::Zero();
  for (const int v : vertices) sum += positions.row(v).transpose();
  return sum / double(vertices.size());
}

ChannelEntry tip_channel(ChannelSpec spec, bool minus_rest) {
  ChannelEntry entry;
  entry.spec = std::move(spec);
  entry.spec.row_shape = {3};
  entry.make = [minus_rest](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    const auto tip = vertex_set(scene, "tip", s.name);
    const Vector3 rest = minus_rest ? mean_position(scene.rest_positions(), tip) : Vector3::Zero().eval();
    return function_probe(s, [tip, rest](const ProbeInput& input, std::span<double> row) {
      const Vector3 value = mean_position(input.positions, tip) - rest;
      std::copy_n(value.data(), 3, row.begin());
    });
  };
  return entry;
}

/// Volume-weighted mean F of the elements in the last 3/8 of the rest extent in x: the far field of a bar driven at
/// its root.
ChannelEntry far_field_channel() {
  ChannelEntry entry;
  entry.spec = {"far_deformation_gradient", "1", "deformation gradient",
                "Mean F (row by row) of the elements in the last 3/8 of the rest shape in x."};
  entry.spec.row_shape = {3, 3};
  entry.make = [](const ChannelSpec& s, const Scene& scene, const Simulation&) {
    const auto& mesh = scene.tet_mesh;
    const auto x = mesh.rest_positions.col(0);
    const double from = x.maxCoeff() - 0.375 * (x.maxCoeff() - x.minCoeff());
    std::vector<Eigen::Index> elements;
    for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
      double centroid = 0.0;
      for (int k = 0; k < 4; ++k) centroid += 0.25 * x[mesh.tetrahedra(e, k)];
      if (centroid >= from) elements.push_back(e);
    }
    return function_probe(s, [elements](const ProbeInput& input, std::span<double> row) {
      const auto& tets = input.scene.tet_mesh;
      Matrix3 sum = Matrix3::Zero();
      double volume = 0.0;
      for (const auto e : elements) {
        const double weight = model::tetrahedron_volume(tets, tets.rest_positions, e);
        sum += weight * model::deformation_gradient(tets, input.positions, e);
        volume += weight;
      }
      const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> mean = sum / volume;
      std::copy_n(mean.data(), 9, row.begin());
    });
  };
  return entry;
}

}  // namespace

std::vector<ChannelEntry> shape_channels() {
  auto entries = needing(
      Needs::Tetrahedra,
      {
          scalar_channel(
              {"volume", "m^3", "volume", "Sum of the signed element volumes."},
              [](const ProbeInput& input) { return model::total_volume(input.scene.tet_mesh, input.positions); }),
          ratio_channel({"min_det_f", "1", "volume ratio", "Smallest det F of an element."}, &VolumeRatios::smallest),
          ratio_channel({"max_det_f", "1", "volume ratio", "Largest det F of an element."}, &VolumeRatios::largest),
          ratio_channel({"inverted_elements", "1", "count", "Elements with det F ≤ 0."}, &VolumeRatios::inverted),
          scalar_channel({"min_quality", "1", "element quality",
                          "Smallest mean ratio 12 (3V)^(2/3) / Σ l² of an element: 1 regular, negative inverted."},
                         smallest_quality),
          far_field_channel(),
      });
  for (auto& entry : needing(
           Needs::Vertices,
           {
               scalar_channel(
                   {"max_displacement", "m", "displacement", "Largest distance of a vertex from its rest position."},
                   [](const ProbeInput& input) {
                     const auto& rest = input.scene.rest_positions();
                     return std::sqrt((input.positions - rest).rowwise().squaredNorm().maxCoeff());
                   }),
               tip_channel(
                   {"tip_displacement", "m", "displacement", "Mean displacement from rest of the vertex set tip."},
                   true),
               tip_channel({"tip_position", "m", "position", "Mean position of the vertex set tip."}, false),
           }))
    entries.push_back(std::move(entry));
  return entries;
}

}  // namespace deformbench::harness
