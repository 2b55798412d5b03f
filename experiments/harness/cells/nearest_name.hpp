// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace deformbench::harness {

/// The known name with the smallest edit distance to `name`, or "" when none is near (at most a third differs).
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

/// `; did you mean "x"?` or, when nothing is near, ` (known: a, b, c)`.
std::string suggestion(const std::string& name, const std::vector<std::string>& known);

/// Lower case letters, digits and underscores, at least one: what scenes, papers and methods are called.
bool is_plain_name(const std::string& text);

}  // namespace deformbench::harness
