# SPDX-License-Identifier: BSD-3-Clause
"""Every label selects at least one test, and every test has a label of the list.

`ctest -L` on a label that matches nothing succeeds, so an empty label would go unnoticed."""
import argparse
import json
import subprocess
import sys


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--ctest", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--labels", nargs="+", required=True)
    arguments = parser.parse_args()

    listing = subprocess.run(
        [arguments.ctest, "--test-dir", arguments.build, "--show-only=json-v1"],
        capture_output=True,
        text=True,
        check=True,
    )
    counts = dict.fromkeys(arguments.labels, 0)
    findings = []
    for test in json.loads(listing.stdout)["tests"]:
        labels = next((p["value"] for p in test.get("properties", []) if p["name"] == "LABELS"), [])
        if not labels:
            findings.append(f"test {test['name']} has no label")
        for label in labels:
            if label in counts:
                counts[label] += 1
            else:
                findings.append(f"test {test['name']} has the unknown label {label}")
    findings += [f"label {label} selects no test" for label, count in counts.items() if count == 0]
    print(counts)
    for finding in findings:
        print(finding, file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
