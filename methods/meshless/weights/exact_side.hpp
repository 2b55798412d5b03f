// SPDX-License-Identifier: BSD-3-Clause
// Exact orientation predicate.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// Exact sign (−1, 0, 1) of det[b − a, c − a, d − a] for finite points: double-precision filter with integers of
/// arbitrary length as fallback.
int exact_side(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

}  // namespace deformbench::meshless
