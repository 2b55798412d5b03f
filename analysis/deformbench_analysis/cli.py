# SPDX-License-Identifier: BSD-3-Clause
"""The verbs measure, verify, compare, register and new, to which the `deformbench` command hands over.

figures and report are a layer above this package: paper_figures/verbs.py adds them to this command line."""

import argparse
import io
import json
import os
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import errata, errors, file_verbs, pack_check, papers, registration, starting
from .claims import Claim, all_claims, experiments_of
from .compare import comparison
from .comparison.overhead import overhead_table
from .comparison.pairs import Comparison, compare_sides
from .comparison.sides import parse_all
from .comparison.tables import pair_table
from .declarations import TIERS
from .errors import InputError, MissingData, NothingSelected
from .measurement import Measurer, broken_modules
from .nearest_names import suggestion
from .output import line_of, one_line, write_text
from .paths import default_out, results_folder
from .register import register_claims
from .records import Change, as_amended, changes, entry_of, explain_changes, read_record, require_registered, stale
from .records import write_record
from .results import BUILD, Results
from .tables import Table
from .verdicts import Judgement, judge_all


def results_of(args: argparse.Namespace) -> Results:
    """The traces of the folder that is named."""
    return Results(results_folder(args.dir or args.out), args.tier, stale=args.stale)


def record_of(args: argparse.Namespace, paper: str) -> Path:
    """Where the recorded verdicts of a paper are."""
    return Path(args.records) / f"{paper}.json" if args.records else papers.named(paper).verdicts


def records_of(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The records of the selected papers: paper, claim, entry."""
    return {paper: read_record(record_of(args, paper)) for paper in selected_papers(args)}


def expected_of(args: argparse.Namespace) -> dict[str, dict[str, Any]]:
    """The records of the selected papers as amended since."""
    return {p: as_amended(of, registration.read(papers.named(p))) for p, of in records_of(args).items()}


def stale_lines(old: Mapping[str, str]) -> list[str]:
    """Stale records for the terminal: a line each where they are few, else a line per reason with their number."""
    if len(old) <= 5:
        return [f"{claim}: stale record: {why}" for claim, why in old.items()]
    return [f"{count} stale records: {why}" for why, count in Counter(old.values()).items()]


def selected_papers(args: argparse.Namespace) -> list[str]:
    """The papers that --paper names, or all of them."""
    return [papers.named(name).name for name in args.paper or []] or [p.name for p in papers.known()]


def selected_experiments(args: argparse.Namespace, results: Results) -> set[str] | None:
    """Those of the papers that --paper names; None without it, which is all."""
    return experiments_of(selected_papers(args), results.declarations) if args.paper else None


def _selected_claims(args: argparse.Namespace) -> list[Claim]:
    chosen = selected_papers(args)
    claims = [c for paper, listed in all_claims().items() if paper in chosen for c in listed]
    for wanted in args.claim or []:
        if wanted not in {c.id for c in claims}:
            names = suggestion(wanted, (c.id for c in claims), "deformbench list claims")
            raise InputError(f"--claim {wanted}: no such claim{names}")
    return [c for c in claims if not args.claim or c.id in args.claim]


def _recordable(args: argparse.Namespace) -> list[Claim]:
    """The selected claims that this run judges."""
    low = [c for c in _selected_claims(args) if c.waits_for or TIERS.index(c.min_tier) > TIERS.index(args.tier)]
    return [c for c in _selected_claims(args) if c not in low and (args.timing or c.kind != "timing")]


def judge(
    args: argparse.Namespace, results: Results, measurer: Measurer, with_timing: bool
) -> tuple[Judgement, list[Change]]:
    """Verdicts of the selected claims, and what differs from the record."""
    claims = _selected_claims(args)
    judgement = judge_all(results, claims, args.tier, with_timing, measurer)
    return judgement, changes(judgement.verdicts, expected_of(args))


def broken_errata(args: argparse.Namespace, measurer: Measurer) -> list[str]:
    """Bounds of the errata that do not hold; not asked for when claims are picked one by one."""
    return (
        []
        if args.claim
        else [
            line for paper in selected_papers(args) for line in errata.broken_bounds(errata.of_paper(paper), measurer)
        ]
    )


def say_what_is_broken(measurer: Measurer) -> int:
    """Names on stderr the measurements that failed, the modules that could not be imported, and the input that was
    refused, a line for each; the exit code that follows, 0 without any."""
    broken = [
        f"measurement {v.name} is broken: {v.note}" for v in measurer.cache.values() if v.broken
    ] + broken_modules()
    refused = dict.fromkeys(f"deformbench: {v.note}" for v in measurer.cache.values() if v.refused)
    for line in [*broken, *refused]:
        print(line, file=sys.stderr)
    return errors.EXIT_INTERNAL if broken else errors.EXIT_INPUT if refused else errors.EXIT_OK


def verdicts_json(judgement: Judgement) -> str:
    """All verdicts with their raw numbers, for this run only; the record proper holds none."""
    data = {
        "tier": judgement.tier,
        "verdicts": {v.claim.id: v.full() for v in judgement.verdicts},
        "skipped": {c.id: why for c, why in judgement.skipped},
    }
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def write_verdicts(judgement: Judgement, out: Path) -> None:
    """As verdicts.json."""
    write_text(out / "verdicts.json", verdicts_json(judgement))


def verdict_summary(judgement: Judgement, differing: list[Change]) -> list[str]:
    """Lines for the terminal: counts of verdicts, what was skipped and why, what changed."""
    counted = Counter(v.verdict for v in judgement.verdicts)
    lines = [
        f"{len(judgement.verdicts)} claims judged at tier {judgement.tier}: "
        + ", ".join(f"{n} {k}" for k, n in counted.items())
    ]
    lines += judgement.remarks()
    why = Counter(reason for _, reason in judgement.skipped)
    if why:
        lines.append("skipped: " + "; ".join(f"{n} ({reason})" for reason, n in why.items()))
    for change in differing:
        lines.append(
            f"{change.claim}: recorded {change.recorded}, now {change.now}"
            + ("" if change.fails else " (timing inside its dead band: no failure)")
        )
    return lines


def verify(args: argparse.Namespace) -> int:
    """Judges the claims and compares with the recorded verdicts, or records them; of an archive it first checks what
    it holds."""
    if args.dir and Path(args.dir).is_file():
        return verify_archive(args)
    if args.record and args.stale:
        raise InputError("verify: got --record and --stale, expected verdicts of the present build to be recorded")
    results = results_of(args)
    if args.record:
        require_registered(_recordable(args), args.tier, results.declarations)
    measurer = Measurer(results, args.tier)
    judgement, differing = judge(args, results, measurer, args.timing)
    if not judgement.verdicts:
        raise NothingSelected(
            f"no claim can be judged at tier {args.tier}"
            + ("; " + "; ".join(sorted({w for _, w in judgement.skipped})) if judgement.skipped else "")
        )
    write_verdicts(judgement, Path(args.report_out))
    table = Table.of("claim; verdict; measured; cells")
    for v in judgement.verdicts:
        shown = "; ".join(c.text() for c in v.comparisons) or v.reason
        table.add(v.claim.id, v.verdict, shown if v.verdict != "not_measured" else v.reason, v.cells_text())
    said = sys.stderr if args.json else sys.stdout
    print(verdicts_json(judgement) if args.json else table.text(), end="" if args.json else "\n")
    broken = say_what_is_broken(measurer)
    if args.record and not broken:
        judged = [v for v in judgement.verdicts if v.verdict != "not_measured"]
        explain_changes(judged, records_of(args), args.why)
        for paper in sorted({v.claim.paper for v in judged}):
            entries = {v.claim.id: entry_of(v, results) for v in judged if v.claim.paper == paper}
            write_record(record_of(args, paper), paper, entries)
            print(f"recorded {len(entries)} verdicts in {record_of(args, paper)}", file=said)
        differing = changes(judgement.verdicts, expected_of(args))
    beyond = broken_errata(args, measurer)
    old = stale((v.claim for v in judgement.verdicts), records_of(args), results.declarations)
    print("\n".join([*verdict_summary(judgement, differing), *stale_lines(old), *beyond]), file=said)
    if broken:
        return broken
    unsealed = bool(old) and args.tier != "smoke"  # what smoke judges is not what is recorded
    return errors.EXIT_VERDICT_CHANGED if beyond or unsealed or any(c.fails for c in differing) else errors.EXIT_OK


def verify_archive(args: argparse.Namespace) -> int:
    """Checks an archive, then judges the claims whose experiments it holds, by its traces."""
    if args.record:
        raise InputError(
            f"verify: got --record and the archive {args.dir}, expected results of one's own to be recorded"
        )
    build = json.loads(os.environ.get(BUILD) or "{}").get("harness", "")
    with tempfile.TemporaryDirectory(prefix="deformbench-") as folder:
        checked = pack_check.check(Path(args.dir), Path(folder))
        said = sys.stderr if args.json else sys.stdout
        print("\n".join(one_line(line)[:300] for line in pack_check.findings(checked, build)), file=said)
        code = errors.EXIT_UNEXPECTED_END if checked.missing or checked.stale else errors.EXIT_OK
        held = [c.id for c in _selected_claims(args) if c.experiments and {*c.experiments} <= checked.experiments]
        if checked.results is None or not held:
            print("verdicts: not judged" + ("" if held else ", no claim rests on these experiments alone"), file=said)
            return code
        if build and not args.stale and {harness for _, _, harness in checked.builds} != {build}:
            print(
                "verdicts: not judged, made by another build than this one; --stale judges them as they are", file=said
            )
            return code
        args.claim, args.dir, args.report_out = held, str(checked.results), folder
        if checked.tiers and args.tier not in checked.tiers:
            args.tier = max(checked.tiers, key=TIERS.index)
        try:
            return verify(args) or code
        except NothingSelected as none:
            print(f"verdicts: {none}", file=said)
            return code


def register(args: argparse.Namespace) -> int:
    """Seals claims, or writes an amendment with the verdicts before and after it."""
    if args.stale:
        raise InputError("register: got --stale, expected traces of the present build")

    def traces() -> Results | None:
        try:
            return Results(results_folder(args.out), args.tier)
        except InputError:
            return None

    return register_claims(args.claims, args.paper or [], args.why, traces, lambda paper: papers.named(paper).verdicts)


def measure(args: argparse.Namespace) -> int:
    """Prints measurements as a table, CSV or JSON."""
    results = results_of(args)
    results.require_any()
    measurer = Measurer(results, args.tier)
    of_papers = selected_experiments(args, results)
    names = [
        n
        for n, entry in measurer.registry.items()
        if (
            not args.experiment
            or entry.experiment in args.experiment
            or entry.experiment.rsplit("/", 1)[-1] in args.experiment
        )
        and (of_papers is None or entry.experiment in of_papers)
    ]
    if not names:
        asked = [*(args.experiment or []), *(args.paper or [])]
        known = {e.experiment for e in measurer.registry.values()}
        raise NothingSelected(
            f"no measurement of {', '.join(asked)}{suggestion(asked[0], sorted(known), 'deformbench list experiments')}"
        )
    measurer.measure_all(names)
    values = [measurer(n) for n in names]
    if args.format == "json":
        print(
            json.dumps(
                [
                    {
                        "measurement": v.name,
                        "value": v.value,
                        "unit": v.unit,
                        "note": v.note,
                        "experiment": measurer.registry[v.name].experiment,
                        "definition": measurer.registry[v.name].definition,
                    }
                    for v in values
                ],
                indent=1,
                ensure_ascii=False,
            )
        )
    else:
        table = measurer.table(names, with_definitions=args.format == "csv")
        print(table.csv() if args.format == "csv" else table.text(), end="" if args.format == "csv" else "\n")
    if broken := say_what_is_broken(measurer):
        return broken
    return errors.EXIT_NOTHING if all(v.is_missing for v in values) else errors.EXIT_OK


def experiments_compared(args: argparse.Namespace, results: Results) -> list[str]:
    """Ids of the experiments that --experiment or --paper name, or of all that have traces.
    InputError, NothingSelected."""
    of_papers = selected_experiments(args, results)
    chosen = args.experiment or [i for i in results.experiments() if of_papers is None or i in of_papers]
    if not chosen:
        raise NothingSelected(f"--paper {', '.join(args.paper)}: no trace of its experiments below {results.folder}")
    return [results.named(name) for name in chosen]


def folder_and_methods(args: argparse.Namespace) -> tuple[Path, list[str]]:
    """Folder and methods of `compare`.

    A single word is a folder, as with the other verbs; several are methods, after a folder if the first word is one.
    """
    words = list(args.words)
    folder = words.pop(0) if words and (len(words) == 1 or Path(words[0]).is_dir()) else None
    if folder is not None and args.out is not None:
        raise InputError(f"compare: got {folder} and --out {args.out}, expected one folder, and no method or several")
    return results_folder(folder or args.out), words


def compare(args: argparse.Namespace) -> int:
    """Prints one table per experiment: with one row per cell, or with methods named, one per pair of cells."""
    folder, methods = folder_and_methods(args)
    results = Results(folder, args.tier, stale=args.stale)
    results.require_any()
    if methods:
        print_pairs(compare_methods(args, results, methods), args.format)
        return errors.EXIT_OK
    found = [results.with_joined(identifier, args.tier) for identifier in experiments_compared(args, results)]
    for data in found:
        if data.cells or args.experiment:
            _print_table(data.id, comparison(data, args.channel), args.format)
    if not any(data.cells for data in found):
        raise NothingSelected(f"compare: {found[0].why_empty}")
    return errors.EXIT_OK


def _print_table(experiment: str, table: Table, form: str) -> None:
    """One line of JSON, or as Table.render has it."""
    if form == "json":
        whole = {"experiment": experiment, "columns": [c.heading for c in table.columns], "rows": table.rows}
        print(json.dumps(whole, ensure_ascii=False, default=str))
    else:
        print(table.render(form))


def compare_methods(args: argparse.Namespace, results: Results, methods: Sequence[str]) -> Comparison:
    """The methods on every experiment that is selected and that the first and another of them have cells of.
    NothingSelected."""
    return compare_sides(results, parse_all(methods), args.tier, experiments_compared(args, results))


def print_pairs(comparison_of: Comparison, form: str) -> None:
    """A table per experiment, and what lacks."""
    for one in comparison_of.experiments:
        _print_table(one.id, pair_table(one, comparison_of.sides), form)
        for line in one.without_error():
            print(f"{one.id}: {line}", file=sys.stderr)
    overhead = overhead_table(comparison_of.experiments)
    if overhead is not None and form != "json":
        print(overhead.render(form))
    for identifier, absent in comparison_of.lacking.items():
        print(f"{identifier}: no cell of {', '.join(absent)}", file=sys.stderr)


def new(args: argparse.Namespace) -> int:
    """A folder to start from, and what to do next."""
    folder = starting.make_new(args.kind, args.dir)
    name = starting.name_of(folder, args.kind)
    print(f"{args.dir}: {args.kind} {name}; its README.md says how to run it")
    return errors.EXIT_OK


Verbs = Any  # what ArgumentParser.add_subparsers returns, which has no public name


@dataclass(frozen=True)
class SharedOptions:
    """Parsers of options that several verbs have, for `parents=`."""

    reporting: argparse.ArgumentParser  # folder, tier, where pages go
    common: argparse.ArgumentParser  # the same, and --out for the folder
    judging: argparse.ArgumentParser  # which claims, which record
    drawing: argparse.ArgumentParser  # where pages go


AddVerbs = Callable[[Verbs, SharedOptions], None]


def _parser(add_verbs: AddVerbs | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="deformbench", description="Measure, judge, compare and draw from traces.")
    verbs = parser.add_subparsers(dest="verb", required=True)
    out = argparse.ArgumentParser(add_help=False)
    out.add_argument("--out", metavar="DIR", help="the same as DIR, named as in `deformbench run`")
    selecting = argparse.ArgumentParser(add_help=False)
    selecting.add_argument("--tier", choices=TIERS, default="paper")
    selecting.add_argument(
        "--papers", action="append", metavar="DIR", help="a folder of papers outside the tree (may be repeated)"
    )
    selecting.add_argument(
        "--stale", action="store_true", help="take traces, too, that other sources or another build made"
    )
    selecting.add_argument("--paper", action="append", metavar="NAME", help="only this paper (may be repeated)")
    drawing = argparse.ArgumentParser(add_help=False)
    drawing.add_argument(
        "--report-out",
        default=str(default_out()),
        metavar="DIR",
        help="where pages and figures go (default: paper_figures/out of the checkout, or of the current folder)",
    )
    without_folder = argparse.ArgumentParser(add_help=False, parents=[out, selecting])
    reporting = argparse.ArgumentParser(add_help=False, parents=[selecting, drawing])
    reporting.add_argument("dir", nargs="?", help="folder of results (default: results/<machine>)")
    common = argparse.ArgumentParser(add_help=False, parents=[out, reporting])
    judging = argparse.ArgumentParser(add_help=False)
    judging.add_argument("--claim", action="append", metavar="ID", help="only this claim (may be repeated)")
    judging.add_argument(
        "--records", metavar="DIR", help="folder of recorded verdicts, <paper>.json (default: as the paper has it)"
    )
    table = argparse.ArgumentParser(add_help=False)
    table.add_argument("--experiment", action="append", metavar="ID", help="only this experiment (may be repeated)")

    one = verbs.add_parser("measure", parents=[common, table], help="print all measurements")
    one.add_argument("--format", choices=("table", "csv", "json"), default="table")
    one.set_defaults(run=measure)
    one = verbs.add_parser(
        "verify",
        parents=[common, judging],
        help="judge the claims and compare with the recorded verdicts; DIR may be an archive of `pack`, which is checked",
    )
    one.add_argument("--record", action="store_true", help="make the verdicts of this run the recorded ones")
    one.add_argument("--why", default="", metavar="TEXT", help="why code or data changed a recorded verdict")
    one.add_argument("--timing", action="store_true", help="judge claims of kind timing too")
    one.add_argument("--json", action="store_true", help="print JSON, and all else on stderr")
    one.set_defaults(run=verify)
    one = verbs.add_parser(
        "compare",
        parents=[without_folder, drawing, table],
        help="print one table per experiment; with methods, compare them pair by pair and write a page",
    )
    one.add_argument(
        "words",
        nargs="*",
        metavar="DIR|METHOD",
        help="folder of results, or two methods or more, the baseline first: ids, names of entries, or ID:parameter=value",
    )
    one.add_argument("--channel", action="append", metavar="NAME", help="channels to show (default: the first eight)")
    one.add_argument("--format", choices=("table", "csv", "json", "html", "latex"), default="table")
    one.set_defaults(run=compare)
    file_verbs.add_to(verbs)
    one = verbs.add_parser(
        "register", parents=[without_folder], help="seal what of claims is judged, before the run that counts"
    )
    one.add_argument("claims", nargs="*", metavar="CLAIM", help="ids of claims (or --paper, for all of a paper)")
    one.add_argument("--why", default="", metavar="TEXT", help="reason of an amendment")
    one.set_defaults(run=register)
    one = verbs.add_parser("new", help="make a folder to start from: a paper of one's own, or a method")
    one.add_argument("kind", choices=starting.KINDS, help="what it is for")
    one.add_argument(
        "dir", metavar="DIR", help="a folder that does not exist, or an empty one; its name names what is in it"
    )
    one.set_defaults(run=new)
    if add_verbs is not None:
        add_verbs(verbs, SharedOptions(reporting, common, judging, drawing))
    for listed in verbs._choices_actions:  # argparse prints `help` in the list of verbs alone
        verbs.choices[listed.dest].description = f"{listed.help}"[:1].upper() + f"{listed.help}"[1:]
    return parser


def _flush() -> None:
    """What was printed may still be in a buffer: a full disk shows when it is written."""
    try:
        sys.stdout.flush()
    except OSError:
        # The interpreter would try again on its way out, and say so in its own words.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def main(arguments: Sequence[str] | None = None, add_verbs: AddVerbs | None = None) -> int:
    """Exit codes as the `deformbench` command has them. `add_verbs` adds those of packages above this one."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # names in foreign files may hold what cannot be printed
            stream.reconfigure(errors="backslashreplace")
    try:
        try:
            args = _parser(add_verbs).parse_args(arguments)
        except SystemExit as ended:  # --help, or an option that is none
            _flush()
            return ended.code if isinstance(ended.code, int) else errors.EXIT_OK
        with papers.also(getattr(args, "papers", None) or []):
            code = int(args.run(args))
        _flush()
        return code
    except InputError as error:
        print(errors.message_line(error), file=sys.stderr)
        return errors.EXIT_INPUT
    except (NothingSelected, MissingData) as error:
        print(errors.message_line(error), file=sys.stderr)
        return errors.EXIT_NOTHING
    except BrokenProcessPool:  # by a signal, or an extension module that left the interpreter
        print("deformbench: a process that measured or drew ended before it had an answer", file=sys.stderr)
        return errors.EXIT_INTERNAL
    except OSError as error:  # a folder that cannot be made, a full disk
        print(f"deformbench: {line_of(error)}", file=sys.stderr)
        return errors.EXIT_INPUT
