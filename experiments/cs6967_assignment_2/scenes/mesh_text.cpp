// SPDX-License-Identifier: BSD-3-Clause
// A free body with its mesh given as text of a mesh file, to test the readers and writer–reader round trips.
// Unreadable text is bad input.
#include "experiments/scenes/scene_parameters.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/mesh_files/mesh_files.hpp"

namespace deformbench::scenes {

SceneDescriptor mesh_text() {
  ParameterInfo text{"text", "", std::string("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nt 0 1 2 3\n"),
                     "Content of a file .mesh: the assignment's lines, MEDIT, or a format of Netgen."};
  return {"mesh_text",
          "A free body whose mesh is the content of a file.",
          {text, ParameterInfo{"title", "", std::string("a tetrahedron"), "What the text is, for labels."},
           choice_parameter("through", "nothing", {"nothing", "assignment", "medit"},
                            "Format that the mesh is written in and read from again."),
           positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."), poisson_parameter(0.33),
           positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
           positive_parameter("time_step_s", "s", 0.001, "Time step.")},
          [](const Parameters& p) {
            Scene scene;
            scene.name = "mesh_text";
            scene.tet_mesh = model::read_dot_mesh("text", p.text("text")).mesh;
            if (const std::string& through = p.text("through"); through != "nothing") {
              const auto format = through == "medit" ? model::DotMesh::Medit : model::DotMesh::AssignmentText;
              scene.tet_mesh = model::read_dot_mesh("written", model::dot_mesh_text(scene.tet_mesh, format)).mesh;
            }
            scene.materials = {material_of(p)};
            scene.time_step = p.real("time_step_s");
            return scene;
          }};
}

}  // namespace deformbench::scenes
