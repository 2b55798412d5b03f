// SPDX-License-Identifier: BSD-3-Clause
// Checks declarations and scene files against their JSON Schema; the only user of valijson.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace deformbench::harness {

/// Throws InputError `<where>: <JSON pointer>: got <value>, expected <what>` for the first violation, with the
/// nearest known name for an unknown key.
void check_declaration_schema(const nlohmann::json& document, const std::string& where);
void check_scene_schema(const nlohmann::json& document, const std::string& where);

}  // namespace deformbench::harness
