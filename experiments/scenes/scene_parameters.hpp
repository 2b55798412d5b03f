// SPDX-License-Identifier: BSD-3-Clause
// Helpers for declaring and reading scene parameters.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "methods/model/material.hpp"
#include "methods/model/scene.hpp"
#include "methods/model/types.hpp"
#include "methods/parameters.hpp"

namespace deformbench::scenes {

ParameterInfo vector_parameter(std::string name, std::string unit, Vector3 default_value, std::string doc);
ParameterInfo seed_parameter(std::string doc);
Vector3 vector_of(const Parameters& parameters, const std::string& name);
/// poisson_ratio, in −1 < ν < 0.5.
ParameterInfo poisson_parameter(double default_value);
/// From young_modulus_pa, poisson_ratio (0 if not declared) and density_kg_m3.
model::Material material_of(const Parameters& parameters);

/// `bounded`: false for experiments whose own measurements detect divergence (e.g. energy above the supplied energy).
ParameterInfo bounded_parameter();
/// Removes all divergence bounds if `bounded` is false.
void lift_bounds(const Parameters& parameters, Scene& scene);

double radians(double degrees);

/// n×3 normally distributed entries with this standard deviation. `stream` separates uses of one seed.
Points normal_points(const Parameters& parameters, std::uint64_t stream, Eigen::Index rows, double deviation);

}  // namespace deformbench::scenes
