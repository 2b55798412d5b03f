// SPDX-License-Identifier: BSD-3-Clause
#include "methods/registry.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "methods/model/error.hpp"

namespace deformbench {

namespace {

bool is_snake_case(const std::string& id) {
  const auto allowed = [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_'; };
  return !id.empty() && id[0] >= 'a' && id[0] <= 'z' && std::all_of(id.begin(), id.end(), allowed);
}

}  // namespace

void Registry::add(MethodDescriptor descriptor) {
  if (!is_snake_case(descriptor.id))
    throw InputError(fmt::format("method id '{}': expected lower case letters, digits and underscores", descriptor.id));
  if (contains(descriptor.id)) throw InputError(fmt::format("method '{}' is registered twice", descriptor.id));
  if (!descriptor.not_built.empty()) {
    const std::string refusal = "not built: " + descriptor.not_built;
    descriptor.supports = [refusal](const Scene&, const Parameters&) { return Support::no(refusal); };
    descriptor.create = [refusal, id = descriptor.id](const Scene&, const Parameters&,
                                                      const RunContext&) -> std::unique_ptr<Simulation> {
      throw InputError(fmt::format("method '{}': {}", id, refusal));
    };
  }
  if (!descriptor.supports || !descriptor.create)
    throw InputError(fmt::format("method '{}': `supports` and `create` must be set", descriptor.id));
  methods_.push_back(std::move(descriptor));
}

bool Registry::contains(const std::string& id) const {
  return std::any_of(methods_.begin(), methods_.end(), [&](const auto& m) { return m.id == id; });
}

const MethodDescriptor& Registry::at(const std::string& id) const {
  const auto found = std::find_if(methods_.begin(), methods_.end(), [&](const auto& m) { return m.id == id; });
  if (found != methods_.end()) return *found;
  std::vector<std::string> known;
  for (const auto& m : methods_) known.push_back(m.id);
  throw InputError(fmt::format("method '{}': unknown, expected one of {}", id, fmt::join(known, ", ")));
}

}  // namespace deformbench
