// SPDX-License-Identifier: BSD-3-Clause
#include "methods/pbd/pbd_simulation.hpp"

#include <algorithm>
#include <cmath>

#include "methods/pbd/pbd_body.hpp"
#include "methods/pbd/tearing_body.hpp"

namespace deformbench::pbd {

PbdOptions small_steps_for(const Scene& scene, PbdOptions options) {
  if (options.substeps > 0) return options;
  options.substeps = 1;
  if (options.order != SweepOrder::Symmetric || options.warm_start) return options;
  const model::TetMesh& mesh = scene.tet_mesh;
  std::vector<double> times;  // s, for the height over the largest face
  for (Eigen::Index e = 0; e < mesh.element_count(); ++e) {
    double largest = 0.0;
    for (Eigen::Index k = 0; k < 4; ++k) {
      const auto corner = [&](Eigen::Index c) { return mesh.rest_positions.row(mesh.tetrahedra(e, (k + c) % 4)); };
      const Vector3 a = corner(1) - corner(0), b = corner(2) - corner(0);
      largest = std::max(largest, 0.5 * a.cross(b).norm());
    }
    const model::Material& material = scene.material_of(e);
    const double nu = material.poisson_ratio;
    const double modulus = material.young_modulus * (1 - nu) / ((1 + nu) * (1 - 2 * nu));  // λ + 2μ
    const double height = 3.0 * model::tetrahedron_volume(mesh, mesh.rest_positions, e) / largest;
    times.push_back(height / std::sqrt(modulus / material.density));
  }
  if (times.empty()) return options;
  std::nth_element(times.begin(), times.begin() + std::ptrdiff_t(times.size() / 2), times.end());
  const double steps = std::ceil(2.0 * scene.time_step / times[times.size() / 2]);
  options.substeps = int(std::clamp(steps, double(options.iterations), 1e6));
  options.iterations = 1;
  return options;
}

std::unique_ptr<Simulation> make_pbd_simulation(const Scene& scene, const PbdOptions& given, const RunContext& context,
                                                std::vector<std::unique_ptr<Constraint>> own) {
  const PbdOptions options = small_steps_for(scene, given);
  if (options.tear_stretch > 0.0 && scene.cloth.triangle_count() > 0)
    return std::make_unique<TearingBody>(scene, options, context, std::move(own));
  return std::make_unique<PbdBody>(scene, options, context, std::move(own));
}

}  // namespace deformbench::pbd
