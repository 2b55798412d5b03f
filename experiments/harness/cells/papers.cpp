// SPDX-License-Identifier: BSD-3-Clause
#include "experiments/harness/cells/papers.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "experiments/harness/files/data_directory.hpp"
#include "experiments/harness/files/json_text.hpp"
#include "experiments/harness/files/nearest_name.hpp"
#include "methods/model/error.hpp"

namespace deformbench::harness {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kVariable = "DEFORMBENCH_PAPERS";
constexpr const char* kAboutFile = "paper.json";

Paper paper_in(const fs::path& folder) {
  const fs::path file = folder / kAboutFile;
  const json about = load_json(file);
  const json name = about.is_object() ? about.value("paper", json()) : json();
  const std::string text = name.is_string() ? name.get<std::string>() : "";
  if (!is_plain_name(text) || text.front() < 'a') {
    throw InputError(file.string() + ": /paper: got " + shown(name) +
                     ", expected the paper's name: lower case letters, digits and underscores, the first a letter");
  }
  const fs::path declarations = folder / "declarations", as_before = folder / "experiments";
  const bool is_as_before = fs::is_directory(as_before) && !fs::is_directory(declarations);
  return {text, folder, is_as_before ? as_before : declarations, folder / "claims.json"};
}

/// The folder itself if it is a paper, else the papers in it, sorted by name.
std::vector<Paper> papers_below(const fs::path& folder) {
  if (fs::exists(folder / kAboutFile)) return {paper_in(folder)};
  std::vector<Paper> papers;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder))
      if (fs::exists(entry.path() / kAboutFile)) papers.push_back(paper_in(entry.path()));
  }
  if (papers.empty()) {
    throw InputError("papers in " + folder.string() + ": " + (fs::is_directory(folder) ? "none" : "no such folder") +
                     ", expected a paper (a folder with " + kAboutFile + ") or a folder of papers");
  }
  std::sort(papers.begin(), papers.end(), [](const Paper& a, const Paper& b) { return a.name < b.name; });
  return papers;
}

/// experiments/, then the folders of DEFORMBENCH_PAPERS.
std::vector<fs::path> folders_of_papers() {
  std::vector<fs::path> folders{data_directory() / "experiments"};
  const char* set = std::getenv(kVariable);
  std::istringstream list(set == nullptr ? "" : set);
  for (std::string folder; std::getline(list, folder, ':');)
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

}  // namespace

std::vector<Paper> known_papers() {
  std::vector<Paper> papers;
  std::map<std::string, fs::path> where;
  for (const fs::path& folder : folders_of_papers()) {
    for (Paper& paper : papers_below(folder)) {
      const auto [known, is_new] = where.emplace(paper.name, paper.folder);
      if (is_new) {
        papers.push_back(std::move(paper));
      } else if (fs::weakly_canonical(known->second) != fs::weakly_canonical(paper.folder)) {
        throw InputError("paper " + paper.name + ": is in " + known->second.string() + " and in " +
                         paper.folder.string() + ", expected every paper to have a name of its own");
      }
    }
  }
  return papers;
}

void add_paper_folders(const std::vector<std::string>& folders) {
  if (folders.empty()) return;
  const char* before = std::getenv(kVariable);
  std::string list = before == nullptr ? "" : before;
  for (const std::string& folder : folders) {
    if (folder.empty() || folder.find(':') != std::string::npos) {
      throw InputError("--papers \"" + folder +
                       "\": expected a folder whose path has no colon, which separates folders in " + kVariable);
    }
    list += (list.empty() ? "" : ":") + fs::absolute(folder).lexically_normal().string();
  }
  setenv(kVariable, list.c_str(), 1);
}

std::vector<ExperimentFile> experiment_files() {
  std::vector<ExperimentFile> files;
  for (const Paper& paper : known_papers()) {
    if (!fs::is_directory(paper.declarations)) continue;
    for (const auto& file : fs::directory_iterator(paper.declarations)) {
      if (file.path().extension() != ".json") continue;
      files.push_back({paper.name + "/" + file.path().stem().string(), file.path()});
    }
  }
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.id < b.id; });
  return files;
}

std::vector<ExperimentFile> experiments_of(const std::string& paper) {
  std::vector<ExperimentFile> found;
  std::vector<std::string> papers;
  for (const ExperimentFile& file : experiment_files()) {
    const json document = load_json(file.path);
    const json named = document.is_object() ? document.value("paper", json()) : json();
    const std::string name = named.is_string() ? named.get<std::string>() : file.id.substr(0, file.id.find('/'));
    if (name == paper) found.push_back(file);
    if (std::find(papers.begin(), papers.end(), name) == papers.end()) papers.push_back(name);
  }
  if (found.empty())
    throw InputError("--paper " + paper + ": no experiment is of this paper" + suggestion(paper, papers));
  return found;
}

std::vector<fs::path> named_experiments(const std::vector<std::string>& names, const std::string& paper) {
  const bool all = names.empty() ? !paper.empty() : std::ranges::count(names, "all") > 0;
  std::vector<fs::path> files;
  const auto add = [&files](const fs::path& file) {
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  };
  const auto is_of_paper = [&](const fs::path& file) {
    return std::ranges::any_of(experiments_of(paper), [&](const ExperimentFile& of) {
      return fs::weakly_canonical(of.path) == fs::weakly_canonical(file);
    });
  };
  for (const std::string& name : names) {
    if (name == "all") continue;
    const bool is_file = name.ends_with(".json");
    if (is_file && !paper.empty() && !is_of_paper(name))
      throw InputError("--paper " + paper + ": " + name + " is no experiment of it, expected one or none");
    add(is_file ? fs::path(name) : find_experiment(name, paper).path);
  }
  if (all)
    for (const ExperimentFile& file : paper.empty() ? experiment_files() : experiments_of(paper)) add(file.path);
  return files;
}

ExperimentFile find_experiment(const std::string& name, const std::string& paper) {
  const std::vector<ExperimentFile> files = paper.empty() ? experiment_files() : experiments_of(paper);
  std::vector<std::string> known;
  std::vector<ExperimentFile> matches;
  for (const ExperimentFile& file : files) {
    if (file.id == name) return file;
    const std::string short_name = file.id.substr(file.id.find('/') + 1);
    if (short_name == name) matches.push_back(file);
    known.push_back(name.find('/') == std::string::npos ? short_name : file.id);
  }
  if (matches.size() == 1) return matches.front();
  if (matches.size() > 1) {
    std::string ids;
    for (const ExperimentFile& match : matches) ids += (ids.empty() ? "" : ", ") + match.id;
    throw InputError("experiment \"" + name + "\" is ambiguous: expected one of " + ids);
  }
  throw InputError("unknown experiment \"" + name + "\"" + (paper.empty() ? "" : " of " + paper) +
                   suggestion(name, known, "deformbench list experiments"));
}

}  // namespace deformbench::harness
