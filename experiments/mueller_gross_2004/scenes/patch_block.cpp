// SPDX-License-Identifier: BSD-3-Clause
// The patch test: an irregular block whose boundary is moved by u = G x + b. Every consistent
// method puts the interior on the same affine map.
#include "experiments/scenes/block.hpp"
#include "experiments/scenes/scene_registry.hpp"
#include "methods/model/boundary_surface.hpp"

namespace deformbench::scenes {

SceneDescriptor patch_block() {
  BlockDefaults defaults;
  defaults.length = defaults.side = 1.0;
  defaults.cells_across = 3;
  defaults.split = "kuhn_six";
  defaults.jitter = 0.2;
  ParameterInfo gradient{"displacement_gradient", "1", std::vector<double>{1e-3, 0, 0, 0, 0, 0, 0, 0, 0},
                         "G, row by row: the boundary moves by u = G x + b."};
  gradient.length = 9;
  return {"patch_block", "An irregular block whose whole boundary is moved by an affine displacement.",
          block_parameters(defaults, {gradient, vector_parameter("translation_m", "m", {0, 0, 0}, "b."),
                                      choice_parameter("start", "rest", {"rest", "affine"},
                                                       "Free vertices start at rest, or on the affine map.")}),
          [](const Parameters& p) {
            Scene scene = build_block("patch_block", p, BlockPlace::CentredAtOrigin);
            using RowMajor3 = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;
            const Matrix3 gradient_matrix = Eigen::Map<const RowMajor3>(p.list("displacement_gradient").data());
            const auto& rest = scene.tet_mesh.rest_positions;
            Points moved = rest + rest * gradient_matrix.transpose();
            moved.rowwise() += vector_of(p, "translation_m").transpose();
            model::PrescribedMotion boundary;
            boundary.vertices = model::boundary_vertices(scene.tet_mesh);
            boundary.targets = moved(boundary.vertices, Eigen::all);
            scene.vertex_sets["boundary"] = boundary.vertices;
            if (p.text("start") == "affine") scene.initial_positions = moved;
            scene.prescribed.push_back(std::move(boundary));
            return scene;
          }};
}

}  // namespace deformbench::scenes
