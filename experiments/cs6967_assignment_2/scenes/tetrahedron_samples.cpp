// SPDX-License-Identifier: BSD-3-Clause
// Disjoint tetrahedra of random shape and place, so that the force on a vertex comes from one element. Their edge
// matrices are U diag(1, κ^−a, κ^−1) V with random rotations U and V, log κ and a uniform: from a cube's corner to
// needles and slivers.
#include <algorithm>
#include <cmath>

#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/numerics/random.hpp"

namespace deformbench::scenes {

SceneDescriptor tetrahedron_samples() {
  ParameterInfo number{"count", "1", 40LL, "Number of tetrahedra."};
  number.minimum = 1;
  number.maximum = 1e6;
  ParameterInfo condition =
      real_parameter("largest_condition", "1", 10.0, "Largest condition number of an element's matrix of rest edges.");
  condition.minimum = 1.0;
  return {"tetrahedron_samples",
          "Tetrahedra of random shape that share no vertex.",
          {number, positive_parameter("size_m", "m", 1.0, "Largest singular value of an element's matrix of edges."),
           condition, vector_parameter("rest_offset_m", "m", {0, 0, 0}, "Middle of the cube that they lie in."),
           seed_parameter("Seed of shapes and places."),
           positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."), poisson_parameter(0.33),
           positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
           positive_parameter("time_step_s", "s", 0.001, "Time step.")},
          [](const Parameters& p) {
            Scene scene;
            scene.name = "tetrahedron_samples";
            const Eigen::Index count = p.integer("count");
            const double size = p.real("size_m"), log_condition = std::log(p.real("largest_condition"));
            scene.tet_mesh.rest_positions.resize(4 * count, 3);
            scene.tet_mesh.tetrahedra.resize(count, 4);
            for (Eigen::Index e = 0; e < count; ++e) {
              numerics::RandomStream random(std::uint64_t(p.integer("seed")), std::uint64_t(e));
              const double slope = random.uniform() * log_condition, middle = random.uniform();
              const Vector3 singular = size * Vector3(1.0, std::exp(-middle * slope), std::exp(-slope));
              const Matrix3 u = random.rotation(), v = random.rotation();
              const Matrix3 edges = u * singular.asDiagonal() * v;
              Vector3 corner = vector_of(p, "rest_offset_m");
              for (int k = 0; k < 3; ++k) corner[k] += random.uniform(-5.0, 5.0) * size;
              // The base corner of the edges is random; a cyclic shift of the four corners by two preserves
              // orientation.
              const int first = 2 * int(random.below(2)), turn = int(random.below(3));
              for (int k = 0; k < 4; ++k) {
                const int at = k == 0 ? 0 : 1 + (k - 1 + turn) % 3;
                const Eigen::Index row = 4 * e + (at + first) % 4;
                scene.tet_mesh.rest_positions.row(row) = corner.transpose();
                if (k > 0) scene.tet_mesh.rest_positions.row(row) += edges.col(k - 1).transpose();
                scene.tet_mesh.tetrahedra(e, k) = int(4 * e + k);
              }
            }
            scene.materials = {material_of(p)};
            scene.time_step = p.real("time_step_s");
            return scene;
          }};
}

}  // namespace deformbench::scenes
