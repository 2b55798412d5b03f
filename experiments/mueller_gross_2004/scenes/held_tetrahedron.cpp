// SPDX-License-Identifier: BSD-3-Clause
// One tetrahedron whose four vertices follow a given strain exactly: x = X + s(t) ε X with symmetric ε, so that its
// rotation is the identity and the material response is isolated (closed form `held_strain_creep`, erratum B-IVM-4).
#include <Eigen/Geometry>

#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"

namespace deformbench::scenes {
namespace {

/// Unit strain of a kind in its own axes: largest entry 1 (engineering shear 1 for "shear").
Matrix3 unit_strain(const std::string& kind) {
  Matrix3 strain = Matrix3::Zero();
  if (kind == "uniaxial") strain(0, 0) = 1.0;
  if (kind == "hydrostatic") strain.setIdentity();
  if (kind == "shear") strain(0, 1) = strain(1, 0) = 0.5;
  return strain;
}

}  // namespace

SceneDescriptor held_tetrahedron() {
  return {
      "held_tetrahedron",
      "One tetrahedron whose vertices are held on a given strain, without rotation.",
      {positive_parameter("edge_m", "m", 0.1, "Length of the three edges at right angles."),
       choice_parameter("strain_kind", "uniaxial", {"uniaxial", "shear", "hydrostatic"},
                        "Extension along x, pure shear of x and y, or the same in all directions."),
       real_parameter("strain", "1", 0.1, "Extension; for shear the angle γ."),
       real_parameter("orientation_deg", "deg", 0.0, "Angle about z by which the strain is turned in the material."),
       non_negative_parameter("ramp_s", "s", 0.0, "Time over which the strain grows; 0: there from the start."),
       positive_parameter("young_modulus_pa", "Pa", 1e5, "Young's modulus."), poisson_parameter(0.33),
       positive_parameter("density_kg_m3", "kg/m^3", 1000.0, "Density."),
       positive_parameter("time_step_s", "s", 0.01, "Time step.")},
      [](const Parameters& p) {
        Scene scene;
        scene.name = "held_tetrahedron";
        Points& rest = scene.tet_mesh.rest_positions;
        rest.resize(4, 3);
        rest << 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1;
        rest *= p.real("edge_m");
        scene.tet_mesh.tetrahedra.resize(1, 4);
        scene.tet_mesh.tetrahedra << 0, 1, 2, 3;
        scene.materials = {material_of(p)};
        scene.time_step = p.real("time_step_s");

        const Matrix3 turn = Eigen::AngleAxisd(radians(p.real("orientation_deg")), Vector3::UnitZ()).toRotationMatrix();
        const Matrix3 strain = p.real("strain") * turn * unit_strain(p.text("strain_kind")) * turn.transpose();
        const Points displacement = rest * strain;  // ε is symmetric
        for (int v = 0; v < 4; ++v) {
          model::PrescribedMotion held;
          held.vertices = {v};
          held.translation = displacement.row(v);
          held.ramp = ramp_over(p.real("ramp_s"));
          scene.prescribed.push_back(std::move(held));
        }
        if (p.real("ramp_s") == 0.0) scene.initial_positions = rest + displacement;
        return scene;
      }};
}

}  // namespace deformbench::scenes
