// SPDX-License-Identifier: BSD-3-Clause
// The place of a new node between two of a front. [PKAGDG05] §3.2
#pragma once

#include "methods/meshless/cracks/crack_types.hpp"

namespace deformbench::meshless {

/// The middle, by chord length, of the piece of a cubic spline between the nodes `left` and the next one. The spline
/// goes through up to four nodes on either side, of a closed front around it again where it has fewer, and has no
/// curvature at its ends.
Vector3 spline_middle(const AdvancingFront& front, std::size_t left);

/// Unit tangent (c_{i+1} − c_{i−1}) / |…| with c_0 = c_1 and c_{n+1} = c_n of an open front; zero where the two
/// coincide. [PKAGDG05] §3.2
Vector3 front_tangent(const AdvancingFront& front, std::size_t node);

}  // namespace deformbench::meshless
