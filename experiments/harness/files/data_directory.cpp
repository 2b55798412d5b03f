// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/files/data_directory.hpp"

#include <unistd.h>

#include <cctype>
#include <cstdlib>

#include "experiments/harness/trace/provenance.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;

bool holds_data(const fs::path& folder) {
  return fs::exists(folder / "experiments" / "harness" / "schema" / "declaration.schema.json");
}

const char* package_data = "";  // set before main by executables built against the package

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace

void name_package_data(const char* folder) {
  package_data = folder;
}

fs::path data_directory() {
  if (const char* set = std::getenv("DEFORMBENCH_DATA"); set != nullptr && *set != '\0') {
    if (!holds_data(set)) {
      throw InputError("DEFORMBENCH_DATA=" + std::string(set) +
                       ": holds no experiments/harness/schema/declaration.schema.json");
    }
    return fs::absolute(set);
  }
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  const fs::path beside = executable.parent_path().parent_path() / "share" / "deformbench";
  const fs::path package = package_data;
  for (const fs::path& folder :
       {beside, package, fs::path(DEFORMBENCH_BUILT_FROM), fs::path(DEFORMBENCH_INSTALLED_DATA)}) {
    if (!folder.empty() && holds_data(folder)) return folder;
  }
  throw InputError("the project's data were not found in " + beside.string() +
                   (package.empty() ? "" : ", " + package.string()) +
                   ", " DEFORMBENCH_BUILT_FROM " or " DEFORMBENCH_INSTALLED_DATA
                   "; expected DEFORMBENCH_DATA to name the folder that holds "
                   "experiments/ and reference_data/");
}

std::string python_of_analysis() {
  const char* set = std::getenv("DEFORMBENCH_PYTHON");
  return set != nullptr && *set != '\0' ? set : "/usr/bin/python3";
}

std::string sanitised_name(const std::string& text) {
  std::string name;
  for (const char raw : replaced(replaced(text, "(R)", ""), "(TM)", "")) {
    const unsigned char c = static_cast<unsigned char>(raw);
    if (std::isalnum(c)) {
      name += char(std::tolower(c));
    } else if (!name.empty() && name.back() != '_') {
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  return name;
}

std::string machine_name() {
  if (const char* set = std::getenv("DEFORMBENCH_MACHINE"); set != nullptr && *set != '\0') {
    return sanitised_name(set);
  }
  if (const std::string name = processor_name(); name != "unknown") return sanitised_name(name);
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  const std::string name = sanitised_name(host);
  return name.empty() ? "unknown" : name;
}

}  // namespace deformbench::harness
