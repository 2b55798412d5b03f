// SPDX-License-Identifier: BSD-3-Clause
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "experiments/harness/cells/data_directory.hpp"
#include "experiments/harness/commands/commands.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

/// `draws`: of paper_figures, a layer above the analysis; compare is one of both, and draws where it is given methods.
struct AnalysisVerb {
  const char* name;
  bool draws;
};
constexpr std::array kVerbs{
    AnalysisVerb{"measure", false},  AnalysisVerb{"verify", false}, AnalysisVerb{"compare", true},
    AnalysisVerb{"figures", true},   AnalysisVerb{"report", true},  AnalysisVerb{"paraview", false},
    AnalysisVerb{"surfaces", false}, AnalysisVerb{"pack", false},   AnalysisVerb{"new", false}};

bool draws(const std::string& verb) {
  return std::ranges::any_of(kVerbs, [&](const AnalysisVerb& known) { return known.draws && verb == known.name; });
}

}  // namespace

std::vector<std::string> analysis_verbs() {
  std::vector<std::string> names;
  for (const AnalysisVerb& verb : kVerbs) names.emplace_back(verb.name);
  return names;
}

bool is_analysis_verb(const std::string& verb) {
  return std::ranges::any_of(kVerbs, [&](const AnalysisVerb& known) { return verb == known.name; });
}

int analysis_command(const std::vector<std::string>& arguments) {
  const char* set = std::getenv("DEFORMBENCH_PYTHON");
  const std::string python = set != nullptr && *set != '\0' ? set : "/usr/bin/python3";
  const std::filesystem::path data = data_directory();
  std::string path = (data / "analysis").string() + ":" + data.string();
  if (const char* before = std::getenv("PYTHONPATH"); before != nullptr && *before != '\0')
    path += std::string(":") + before;
  setenv("PYTHONPATH", path.c_str(), 1);
  setenv("DEFORMBENCH_DATA", data.c_str(), 1);

  std::vector<std::string> words{python, "-m", draws(arguments.front()) ? "paper_figures" : "deformbench_analysis"};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  throw InputError(python + ": cannot be started (" + std::strerror(errno) +
                   "); expected a Python with h5py, numpy and matplotlib; DEFORMBENCH_PYTHON names another one");
}

}  // namespace deformbench::harness
