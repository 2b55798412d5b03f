// SPDX-License-Identifier: BSD-3-Clause
// On which side of a plane a point lies, without rounding.
#pragma once

#include "methods/model/types.hpp"

namespace deformbench::meshless {

/// Sign (−1, 0, 1) of det[b − a, c − a, d − a] of finite points, exact: a filter in double precision, and integers of
/// any length where it fails.
int exact_side(const Vector3& a, const Vector3& b, const Vector3& c, const Vector3& d);

}  // namespace deformbench::meshless
