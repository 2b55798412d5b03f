// SPDX-License-Identifier: BSD-3-Clause
// The constraints of [MHHR07] with their gradients, one object each: those that a scene states, and those of a mesh
// where no sweep carries them out.
#pragma once

#include <memory>

#include "methods/model/position_constraint.hpp"
#include "methods/pbd/constraint.hpp"
#include "methods/pbd/pbd_options.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// The constraint of a scene, with its stiffness, compliance and type. `angle` is for ConstraintKind::Bend, whose rest
/// value is signed: as printed its constraint is arccos(n1·n2) − (π − |rest|), as flat is π there (B-PBD-3).
std::unique_ptr<Constraint> make_constraint(const model::PositionConstraint& constraint, BendAngle angle);

/// [MHHR07] eq. 13, 14: C = Σ (p1 × p2)·p3 − k_pressure V0 over a closed component; cardinality: all of its vertices.
/// Unit m³, six times a volume. `pressure_volume` says what V0 is.
std::unique_ptr<Constraint> make_volume_constraint(const VolumeConstraint& volume, double pressure,
                                                   PressureVolume pressure_volume);

}  // namespace deformbench::pbd
