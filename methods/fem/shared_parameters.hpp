// SPDX-License-Identifier: BSD-3-Clause
// Parameters shared by several methods of this folder.
#pragma once

#include <string>

#include "methods/fem/body/contact.hpp"
#include "methods/fem/body/linear_system.hpp"
#include "methods/fem/body/obstacle_potential.hpp"
#include "methods/fem/fracture/fracture.hpp"
#include "methods/method.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

void add_solver_parameters(ParameterSpec& spec, bool is_symmetric);
/// `tolerance`: the value meant by cg_tolerance 0.
LinearSolverOptions solver_options(const Parameters& parameters, double tolerance);

enum class ContactChoice { AfterSolve, WithinSolve };
void add_contact_parameters(ParameterSpec& spec, ContactChoice choice);
ContactRule contact_rule(const Parameters& parameters, ContactRule by_default);
PotentialOptions potential_options(const Parameters& parameters, ContactRule rule);

/// For methods that treat obstacles only by penalty.
void add_penalty_parameters(ParameterSpec& spec);
PotentialOptions penalty_options(const Parameters& parameters);

/// Adds iterations (default: `iterations`; `iteration` describes them), substeps, tolerance and on_unconverged.
void add_descent_parameters(ParameterSpec& spec, const std::string& iteration, long long iterations);

void add_fracture_parameters(ParameterSpec& spec);
/// The parameters must name a kind of fracture.
FractureOptions fracture_options(const Parameters& parameters);

/// Support common to all methods of finite elements. `is_direct`: their linear systems are factorised.
Support fem_support(const Scene& scene, bool is_direct, bool takes_meshes = false);

}  // namespace deformbench::fem
