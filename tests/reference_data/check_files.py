#!/usr/bin/python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks hand-written and generated files: decks, checksums, claims, published numbers, models.

Schema errors of a claims file are shown to be errors too: each broken copy must be refused."""

import copy
import hashlib
import json
import os
import sys
import unittest
from pathlib import Path
from typing import Any

import jsonschema

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "reference_data"
sys.path.insert(0, str(ROOT))

from reference_data.calculix.generate_decks import checksum, decks


def load(path: str) -> Any:
    return json.loads((DATA / path).read_text(encoding="utf-8"))


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


class CalculixFiles(unittest.TestCase):
    def test_every_case_has_a_result_of_its_present_deck(self) -> None:
        known = decks()
        self.assertEqual(set(known), {p.stem for p in (DATA / "calculix/results").glob("*.json")})
        for name, text in known.items():
            self.assertEqual(load(f"calculix/results/{name}.json")["deck_sha256"], checksum(text), name)

    def test_kept_files_stay_small(self) -> None:
        self.assertLess(sum(p.stat().st_size for p in (DATA / "calculix").rglob("*") if p.is_file()), 1_500_000)


class ClaimsFiles(unittest.TestCase):
    def setUp(self) -> None:
        self.schema = load("../experiments/harness/schema/claims.schema.json")
        self.files = sorted((ROOT / "experiments").glob("*/claims.json"))
        self.assertTrue(self.files)

    def test_every_file_follows_the_schema_and_is_called_after_its_paper(self) -> None:
        for path in self.files:
            document = json.loads(path.read_text(encoding="utf-8"))
            jsonschema.validate(document, self.schema)
            self.assertEqual(document["paper"], path.parent.name)
            names = [c["id"] for c in document["claims"]]
            self.assertEqual(len(names), len(set(names)), path.parent.name)

    def test_every_claim_is_decidable_or_names_what_is_missing(self) -> None:
        for path in self.files:
            for claim in json.loads(path.read_text(encoding="utf-8"))["claims"]:
                self.assertEqual(1, sum(key in claim for key in ("predicate", "verdict", "waits_for")), claim["id"])
                self.assertTrue(
                    claim["experiments"] or claim.get("why_no_experiment") or claim.get("waits_for"), claim["id"]
                )

    def test_broken_files_are_refused(self) -> None:
        good = json.loads(self.files[0].read_text(encoding="utf-8"))
        comparison = {"measurement": "a.b", "op": "<", "value": 1, "origin": "o"}
        no_origin = {k: v for k, v in comparison.items() if k != "origin"}
        breaks: dict[str, dict[str, Any]] = {
            "unknown key": {"surprise": 1},
            "unknown kind": {"kind": "philosophical"},
            "unknown variant": {"variant": "improved"},
            "no experiment and no reason": {"experiments": []},
            "nothing compared": {"predicate": {}},
            "no tolerance origin": {"predicate": {"all": [no_origin]}},
            "unknown operator": {"predicate": {"all": [{**comparison, "op": "~"}]}},
            "text for a number": {"predicate": {"all": [{**comparison, "value": "small"}]}},
            "one number for two": {"predicate": {"all": [{**comparison, "op": "in"}]}},
            "measurement without experiment": {"predicate": {"all": [{**comparison, "measurement": "volume"}]}},
            "row: no tolerance origin": {"predicate": {"a.b < 1": ""}},
            "row: unknown operator": {"predicate": {"a.b ~ 1": "o"}},
            "row: text for a number": {"predicate": {"a.b < small": "o"}},
            "row: one number for two": {"predicate": {"a.b in 1": "o"}},
            "row: measurement without experiment": {"predicate": {"volume < 1": "o"}},
            "row: unknown key": {"predicate": {"a.b < 1": {"origin": "o", "surprise": 1}}},
            "no regime text": {"holds_in_regime": {"all": [comparison], "any": [comparison]}},
            "regime: unknown key": {"holds_in_regime": {"regime": "r", "without": ["a.b"], "but": {"a.c < 1": "o"}}},
            "regime: nothing left out": {"holds_in_regime": {"regime": "r", "without": []}},
            "verdict written down": {"verdict": "holds"},
            "undecided without the missing datum": {"predicate": None, "verdict": "inconclusive"},
        }
        for name, damage in breaks.items():
            bad = copy.deepcopy(good)
            claim = {k: v for k, v in {**bad["claims"][0], **damage}.items() if v is not None}
            bad["claims"][0] = claim
            with self.subTest(name), self.assertRaises(jsonschema.ValidationError):
                jsonschema.validate(bad, self.schema)


class PublishedNumbers(unittest.TestCase):
    def test_table_1_has_a_value_or_null_for_every_row_and_model(self) -> None:
        table = load("../experiments/mueller_gross_2004/published.json")["table_1"]
        self.assertEqual(set(table["columns"]), {"snake", "cow", "dragon"})
        for column in table["columns"].values():
            self.assertEqual(len(column), len(table["rows"]))
        self.assertEqual(len(table["units"]), len(table["rows"]))

    def test_figure_7_publishes_no_points(self) -> None:
        self.assertIsNone(load("../experiments/mueller_gross_2004/published.json")["figure_7"]["points"])


class ModelCatalogue(unittest.TestCase):
    def test_entries_say_where_from_and_who(self) -> None:
        for model in load("models/catalogue.json")["models"]:
            self.assertRegex(model["sha256"], r"^[0-9a-f]{64}$")
            for key in ("name", "file", "published", "credit", "vertices", "triangles"):
                self.assertTrue(model[key], key)

    @unittest.skipUnless(os.environ.get("DEFORMBENCH_MODELS"), "DEFORMBENCH_MODELS is not set")
    def test_files_in_the_models_folder_are_those_of_the_catalogue(self) -> None:
        for model in load("models/catalogue.json")["models"]:
            path = Path(os.environ["DEFORMBENCH_MODELS"]) / model["file"]
            self.assertEqual(sha256(path), model["sha256"], model["name"])
            text = path.read_text(encoding="utf-8", errors="replace")
            self.assertEqual(sum(line.startswith("v ") for line in text.splitlines()), model["vertices"])
            self.assertEqual(sum(line.startswith("f ") for line in text.splitlines()), model["triangles"])


if __name__ == "__main__":
    unittest.main()
