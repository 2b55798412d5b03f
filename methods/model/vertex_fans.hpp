// SPDX-License-Identifier: BSD-3-Clause
// The triangles around a vertex, grouped by connection through edges at that vertex. Internal to the mesh checks.
#pragma once

#include <vector>

#include "methods/model/mesh_checks.hpp"

namespace deformbench::model {

/// Adds a finding for every vertex whose triangles form several fans.
void check_fans(Eigen::Index vertex_count, const Triangles& triangles, const char* triangle_name,
                std::vector<Finding>& findings);

}  // namespace deformbench::model
