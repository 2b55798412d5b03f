# SPDX-License-Identifier: BSD-3-Clause
"""The verb register: seals what of a claim is judged, or writes an amendment with the verdicts before and after
it."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from . import errors, papers, registration
from .claims import Claim, all_claims
from .declarations import all_declarations
from .errors import InputError, NothingSelected
from .measurement import Measurer, load_all
from .records import read_record
from .registration import Seal
from .results import Results
from .verdicts import judge_all

_NO_TRACES = "claim {}: has a recorded verdict, expected traces of its experiments to judge the amendment"


def _verdict(claim: Claim, measurer: Measurer) -> str:
    """The verdict on a claim in this form from the traces at hand; empty where they do not suffice."""
    judged = judge_all(measurer.results, [claim], measurer.tier, True, measurer).verdicts
    return judged[0].verdict if judged and judged[0].verdict != "not_measured" else ""


def _verdicts(
    claim: Claim, old: Claim | None, recorded: Mapping[str, Any], results: Results, same_cells: bool
) -> dict[str, str]:
    """Verdicts before and after an amendment. Before is the recorded one, which the old form must repeat on the same
    traces where the declarations are the same; without a record, what the old form says. After stays open until the
    verdict is recorded where the new form has no traces yet. InputError where they do not fit."""
    measurer = Measurer(results, results.tier)
    after = _verdict(claim, measurer)
    replayed = _verdict(old, measurer) if old is not None and same_cells else ""
    before = str(recorded.get("verdict", replayed))
    if recorded and recorded.get("tier") != results.tier:
        raise InputError(f"claim {claim.id}: is recorded at tier {recorded.get('tier')}, expected that --tier")
    if recorded and not after and same_cells:
        raise InputError(_NO_TRACES.format(claim.id))
    if replayed and replayed != before:
        raise InputError(
            f"claim {claim.id}: these traces give {replayed} before the amendment, the record says {before}; "
            "expected the traces of the recorded verdict"
        )
    if not before:
        return {}
    return {"before": before} | ({"after": after} if after else {})


def _amendment(
    paper: papers.Paper,
    claim: Claim,
    entry: Mapping[str, Any],
    now: Seal,
    why: str,
    recorded: Mapping[str, Any],
    results: Results | None,
) -> dict[str, Any]:
    """What changed since the registration, why, and the verdicts where there are any."""
    different = now.differences(entry)
    changed, old = list(different), claim if different == ["declarations"] else None
    if old is None:
        old = registration.registered_form(paper, claim.id, entry)
        if old is not None:
            changed = registration.changed_keys(old, claim) + [d for d in different if d == "declarations"]
    made: dict[str, Any] = {"date": registration.today(), "changed": changed, "why": why}
    same_cells = "declarations" not in different
    if results is not None:
        return made | _verdicts(claim, old, recorded, results, same_cells)
    if recorded and same_cells:
        raise InputError(_NO_TRACES.format(claim.id))
    return made | ({"before": str(recorded["verdict"])} if recorded else {})


def _require_own_measurements(claim: Claim) -> None:
    """InputError where the claim is judged by an experiment that it does not name,
    whose declaration no seal covers."""
    registry = load_all()
    for name in claim.measurements():
        if name in registry and registry[name].experiment not in claim.experiments:
            raise InputError(
                f"claim {claim.id}: /experiments: lacks {registry[name].experiment}, which {name} measures"
            )


def register_claims(
    named: Sequence[str],
    of_papers: Sequence[str],
    why: str,
    results_of: Callable[[], Results | None],
    record_of: Callable[[str], Path],
) -> int:
    """Registers the named claims, or all of the named papers; the exit code. `results_of` gives the traces at hand,
    by which an amendment is judged before and after."""
    chosen = [c for of in all_claims().values() for c in of if c.id in named or (not named and c.paper in of_papers)]
    missing = sorted(set(named) - {c.id for c in chosen})
    if missing:
        raise InputError(f"claim {missing[0]}: no such one; `deformbench list claims` names them")
    if not chosen:
        raise NothingSelected("register: no claim named, expected claims, or --paper NAME for all of a paper's")
    declarations = all_declarations()
    for claim in chosen:
        _require_own_measurements(claim)
        paper = papers.named(claim.paper)
        entries = registration.read(paper)
        now, entry = registration.seal(claim, declarations), entries.get(claim.id)
        if entry is None:
            entries[claim.id] = {"registered": registration.today(), **now.data()}
            said = "registered"
        elif not now.differences(entry):
            print(f"{claim.id}: is registered as it is")
            continue
        elif not why:
            raise InputError(
                f"claim {claim.id}: {', '.join(now.differences(entry))} changed since it was registered; "
                "expected --why with the reason of the amendment"
            )
        else:
            recorded = read_record(record_of(claim.paper)).get(claim.id, {})
            earlier = registration.amendments(entry)
            if recorded and earlier and "after" in earlier[-1]:  # it was amended, and not recorded since
                recorded = {**recorded, "verdict": earlier[-1]["after"]}
            made = _amendment(paper, claim, entry, now, why, recorded, results_of())
            kept = {k: v for k, v in entry.items() if k != "controls"}  # there may be none now
            entries[claim.id] = {**kept, **now.data(), "amendments": [*earlier, made]}
            said = f"amended, {', '.join(made['changed'])}" + (
                f": {made['before']}, now {made.get('after', 'to be judged')}" if "before" in made else ""
            )
        registration.write(paper, entries)
        print(f"{claim.id}: {said}")
    return errors.EXIT_OK
