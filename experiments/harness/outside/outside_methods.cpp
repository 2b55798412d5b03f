// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/outside_methods.hpp"

#include <fmt/format.h>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/outside/program_method.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

OutsideMethods OutsideMethods::taken_from(std::vector<std::string>& arguments) {
  OutsideMethods found;
  while (arguments.size() >= 2) {
    const std::string& option = arguments[arguments.size() - 2];
    if (option != "--plugin" && option != "--program") break;
    auto& list = option == "--plugin" ? found.plugins : found.programs;
    list.insert(list.begin(), arguments.back());
    arguments.resize(arguments.size() - 2);
  }
  return found;
}

Registry with_outside_methods(const Registry& built_in, const OutsideMethods& outside, OutsideIds* ids) {
  Registry registry = built_in;
  for (const std::string& file : outside.plugins) {
    const std::size_t before = registry.all().size();
    load_plugin(file, registry);
    for (std::size_t i = before; ids != nullptr && i < registry.all().size(); ++i)
      ids->options[registry.all()[i].id] = {"--plugin", file};
  }
  for (const std::string& command : outside.programs) {
    Program program = described_program(command);
    declare_fingerprint(program.descriptor.id, program.fingerprint, program.fingerprint_now);
    if (ids != nullptr) {
      ids->programs.push_back(program.descriptor.id);
      ids->options[program.descriptor.id] = {"--program", command};
    }
    try {
      registry.add(std::move(program.descriptor));
    } catch (const InputError& error) {
      throw InputError(fmt::format("--program {}: {}; \"id=command\" gives it another id", command, error.what()));
    }
  }
  return registry;
}

}  // namespace deformbench::harness
