// SPDX-License-Identifier: BSD-3-Clause
// Lookup of papers in experiments/ and in folders outside the tree (docs/extending.md).
// deformbench_analysis/papers.py is the same lookup in Python.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace deformbench::harness {

/// A folder with paper.json. `declarations` and `claims` need not exist.
struct Paper {
  std::string name;
  std::filesystem::path folder;
  std::filesystem::path declarations;  ///< folder
  std::filesystem::path claims;        ///< file
};

/// Papers of the data directory, then of the folders in DEFORMBENCH_PAPERS, each part sorted by name. Throws
/// InputError if a folder holds no paper or two papers share a name.
std::vector<Paper> known_papers();

/// Adds folders to DEFORMBENCH_PAPERS, for this process and its children. A folder is a paper (it holds paper.json)
/// or holds papers. Throws InputError if a path is empty or contains ':'.
void add_paper_folders(const std::vector<std::string>& folders);

/// One declaration file of a paper.
struct ExperimentFile {
  std::string id;  ///< <paper>/<name>
  std::filesystem::path path;
};

/// Every declaration of the known papers, sorted by id.
std::vector<ExperimentFile> experiment_files();

/// Experiments whose declaration names `paper`, or names none and is in the paper's folder. Throws InputError with
/// the nearest name if there are none.
std::vector<ExperimentFile> experiments_of(const std::string& paper);

/// The file of `name`: an id or a unique short name, within `paper` if given. InputError if unknown or ambiguous.
ExperimentFile find_experiment(const std::string& name, const std::string& paper = "");

/// Files for ids, short names and declaration files in list order, "all" last, without duplicates; restricted to
/// `paper` if given (all of it if `names` is empty). Throws InputError for an unknown name or one outside the
/// paper.
std::vector<std::filesystem::path> named_experiments(const std::vector<std::string>& names, const std::string& paper);

}  // namespace deformbench::harness
