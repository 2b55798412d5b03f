// SPDX-License-Identifier: BSD-3-Clause
// Shared by animal scenes: surfaces by name, built in or from the user's folder, embedded in tetrahedra.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/scenes/block.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

bool is_stand_in(const std::string& model);

/// Scales about the origin so that the longest extent is `length` (m); returns the factor.
double scale_to(model::TriangleMesh& mesh, double length);

/// Path of a surface file: absolute, or relative to $DEFORMBENCH_MODELS, then ".obj" may be omitted. InputError
/// listing the built-in models if that is unset.
std::filesystem::path model_file(const std::string& model, const std::string& scene);

/// The closed surface `model`, scaled to `length` (m): a stand-in with `triangles` triangles (0: the paper's count),
/// or a file; its non-manifold vertices are split with a warning, or rejected if `strict`.
model::TriangleMesh animal_surface(const std::string& model, int triangles, double length, bool strict,
                                   const std::string& scene);

/// model, triangles, length_m, cell_size_m, tetrahedra, lattice, strict.
ParameterSpec animal_parameters(const std::string& default_model);
/// Gravity (default 0), and E, ν, density and time step with the paper's values.
ParameterSpec animal_material_parameters();

/// A scene with `skin` embedded in a tetrahedral mesh, material, gravity_m_s2 and time step; warnings go to stderr.
Scene animal_scene(const std::string& name, const Parameters& parameters, model::TriangleMesh skin);

}  // namespace deformbench::scenes
