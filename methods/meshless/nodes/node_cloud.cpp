// SPDX-License-Identifier: BSD-3-Clause
#include "methods/meshless/nodes/node_cloud.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "methods/meshless/nodes/kernels.hpp"
#include "methods/numerics/spatial_hash.hpp"
#include "methods/numerics/symmetric_eigen.hpp"

namespace deformbench::meshless {
namespace {

void set_supports(const Scene& scene, double factor, NodeCloud& cloud) {
  if (const auto& given = scene.particles.supports; scene.particles.is_solid()) {
    cloud.supports.assign(given.data(), given.data() + given.size());
    return;
  }
  cloud.supports.assign(std::size_t(cloud.size()), 0.0);
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e)
    for (int a = 0; a < 4; ++a)
      for (int b = 0; b < a; ++b) {
        const int i = scene.tet_mesh.tetrahedra(e, a), j = scene.tet_mesh.tetrahedra(e, b);
        const double reach = factor * (cloud.rest.row(i) - cloud.rest.row(j)).norm();
        for (const int node : {i, j}) {
          double& support = cloud.supports[std::size_t(node)];
          support = std::max(support, reach);
        }
      }
}

/// Volume-weighted means over the tetrahedra at each vertex: of Lamé's constants, since energies add, and of ρ.
void set_materials(const Scene& scene, NodeCloud& cloud) {
  if (scene.materials.size() == 1) {
    cloud.materials.assign(std::size_t(cloud.size()), scene.materials[0]);
    return;
  }
  struct Sums {
    double volume = 0.0, lambda = 0.0, mu = 0.0, mass = 0.0;
  };
  std::vector<Sums> sums(std::size_t(cloud.size()));
  for (Eigen::Index e = 0; e < scene.tet_mesh.element_count(); ++e) {
    const double volume = model::tetrahedron_volume(scene.tet_mesh, cloud.rest, e);
    const model::Material& material = scene.material_of(e);
    for (int a = 0; a < 4; ++a) {
      Sums& of = sums[std::size_t(scene.tet_mesh.tetrahedra(e, a))];
      of.volume += volume;
      of.lambda += volume * material.lame_lambda();
      of.mu += volume * material.lame_mu();
      of.mass += volume * material.density;
    }
  }
  for (const Sums& of : sums) {
    const double lambda = of.lambda / of.volume, mu = of.mu / of.volume;
    cloud.materials.push_back(
        {mu * (3 * lambda + 2 * mu) / (lambda + mu), lambda / (2 * (lambda + mu)), of.mass / of.volume});
  }
}

/// Pairs are sorted by neighbour, so that the order of sums is fixed.
void find_neighbours(NodeCloud& cloud) {
  const auto n = std::size_t(cloud.size());
  std::vector<numerics::Box> points(n);
  for (std::size_t i = 0; i < n; ++i) points[i] = {cloud.rest.row(Eigen::Index(i)), cloud.rest.row(Eigen::Index(i))};
  numerics::SpatialHash hash;
  hash.build(points, *std::min_element(cloud.supports.begin(), cloud.supports.end()));
  cloud.first.assign(1, 0);
  cloud.neighbours.clear();
  std::vector<int> found;
  for (std::size_t i = 0; i < n; ++i) {
    const Vector3 x = cloud.rest.row(Eigen::Index(i));
    const double h = cloud.supports[i];
    found.clear();
    hash.for_overlaps({x.array() - h, x.array() + h}, [&](int j) {
      if (j != int(i) && (Vector3(cloud.rest.row(j)) - x).norm() < h) found.push_back(j);
    });
    std::sort(found.begin(), found.end());
    cloud.neighbours.insert(cloud.neighbours.end(), found.begin(), found.end());
    cloud.first.push_back(cloud.neighbours.size());
  }
}

void leave_out(const PartedPairs& parted, NodeCloud& cloud) {
  std::vector<int> kept;
  std::vector<std::size_t> first(1, 0);
  for (std::size_t i = 0; i + 1 < cloud.first.size(); ++i) {
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p)
      if (!parted.has(int(i), cloud.neighbours[p])) kept.push_back(cloud.neighbours[p]);
    first.push_back(kept.size());
  }
  cloud.neighbours = std::move(kept);
  cloud.first = std::move(first);
}

void set_gradients(NodeCloud& cloud) {
  cloud.plain_weights.clear();
  for (std::size_t i = 0; i + 1 < cloud.first.size(); ++i)
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      const double distance = (cloud.rest.row(cloud.neighbours[p]) - cloud.rest.row(Eigen::Index(i))).norm();
      cloud.plain_weights.push_back(mls_weight(distance / cloud.supports[i]));
    }
  cloud.weights = cloud.plain_weights;
  cloud.gradients.resize(cloud.neighbours.size());
  cloud.inverse_moments.resize(cloud.supports.size());
  cloud.projections.resize(cloud.supports.size());
  cloud.ranks.resize(cloud.supports.size());
  for (Eigen::Index i = 0; i < cloud.size(); ++i) set_node_gradients(cloud, i);
}

/// v_i depends on ratios of the masses, not on their scale.
void set_volumes(NodeCloud& cloud) {
  const auto n = std::size_t(cloud.size());
  cloud.volumes.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double h = cloud.supports[i];
    double density = cloud.masses[i] * normalised_kernel(0.0, h);
    for (std::size_t p = cloud.first[i]; p < cloud.first[i + 1]; ++p) {
      const int j = cloud.neighbours[p];
      const double distance = (cloud.rest.row(j) - cloud.rest.row(Eigen::Index(i))).norm();
      density += cloud.masses[std::size_t(j)] * normalised_kernel(distance, h);
    }
    cloud.volumes[i] = cloud.masses[i] / density;
  }
}

void set_masses(const Scene& scene, NodeMasses rule, NodeCloud& cloud) {
  const auto n = std::size_t(cloud.size());
  cloud.masses.resize(n);
  for (std::size_t i = 0; i < n; ++i)
    cloud.masses[i] = 4.0 / 3.0 * std::numbers::pi * std::pow(cloud.supports[i], 3) * cloud.materials[i].density;
  set_volumes(cloud);
  if (rule == NodeMasses::KernelSum)
    for (std::size_t i = 0; i < n; ++i) cloud.masses[i] = cloud.materials[i].density * cloud.volumes[i];
  if (rule != NodeMasses::Consistent) return;
  double sum = 0.0;
  for (const double mass : cloud.masses) sum += mass;
  const double scale = lumped_masses(scene).sum() / sum;
  for (double& mass : cloud.masses) mass *= scale;
}

}  // namespace

/// [PKAGDG05] eq. 2. DEVIATION [PKAGDG05] eq. 2: for coplanar or collinear neighbours A⁻¹ does not exist and is
/// replaced by the pseudo-inverse, also if a crack leaves nearly coplanar ones: A⁻¹ would be so large that strains
/// exceed 1 and no substep is short enough. `rank_threshold` defines "nearly".
void set_node_gradients(NodeCloud& cloud, Eigen::Index node) {
  const auto i = std::size_t(node);
  const std::size_t begin = cloud.first[i], end = cloud.first[i + 1];
  const Vector3 x = cloud.rest.row(node);
  Matrix3 moment = Matrix3::Zero();
  for (std::size_t p = begin; p < end; ++p) {
    const Vector3 edge = Vector3(cloud.rest.row(cloud.neighbours[p])) - x;
    const double weight = cloud.weights[p];
    cloud.gradients[p] = weight * edge;
    moment += weight * edge * edge.transpose();
  }
  const numerics::SymmetricEigen3 eigen = numerics::symmetric_eigen(moment);
  Matrix3 inverse = Matrix3::Zero(), projection = Matrix3::Zero();
  int rank = 0;
  for (int k = 0; k < 3; ++k) {
    if (!(eigen.values[k] > cloud.rank_threshold * eigen.values[2])) continue;
    const Vector3 direction = eigen.vectors.col(k);
    inverse += direction * direction.transpose() / eigen.values[k];
    projection += direction * direction.transpose();
    ++rank;
  }
  cloud.ranks[i] = rank;
  cloud.projections[i] = rank == 3 ? Matrix3(Matrix3::Identity()) : projection;
  cloud.inverse_moments[i] = inverse;
  for (std::size_t p = begin; p < end; ++p) cloud.gradients[p] = inverse * cloud.gradients[p];
}

void connect(NodeCloud& cloud, const PartedPairs* parted) {
  find_neighbours(cloud);
  if (parted != nullptr && !parted->empty()) leave_out(*parted, cloud);
  set_gradients(cloud);
}

void renew_node_cloud(const Scene& scene, std::vector<double> masses, NodeCloud& cloud, const PartedPairs* parted) {
  const double rank_threshold = cloud.rank_threshold;
  cloud = {};
  cloud.rank_threshold = rank_threshold;
  cloud.rest = scene.rest_positions();
  set_supports(scene, 0.0, cloud);
  set_materials(scene, cloud);
  connect(cloud, parted);
  cloud.masses = std::move(masses);
  set_volumes(cloud);
}

NodeCloud make_node_cloud(const Scene& scene, const CloudOptions& options) {
  NodeCloud cloud;
  cloud.rank_threshold = options.rank_threshold;
  cloud.rest = scene.rest_positions();
  set_supports(scene, options.support_factor, cloud);
  set_materials(scene, cloud);
  connect(cloud);
  set_masses(scene, options.masses, cloud);
  return cloud;
}

}  // namespace deformbench::meshless
