// SPDX-License-Identifier: BSD-3-Clause
// The section "expect" of a declaration. Internal to the expansion.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/harness/cells/declaration.hpp"

namespace deformbench::harness {

/// Writes into every cell how it is expected to end: the first entry of `expectations` that matches holds. Throws
/// InputError `<where>/expect/…` for a path that no cell has (unless `may_lack_paths`: only some methods are selected)
/// and for bounds that are none or leave nothing between them.
void apply_expectations(const nlohmann::json& expectations, std::vector<Cell>& cells, const std::string& where,
                        bool may_lack_paths);

/// Of a method that this build has not: its cell is expected to end `unsupported`, whatever is declared.
void expect_not_built(Cell& cell, const MethodDescriptor& method);

}  // namespace deformbench::harness
