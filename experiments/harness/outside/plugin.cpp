// SPDX-License-Identifier: BSD-3-Clause
#include "methods/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstring>
#include <iostream>

#include "experiments/harness/cells/fingerprint.hpp"
#include "experiments/harness/files/hash.hpp"
#include "experiments/harness/outside/outside_methods.hpp"
#include "experiments/harness/trace/contained.hpp"
#include "experiments/harness/trace/floating_point.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;

constexpr double kLoadSeconds = 2;  // processor time; ten times that on the wall clock

[[noreturn]] void refuse(const fs::path& file, const std::string& why) {
  throw InputError(fmt::format("--plugin {}: {}", file.string(), why));
}

/// Opens the library, compares the stamps and registers its methods. It is never closed: its code stays in use.
void register_from(const fs::path& file, Registry& registry) {
  // Absolute path: dlopen searches the system's folders for a bare name.
  void* library = dlopen(fs::absolute(file).c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) refuse(file, fmt::format("cannot be loaded ({})", dlerror()));
  const auto abi = reinterpret_cast<PluginAbiFunction*>(dlsym(library, kPluginAbiSymbol));
  const auto add = reinterpret_cast<PluginRegisterFunction*>(dlsym(library, kPluginRegisterSymbol));
  if (abi == nullptr || add == nullptr)
    refuse(file, "has no methods for deformbench, expected a library with DEFORMBENCH_PLUGIN (methods/plugin.hpp)");
  if (std::strcmp(abi(), kPluginAbi) != 0)
    refuse(file, fmt::format("is built for \"{}\", expected \"{}\"; build it again against this deformbench", abi(),
                             kPluginAbi));
  try {
    add(registry);
  } catch (const std::exception& error) {
    refuse(file, fmt::format("its methods cannot be registered: {}", error.what()));
  } catch (...) {
    refuse(file, "its methods cannot be registered: it throws something that is no std::exception");
  }
}

}  // namespace

void load_plugin(const fs::path& file, Registry& registry) {
  if (!fs::is_regular_file(file)) refuse(file, "is no file, expected a shared library");
  // Loading runs code of the library: try it in a child first, so that a crash becomes a one-line error.
  try {
    contained(file,
              [&] {
                Registry copy = registry;
                register_from(file, copy);
                return std::string();
              },
              kLoadSeconds, {"loading it takes", "crashes when it is loaded", "ends the process that loads it"});
  } catch (const HarmfulFile& error) {
    refuse(file, error.why);
  }
  const auto fingerprint_now = [file = fs::absolute(file)] { return xxh3_128_of_file(file); };
  const std::string fingerprint = fingerprint_now();  // before loading: later changes are detected at the end of a cell
  const std::size_t before = registry.all().size();
  register_from(file, registry);
  if (const std::string changes = restore_floating_point(); !changes.empty())  // built with -Ofast, say
    std::cerr << fmt::format("note: --plugin {}: once loaded it {}; the default is restored\n", file.string(), changes);
  if (registry.all().size() == before) refuse(file, "adds no method, expected at least one");
  for (std::size_t i = before; i < registry.all().size(); ++i)
    declare_fingerprint(registry.all()[i].id, fingerprint, fingerprint_now);
}

}  // namespace deformbench::harness
