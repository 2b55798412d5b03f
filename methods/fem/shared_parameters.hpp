// SPDX-License-Identifier: BSD-3-Clause
// Parameters shared by several methods of this folder.
#pragma once

#include <string>

#include "methods/fem/body/contact.hpp"
#include "methods/fem/body/obstacle_potential.hpp"
#include "methods/fem/fracture/fracture.hpp"
#include "methods/fem/integrators/linear_system.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

/// `preconditioner`: the default of cg_preconditioner.
void add_solver_parameters(ParameterSpec& spec, const std::string& preconditioner);
/// `tolerance`: the value meant by cg_tolerance 0.
LinearSolverOptions solver_options(const Parameters& parameters, double tolerance);

enum class ContactChoice { AfterSolve, WithinSolve };
void add_contact_parameters(ParameterSpec& spec, ContactChoice choice);
/// `is_minimised`: whether the step minimises a potential until it converges, so that a barrier is the default.
ContactRule contact_rule(const Parameters& parameters, bool is_minimised);
PotentialOptions potential_options(const Parameters& parameters);

void add_fracture_parameters(ParameterSpec& spec);
/// The parameters must name a kind of fracture.
FractureOptions fracture_options(const Parameters& parameters);

}  // namespace deformbench::fem
