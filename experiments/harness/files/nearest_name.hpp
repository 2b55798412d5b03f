// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace deformbench::harness {

/// Known names within edit distance max(2, length / 3), or else names containing `name` or contained in it; nearest
/// first, at most five.
std::vector<std::string> nearest_names(const std::string& name, const std::vector<std::string>& known);

/// `; did you mean "x"?`, or, if none is near, ` (known: a, b, c)` if short, else the five nearest; at most about
/// 300 characters. `listing` is the command that shows all, such as "deformbench list methods".
std::string suggestion(const std::string& name, const std::vector<std::string>& known, const std::string& listing = "");

/// A valid name of a scene, paper or method: lower case letters, digits and underscores, not empty.
bool is_plain_name(const std::string& text);

}  // namespace deformbench::harness
