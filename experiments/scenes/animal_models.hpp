// SPDX-License-Identifier: BSD-3-Clause
// What the scenes with animals share: surfaces by name, built in or from the user's folder, in cells of tetrahedra.
#pragma once

#include <filesystem>
#include <string>

#include "experiments/scenes/block.hpp"
#include "methods/model/triangle_mesh.hpp"

namespace deformbench::scenes {

bool is_stand_in(const std::string& model);

/// Scales about the origin so that the longest extent is `length` (m); returns the factor.
double scale_to(model::TriangleMesh& mesh, double length);

/// A surface file: absolute, or in the folder that DEFORMBENCH_MODELS names; ".obj" may be left out. InputError naming
/// the built-in models where there is no such folder.
std::filesystem::path model_file(const std::string& model, const std::string& scene);

/// A closed surface of that name, scaled to `length` (m): a stand-in with `triangles` triangles (0: the paper's), or a
/// file, whose vertices shared by several fans are split with a warning, or refused if `strict`.
model::TriangleMesh animal_surface(const std::string& model, int triangles, double length, bool strict,
                                   const std::string& scene);

/// model, triangles, length_m, cell_size_m, tetrahedra, lattice, strict.
ParameterSpec animal_parameters(const std::string& default_model);
/// Young's modulus, Poisson's ratio, density, time step, with the paper's values.
ParameterSpec animal_material_parameters();

/// The scene with that skin in cells of tetrahedra, material, gravity_m_s2 and time step; warnings go to stderr.
Scene animal_scene(const std::string& name, const Parameters& parameters, model::TriangleMesh skin);

}  // namespace deformbench::scenes
