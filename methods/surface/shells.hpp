// SPDX-License-Identifier: BSD-3-Clause
// The shells of a closed surface, parts that hang together, and which way round each has to be. Internal to
// methods/surface.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "methods/model/triangle_mesh.hpp"

namespace deformbench::surface {

struct Shells {
  std::vector<int> of_triangle;     ///< number of the shell of every triangle
  std::vector<int> first_triangle;  ///< of every shell
  std::vector<int> triangle_count;  ///< of every shell
  int count() const { return int(first_triangle.size()); }
};

/// Triangles are of one shell when a chain of common vertices joins them; numbered by their first triangle.
Shells shells_of(const model::TriangleMesh& mesh);

/// How many other shells a shell lies in decides its sign: 0, 2, … deep it bounds a body and turns outwards, 1, 3, …
/// deep it bounds a cavity and turns inwards. A shell that meets another (`contacts`, pairs of triangles) is neither in
/// it nor round it. Turns over the shells that are the other way round and returns a warning that names them, "" when
/// there are none. Throws InputError, beginning with `place`, when all of them are ("inside out"), or when a shell
/// encloses nothing.
std::string orient_by_depth(model::TriangleMesh& mesh, const std::vector<std::array<int, 2>>& contacts,
                            const std::string& place);

}  // namespace deformbench::surface
