// SPDX-License-Identifier: BSD-3-Clause
// Parameters shared by several methods of this folder.
#pragma once

#include <string>

#include "methods/fem/body/contact.hpp"
#include "methods/fem/body/obstacle_barrier.hpp"
#include "methods/fem/fracture/fracture.hpp"
#include "methods/fem/integrators/linear_system.hpp"
#include "methods/parameters.hpp"

namespace deformbench::fem {

/// `preconditioner`: the default of cg_preconditioner.
void add_solver_parameters(ParameterSpec& spec, const std::string& preconditioner);
/// `tolerance`: the value meant by cg_tolerance 0.
LinearSolverOptions solver_options(const Parameters& parameters, double tolerance);

/// `has_barrier`: whether the method can minimise a step's potential, so that a barrier can be part of it.
void add_contact_parameters(ParameterSpec& spec, bool has_barrier);
ContactRule contact_rule(const Parameters& parameters, bool has_barrier);
BarrierOptions barrier_options(const Parameters& parameters);

void add_fracture_parameters(ParameterSpec& spec);
/// The parameters must name a kind of fracture.
FractureOptions fracture_options(const Parameters& parameters);

}  // namespace deformbench::fem
