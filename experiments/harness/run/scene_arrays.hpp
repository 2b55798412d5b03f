// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "experiments/harness/trace/trace_writer.hpp"
#include "methods/model/scene.hpp"

namespace deformbench::harness {

/// /scene of the trace: rest positions, masses, connectivity, vertex sets, skin, prescribed vertices, explicit
/// constraints, rigid bodies as triangles in their own frames, attachments, planes.
void write_scene_arrays(TraceWriter& writer, const Scene& scene);

}  // namespace deformbench::harness
