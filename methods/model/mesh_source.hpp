// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace deformbench::model {

/// Origin of a mesh, so that messages can name file and line.
struct MeshSource {
  std::string file = {};                ///< "" when the mesh was not read from a file
  std::vector<int> vertex_lines = {};   ///< line (from 1) of each vertex; empty when unknown, as in binary files
  std::vector<int> element_lines = {};  ///< line (from 1) of each tetrahedron or triangle; empty when unknown
  std::string element_file = {};        ///< file of the elements if different (TetGen); else ""
};

}  // namespace deformbench::model
