// SPDX-License-Identifier: BSD-3-Clause
// Frame arrays of pieces and their contacts.
#pragma once

#include <string>
#include <vector>

#include "methods/facets.hpp"
#include "methods/meshless/contact/body_contact.hpp"

namespace deformbench::meshless {

std::vector<std::string> contact_array_names();
/// `contact` may be null. Throws std::invalid_argument.
MethodArray contact_array(const std::string& name, const NodeCloud& cloud, const SurfelMotion& motion,
                          const BodyContact* contact);

}  // namespace deformbench::meshless
