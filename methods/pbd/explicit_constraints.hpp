// SPDX-License-Identifier: BSD-3-Clause
// Constraints of [MHHR07] as objects with gradients: those stated by a scene, and mesh constraints that no sweep
// handles.
#pragma once

#include <memory>

#include "methods/model/position_constraint.hpp"
#include "methods/pbd/constraint.hpp"
#include "methods/pbd/options/pbd_options.hpp"
#include "methods/pbd/sweeps/mesh_constraints.hpp"

namespace deformbench::pbd {

/// A constraint of the scene with its stiffness, compliance and type. `angle` applies to ConstraintKind::Bend, whose
/// rest value is signed; the printed constraint is arccos(n1·n2) − (π − |rest|), since flat is π there (B-PBD-3).
std::unique_ptr<Constraint> make_constraint(const model::PositionConstraint& constraint, BendAngle angle);

/// [MHHR07] eq. 13, 14: C = Σ (p1 × p2)·p3 − k_pressure V0 over a closed component; cardinality: all its vertices. C is
/// six times a volume (m³). `pressure_volume` selects V0.
std::unique_ptr<Constraint> make_volume_constraint(const VolumeConstraint& volume, double pressure,
                                                   PressureVolume pressure_volume);

}  // namespace deformbench::pbd
