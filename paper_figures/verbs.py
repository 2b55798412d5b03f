# SPDX-License-Identifier: BSD-3-Clause
"""The verbs figures, report, publish, scorecard and dispute of the `deformbench` command; the others are in
deformbench_analysis/cli.py."""

import argparse
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from deformbench_analysis import cli, errata, errors, papers
from deformbench_analysis.declarations import TIERS
from deformbench_analysis.errors import InputError, NothingSelected
from deformbench_analysis.freshness import Digest, package_sources
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.nearest_names import suggestion
from deformbench_analysis.options import add_json, add_moved
from deformbench_analysis.output import tell, write_text
from deformbench_analysis.paths import default_out, figures_dir, project_root, results_folder
from deformbench_analysis.records import stale
from deformbench_analysis.results import Results
from paper_figures.comparison import page as comparison_page, standing
from paper_figures.publishing import feeds, site as publishing, threads
from paper_figures.report import disputes, edges, guides
from paper_figures.report.content import Content
from paper_figures.report.pages import write
from paper_figures.report.run_tables import facts
from paper_figures.entry import Drawn, draw_all, load_index
from paper_figures.scorecard import page as scorecard_page
from paper_figures.scorecard import runs


def figures(args: argparse.Namespace) -> int:
    """Draws the figures that are out of date."""
    results = cli.results_of(args)
    results.require_any()
    results.draws_joined = args.with_joined
    drawn = draw_all(results, Path(args.report_out), args.only or (), args.force, cli.selected_papers(args))
    return _report_figures(drawn, [*(args.only or []), *(args.paper or [])])


def _report_figures(drawn: Sequence[Drawn], only: Any) -> int:
    if not drawn:
        wanted = list(only or ["?"])
        known = [name for index in load_index() for name in (index.id, index.paper)]
        raise NothingSelected(f"no figure or paper of the name {', '.join(wanted)}{suggestion(wanted[0], known)}")
    for d in drawn:
        state = f"not drawn: {d.reason}" if d.entry is None else ("drawn" if d.redrawn else "up to date")
        print(f"{d.index.paper}/{d.index.id}: {state}", file=sys.stderr if d.broken or d.refused else sys.stdout)
    if any(d.broken or d.refused for d in drawn):
        return errors.EXIT_INTERNAL if any(d.broken for d in drawn) else errors.EXIT_INPUT
    return errors.EXIT_UNEXPECTED_END if any(d.entry is None for d in drawn) else errors.EXIT_OK


def _report_digest(args: argparse.Namespace, results: Results) -> str:
    """Digest of all that the pages depend on."""
    sources = [
        p
        for folder in (figures_dir(), project_root() / "reference_data")
        for kind in ("*.py", "*.json", "*.css", "*.js", "*.html", "*.csv")
        for p in folder.rglob(kind)
        if default_out() not in p.parents and Path(args.report_out).resolve() not in p.resolve().parents
    ]
    sources += guides.sources()
    for paper in papers.known():
        sources += [*paper.sources(), *(p for p in [cli.record_of(args, paper.name)] if p.exists())]
    shown = (args.tier, args.with_joined, args.stale, sorted(args.claim or []), sorted(args.paper or []))
    digest = Digest(*map(str, shown))
    digest.sources([*sources, *package_sources()])
    digest.data(comparison_page.known_pages(Path(args.report_out)))
    digest.traces(results.folder.rglob("*.h5")).traces(results.folder.rglob("*.cells.json"))
    digest.data([results.of_present_build(identifier) for identifier in results.experiments()])
    return digest.data({k: d.data for k, d in results.declarations.items()}).hex()


def _stored_report(stamp: Path, digest: str) -> int | None:
    """The exit code of a report that is up to date, after saying so."""
    if not stamp.exists():
        return None
    stored: dict[str, Any] = json.loads(stamp.read_text(encoding="utf-8"))
    if stored.get("digest") != digest or not all(Path(page).exists() for page in stored["pages"]):
        return None
    print("report: up to date (--force draws and judges all the same)")
    print("\n".join(stored["summary"]))
    return int(stored["exit_code"])


def _experiments_shown(args: argparse.Namespace, results: Results, drawn: Sequence[Drawn]) -> frozenset[str] | None:
    """Experiments that the papers of --paper declare, judge, draw or measure errata by; None (all)
    without it."""
    chosen = cli.selected_experiments(args, results)
    if chosen is None:
        return None
    listed = [e for paper in cli.selected_papers(args) for e in errata.of_paper(paper)]
    return frozenset(
        chosen | {i for d in drawn for i in d.index.experiments} | {i for e in listed for i in e.experiments}
    )


def report(args: argparse.Namespace) -> int:
    """Figures, verdicts (also on timing) and the pages; nothing if nothing has changed since the last ones."""
    return _report(args, cli.results_of(args))


def _report(args: argparse.Namespace, results: Results) -> int:
    results.require_any()
    results.draws_joined = args.with_joined
    out = Path(args.report_out)
    digest = _report_digest(args, results)
    stamp = out / "report.stamp.json"
    known = None if args.force else _stored_report(stamp, digest)
    if known is not None:
        return known
    stamp.unlink(missing_ok=True)
    if not args.paper:
        standing.write_all(results, args.tier, out)
    digest = _report_digest(args, results)  # with the pages that were just written
    comparisons = comparison_page.known_pages(out)
    chosen = cli.selected_papers(args)
    drawn = draw_all(results, out, (), args.force, chosen)
    measurer = Measurer(results, args.tier)
    only = _experiments_shown(args, results, drawn)
    measurer.measure_all(n for n, m in measurer.registry.items() if only is None or m.experiment in only)
    judgement, differing = cli.judge(args, results, measurer, with_timing=True)
    content = Content(results, args.tier, judgement, drawn, measurer, differing, only, cli.records_of(args))
    edges.require_consistent(edges.of(content))
    cli.write_verdicts(judgement, out)
    pages = write(content, out, comparisons)
    code = _report_figures(drawn, None) if drawn else errors.EXIT_OK
    beyond = cli.broken_errata(args, measurer)
    summary = [
        *cli.verdict_summary(judgement, differing),
        *cli.stale_lines(stale((v.claim for v in judgement.verdicts), cli.records_of(args), results.declarations)),
        *beyond,
        *(f"{page} ({page.stat().st_size / 1e6:.2f} MB)" for page in pages),
    ]
    print("\n".join(summary))
    if broken := cli.say_what_is_broken(measurer):
        return errors.EXIT_INTERNAL if code == errors.EXIT_INTERNAL else broken
    if code == errors.EXIT_OK and (beyond or any(c.fails for c in differing)):
        code = errors.EXIT_VERDICT_CHANGED
    if code not in (errors.EXIT_INTERNAL, errors.EXIT_INPUT):
        stored = {"digest": digest, "pages": [str(p) for p in pages], "summary": summary, "exit_code": code}
        write_text(stamp, json.dumps(stored, ensure_ascii=False))
    return code


def publish(args: argparse.Namespace) -> int:
    """The report, brought up to date, in a folder of the site with all that others need to check it."""
    results, pages = cli.results_of(args), Path(args.report_out)
    if args.site is None:
        raise InputError("publish: expected --site SITE, the folder of the site; --out is the folder of results")
    site = Path(args.site)
    publishing.require_apart(site, [results.folder, pages])
    with redirect_stdout(sys.stderr if args.json else sys.stdout):
        code = _report(args, results)
    if code in (errors.EXIT_INTERNAL, errors.EXIT_INPUT):
        return code
    measurer = Measurer(results, args.tier)
    judgement, _ = cli.judge(args, results, measurer, with_timing=True)
    chosen = cli.selected_experiments(args, results)
    data = [results.experiment(i) for i in results.experiments() if chosen is None or i in chosen]
    traces = [cell for experiment in data for cell in experiment.cells]
    if not traces:
        raise NothingSelected(f"publish: {results.folder}: no declared cell at tier {args.tier}")
    about = feeds.about_of(traces, args.tier, args.machine)
    run = {experiment.id for experiment in data if experiment.cells}
    measured = measurer.table((n for n, m in measurer.registry.items() if m.experiment in run), with_definitions=True)
    with publishing.staging(site) as staging:
        folder = staging / about["name"]
        files = publishing.copy_report(pages, folder)
        write_text(folder / "measurements.csv", measured.csv())
        packed, checked = publishing.archive(results.folder, folder, args.traces)
        provenance: dict[str, Any] = {**about, **dict(facts(traces)), "archive": checked}
        write_text(folder / "provenance.json", json.dumps(provenance, indent=1, ensure_ascii=False) + "\n")
        publishing.require_no_path(folder, [results.folder, pages])
        joined = [cell for one in data for cell in results.with_joined(one.id).cells]
        feed = feeds.feed(about, judgement.verdicts, results.declarations, files, traces)
        feed["over_threads"] = threads.compared(joined)
        is_new = publishing.place(site, folder, feed, args.replace)
    if args.traces:
        print("the traces in the archive name their hosts", file=sys.stderr)
    line = f"{'published' if is_new else 'up to date'}, {len(feed['verdicts'])} verdicts, {packed.traces} cells"
    said = {**about, "is_new": is_new, "verdicts": dict(feeds.Published(feed).counts()), "cells": packed.traces}
    tell([f"{site / about['name']}: {line}"], {"report": str(site / about["name"]), **said}, args.json)
    return errors.EXIT_OK


def compare(args: argparse.Namespace) -> int:
    """As the analysis has it; with methods, also the page."""
    folder, methods = cli.folder_and_methods(args)
    if not methods:
        return cli.compare(args)
    results = Results(folder, args.tier, stale=args.stale)
    results.require_any()
    comparison = cli.compare_methods(args, results, methods)
    cli.print_pairs(comparison, args.format)
    path = comparison_page.write(comparison, results, Path(args.report_out))
    print(f"{path} ({path.stat().st_size / 1e6:.2f} MB)", file=sys.stderr if args.format != "table" else sys.stdout)
    return errors.EXIT_OK


def scorecard(args: argparse.Namespace) -> int:
    """Runs one method, and writes its page, badge and JUnit file."""
    own = runs.own_method(args.program, args.plugin, args.method, args.tier)
    out = Path(args.report_out)
    traces = out / "traces"
    plan = runs.plan(own, args.against or [], args.tier, traces)
    refused = runs.run(plan, traces)
    results = Results(traces, args.tier)
    card = scorecard_page.scorecard_of(results, own.id)
    results.draws_joined = True
    drawn = sorted(draw_all(results, out, runs.FIGURES), key=lambda d: runs.FIGURES.index(d.index.id))
    paths = scorecard_page.write(card, plan, results, drawn, refused, out)
    lines = [f"{line.entry.state}: {line.text()}" for line in card.lines]
    undrawn = {d.index.id: d.reason for d in drawn if d.entry is None}
    facts = {**card.facts(), "files": list(map(str, paths)), "not_drawn": undrawn, "not_run": refused}
    tell([*lines, card.sentence, *map(str, paths)], facts, args.json)
    for name, reason in undrawn.items():
        print(f"{name}: not drawn: {reason}", file=sys.stderr)
    return scorecard_page.exit_code(card, drawn)


def dispute(args: argparse.Namespace) -> int:
    """Lists the disputes, or settles one."""
    if args.id is None:
        for one in disputes.load().values():
            print(f"{one.id}: {one.question}")
        return errors.EXIT_OK
    asked = disputes.named(args.id)
    answer = disputes.settle(asked, args.tier, results_folder(args.out), Path(args.report_out))
    print("\n".join([asked.question, *answer.lines]))
    code = _report_figures([answer.figure], None)
    if answer.figure.entry is not None:
        print(answer.figure.entry.files["svg"])
    for line in answer.absent:
        print(f"not measured: {line}", file=sys.stderr)
    return code or (errors.EXIT_UNEXPECTED_END if answer.absent else errors.EXIT_OK)


def add_verbs(verbs: cli.Verbs, options: cli.SharedOptions) -> None:
    """Adds them to the command line of the analysis."""
    drawing = argparse.ArgumentParser(add_help=False)
    drawing.add_argument("--force", action="store_true", help="draw even what is up to date")
    drawing.add_argument(
        "--with-joined",
        action="store_true",
        help="show the cells of methods that joined (--method, --program, --plugin, --set) in the figures that can",
    )
    one = verbs.add_parser("figures", parents=[options.common, drawing], help="draw the figures that are out of date")
    one.add_argument("--only", action="append", metavar="ID", help="a figure's id or a paper (may be repeated)")
    one.set_defaults(run=figures)
    parents = [options.common, options.judging, drawing]
    one = verbs.add_parser("report", parents=parents, help="draw the figures, judge the claims and write the pages")
    one.set_defaults(run=report)
    one = verbs.add_parser(
        "scorecard", help="run one method on the invariants, time it, compare it: a page, a badge, a JUnit file"
    )
    one.add_argument("--program", metavar="COMMAND", help="the method is a program, as in `deformbench run`")
    one.add_argument("--plugin", metavar="FILE", help="shared library that has the method of --method")
    one.add_argument("--method", metavar="NAME", help="a method of the command or the plug-in")
    one.add_argument("--against", nargs="+", metavar="METHOD", help="compared with these (default: as the report has)")
    one.add_argument("--tier", choices=TIERS, default="smoke")
    one.add_argument(
        "--report-out",
        default="scorecard",
        metavar="DIR",
        help="where the page goes, and what was run in DIR/traces (default: scorecard)",
    )
    add_moved(one, "--out", "--report-out")
    add_json(one)
    one.set_defaults(run=scorecard)
    one = verbs.add_parser(
        "dispute",
        parents=[options.drawing],
        help="list the questions on which papers disagree, or run, draw and answer one",
    )
    one.add_argument("id", nargs="?", metavar="ID", help="id of a dispute (default: list them)")
    one.add_argument("--tier", choices=TIERS, default="smoke")
    one.add_argument("--out", metavar="DIR", help="folder of traces (default: results/<machine>)")
    one.set_defaults(run=dispute)
    one = verbs.add_parser(
        "publish",
        parents=[options.common],
        help="put the report and its archive into a static site, for others to check",
    )
    one.add_argument("--site", metavar="SITE", help="folder of the site; a report is added")
    add_json(one)
    one.add_argument("--traces", action="store_true", help="include the traces, which name their hosts, in the archive")
    one.add_argument("--machine", default="", metavar="NAME", help="the machine's name (default: the processor's)")
    one.add_argument("--replace", action="store_true", help="take the place of a report of the same name")
    one.set_defaults(run=publish, claim=None, records=None, force=False, with_joined=False)
    verbs.choices["compare"].set_defaults(run=compare)  # the text is the analysis's, the page is drawn here


def main(arguments: Sequence[str] | None = None) -> int:
    """All verbs."""
    return cli.main(arguments, add_verbs)
