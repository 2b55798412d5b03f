# SPDX-License-Identifier: BSD-3-Clause
"""The verbs figures and report of the `deformbench` command; the others are in deformbench_analysis/cli.py."""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deformbench_analysis import cli, errata, errors, papers
from deformbench_analysis.errors import NothingSelected
from deformbench_analysis.freshness import Digest, package_sources
from deformbench_analysis.measurement import Measurer
from deformbench_analysis.nearest_names import suggestion
from deformbench_analysis.output import write_text
from deformbench_analysis.paths import default_out, figures_dir, project_root
from deformbench_analysis.records import stale
from deformbench_analysis.results import Results
from paper_figures.comparison import page as comparison_page, standing
from paper_figures.report.content import Content
from paper_figures.report.pages import write
from paper_figures.entry import Drawn, draw_all, load_index


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
    """Those that the papers named by --paper declare, judge, draw or measure errata by; None without it,
    which is all."""
    chosen = cli.selected_experiments(args, results)
    if chosen is None:
        return None
    listed = [e for paper in cli.selected_papers(args) for e in errata.of_paper(paper)]
    return frozenset(
        chosen | {i for d in drawn for i in d.index.experiments} | {i for e in listed for i in e.experiments}
    )


def report(args: argparse.Namespace) -> int:
    """Figures, verdicts (timing too), and the pages; nothing of it when nothing changed since the last ones."""
    results = cli.results_of(args)
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
    cli.write_verdicts(judgement, out)
    content = Content(results, args.tier, judgement, drawn, measurer, differing, only, cli.records_of(args))
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
    one = verbs.add_parser(
        "report",
        parents=[options.common, options.judging, drawing],
        help="draw the figures, judge the claims and write the pages",
    )
    one.set_defaults(run=report)
    verbs.choices["compare"].set_defaults(run=compare)  # the text is the analysis's, the page is drawn here


def main(arguments: Sequence[str] | None = None) -> int:
    """All verbs."""
    return cli.main(arguments, add_verbs)
