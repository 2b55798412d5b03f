// SPDX-License-Identifier: BSD-3-Clause
// One degree of freedom: three vertices of a tetrahedron are fixed, the fourth is pulled away from them along x.
// With ν = 0 its only strain is ε_xx = displacement / 1 m, without rotation: a spring k = E V / h² = E/6 m with the
// mass ρ/24 m³ (erratum B-IVM-1; reference creeping_bar).
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {

SceneDescriptor loaded_tetrahedron() {
  return {
      "loaded_tetrahedron",
      "A tetrahedron of one degree of freedom that is pulled, held and released.",
      {real_parameter("force_n", "N", 10.0, "Force on the free vertex along x, from the start."),
       non_negative_parameter("hold_s", "s", 1.0, "Steps that end by then feel the force; 0: all do."),
       positive_parameter("young_modulus_pa", "Pa", 600.0, "Young's modulus: six times the spring constant, in N/m."),
       positive_parameter("density_kg_m3", "kg/m^3", 0.24, "Density: 24 times the mass, in kg."),
       positive_parameter("time_step_s", "s", 0.01, "Time step.")},
      [](const Parameters& p) {
        Scene scene;
        scene.name = "loaded_tetrahedron";
        scene.tet_mesh.rest_positions.resize(4, 3);
        // The foot of the height lies in the fixed triangle: its right angle.
        scene.tet_mesh.rest_positions << 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0;
        scene.tet_mesh.tetrahedra.resize(1, 4);
        scene.tet_mesh.tetrahedra << 0, 3, 1, 2;
        scene.materials = {material_of(p)};
        scene.time_step = p.real("time_step_s");
        scene.vertex_sets["root"] = {0, 1, 2};
        scene.vertex_sets["tip"] = {3};
        hold(scene, "root");
        scene.point_loads.push_back({3, Vector3(p.real("force_n"), 0, 0), held_for(p.real("hold_s"), scene.time_step)});
        return scene;
      }};
}

}  // namespace deformbench::scenes
