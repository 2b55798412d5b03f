// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace deformbench::harness {

/// The known names near `name` by edit distance (at most a third differs), or, when there are none, those of which one
/// contains the other; the nearest first, at most five.
std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known);

/// `; did you mean "x"?`, or, when nothing is near, ` (known: a, b, c)` where that is short, else the five nearest; at
/// most some 300 characters. `listing` is the command that shows all, such as "deformbench list methods".
std::string suggestion(const std::string& name, const std::vector<std::string>& known, const std::string& listing = "");

/// Lower case letters, digits and underscores, at least one: what scenes, papers and methods are called.
bool is_plain_name(const std::string& text);

}  // namespace deformbench::harness
