// SPDX-License-Identifier: BSD-3-Clause
// The section "expect" of a declaration. Internal to the expansion.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"

namespace deformbench::harness {

/// Writes the expected end into every cell: the first matching entry of `expectations` applies. Throws InputError
/// `<where>/expect/…` for a path that no cell has (unless `may_lack_paths`, when only some methods are selected) and
/// for invalid or empty bounds.
void apply_expectations(const nlohmann::json& expectations, std::vector<Cell>& cells, const std::string& where,
                        bool may_lack_paths);

/// For a method missing from this build: the expected end is `unsupported`, whatever is declared.
void expect_not_built(Cell& cell, const MethodDescriptor& method);

}  // namespace deformbench::harness
