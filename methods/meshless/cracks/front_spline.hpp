// SPDX-License-Identifier: BSD-3-Clause
// Position of a new node between two nodes of a front. [PKAGDG05] §3.2
#pragma once

#include "methods/meshless/cracks/crack_types.hpp"

namespace deformbench::meshless {

/// Natural cubic spline parametrised by chord length, halfway from node `left` to the next. Uses up to four nodes on
/// either side; on a closed front with fewer, some repeatedly.
Vector3 spline_middle(const AdvancingFront& front, std::size_t left);

/// Unit tangent (c_{i+1} − c_{i−1}) / |…|, with c_0 = c_1 and c_{n+1} = c_n for open fronts; zero if both coincide.
/// [PKAGDG05] §3.2
Vector3 front_tangent(const AdvancingFront& front, std::size_t node);
/// n × t of the node.
Vector3 outwards(const AdvancingFront& front, std::size_t node);
/// v / |v|; zero if v is.
Vector3 unit(const Vector3& v);

}  // namespace deformbench::meshless
