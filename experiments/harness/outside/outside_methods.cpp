// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/outside/outside_methods.hpp"

#include <fmt/format.h>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/outside/program_method.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {

std::vector<std::string> OutsideMethods::arguments() const {
  std::vector<std::string> result;
  for (const std::string& file : plugins) result.insert(result.end(), {"--plugin", file});
  for (const std::string& command : programs) result.insert(result.end(), {"--program", command});
  return result;
}

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

Registry with_outside_methods(const Registry& built_in, const OutsideMethods& outside,
                              std::vector<std::string>* program_ids) {
  Registry registry = built_in;
  for (const std::string& file : outside.plugins) load_plugin(file, registry);
  for (const std::string& command : outside.programs) {
    Program program = described_program(command);
    declare_fingerprint(program.descriptor.id, program.fingerprint, program.fingerprint_now);
    if (program_ids != nullptr) program_ids->push_back(program.descriptor.id);
    try {
      registry.add(std::move(program.descriptor));
    } catch (const InputError& error) {
      throw InputError(fmt::format("--program {}: {}; \"id=command\" gives it another id", command, error.what()));
    }
  }
  return registry;
}

}  // namespace deformbench::harness
