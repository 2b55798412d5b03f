// SPDX-License-Identifier: BSD-3-Clause
// One free tetrahedron that starts scaled about its centre, or with randomly displaced vertices. If regular, scaling
// excites the pure dilation mode with ω² = 9 V K / Σ m r² (closed form `regular_tetrahedron_modes`).
#include <cmath>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor single_tetrahedron() {
  return {"single_tetrahedron",
          "One free tetrahedron, scaled about its centre at the start.",
          {choice_parameter("shape", "regular", {"regular", "corner"},
                            "Regular, or a corner of a cube with three edges at right angles."),
           positive_parameter("edge_m", "m", 0.1414213562373095, "Edge; for a corner one of the equal three."),
           vector_parameter("initial_scale", "1", {1.001, 1.001, 1.001}, "Factors on x, y, z at the start."),
           non_negative_parameter("noise_m", "m", 0.0, "Standard deviation of the displacement of every coordinate."),
           seed_parameter("Seed of the displacements."),
           positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."), poisson_parameter(0.33),
           positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
           positive_parameter("time_step_s", "s", 1e-3, "Time step.")},
          [](const Parameters& p) {
            Scene scene;
            scene.name = "single_tetrahedron";
            Points& rest = scene.tet_mesh.rest_positions;
            rest.resize(4, 3);
            if (p.text("shape") == "regular") {
              rest << 1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1;
              rest *= p.real("edge_m") / std::sqrt(8.0);
            } else {
              rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
              rest *= p.real("edge_m");
            }
            const Vector3 centre = rest.colwise().mean();
            rest.rowwise() -= centre.transpose();
            scene.tet_mesh.tetrahedra.resize(1, 4);
            scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
            if (model::total_volume(scene.tet_mesh, rest) < 0) scene.tet_mesh.tetrahedra << 0, 1, 3, 2;
            scene.materials = {material_of(p)};
            scene.time_step = p.real("time_step_s");
            scene.initial_positions = rest * vector_of(p, "initial_scale").asDiagonal();
            scene.initial_positions += normal_points(p, 1, 4, p.real("noise_m"));
            return scene;
          }};
}

}  // namespace deformbench::scenes
