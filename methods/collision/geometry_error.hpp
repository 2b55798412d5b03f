// SPDX-License-Identifier: BSD-3-Clause
// Distance of flat triangles from the curved surface that they approximate. [B05] §13
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::collision {

/// Largest sagitta (m) of an arc through two neighbouring triangles: θ h/8 for the angle θ between their normals and
/// the mean h of their heights above the common edge. On a cylinder of radius R whose generators are edges, h apart,
/// it is h²/(8R) to second order in h/R. 0 for a flat surface; at most π h/8, at a sharp fold.
double geometry_error(const Points& positions, const Triangles& triangles);

}  // namespace deformbench::collision
