"""What must hold for an exercise set: it grades as it should, and what readers get gives nothing away."""

from __future__ import annotations

import ast
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nbformat

from instructor.generate import assign, generated
from instructor.grading import Autograder, Case, Report, grade
from instructor.limits import Limits
from instructor.naive import SPOILS, Shown, Spoilt, naive_answers, passes
from instructor.secrets import given_away
from instructor.sources import EXERCISES, SEE, Cell, ExerciseSet, Question, read_set

Finding = tuple[bool, str]

UNEARNED = 0.1  # share of the points that an answer may earn which knows nothing, or is wrong
MESSAGE = 60  # characters of a cell that a message quotes
REACH_OUT = {"__import__", "eval", "exec", "globals", "open"}
MAY_IMPORT = {"numpy"}  # to make the generator that an answer is called with, and to count fast


def check_set(
    path: Path, committed: Path | None = EXERCISES, *, limits: Limits | None = None, jobs: int | None = None
) -> Iterator[Finding]:
    """Check one source notebook, and the files made from it that are committed in a folder, if they are in one."""
    exercises = read_set(path)
    yield from check_source(exercises)
    with tempfile.TemporaryDirectory() as folder:
        try:
            dist = assign(exercises, Path(folder))
        except RuntimeError as error:
            yield False, str(error)
            return
        files = generated(exercises, dist)
        if committed:
            yield check_committed(files, exercises.name, committed)
        yield check_secrets(exercises, files)
        if not all(question.manual for question in exercises.questions):
            yield from check_grading(exercises, dist, limits=limits, jobs=jobs)


def check_source(exercises: ExerciseSet) -> Iterator[Finding]:
    """Check that every question has its parts and that no test looks at anything but the answer."""
    for question in exercises.questions:
        if question.manual:
            parts = "".join(cell.source for cell in question.answer)
            yield "Rubric" in parts, f"{question.name} has a model answer and a rubric"
            continue
        counts = [len(part) for part in (question.answer, question.visible, question.hidden, question.wrong)]
        enough = counts[0] == 1 and counts[1] >= 1 and counts[2] >= 1 and counts[3] >= 2
        explained = all(cell.source.startswith("# ") for cell in question.wrong)
        shape = "{} reference answer, {} visible and {} hidden tests, {} wrong answers".format(*counts)
        yield enough and explained, f"{question.name} has {shape}{'' if explained else ', one without its comment'}"
        astray = [line for cell in question.visible for line in _leads_nowhere(cell)]
        yield not astray, f"{question.name} says where the book explains it{f': not so, {astray}' if astray else ''}"
        looks = sorted(_looks_at(question) | _borrows(question, exercises))
        yield not looks, f"{question.name} stands alone{f': not so, it uses {looks}' if looks else ''}"


def _leads_nowhere(cell: Cell) -> list[str]:
    """Return the first line of a visible test unless it names a section of a chapter."""
    first = cell.source.partition("\n")[0]
    see = SEE.match(cell.source)
    if not see:
        return [first]
    chapter = EXERCISES.parent / f"{see[1]}.ipynb"
    if not chapter.exists():
        return [first]
    texts = [cell.source for cell in nbformat.read(chapter, as_version=4).cells if cell.cell_type == "markdown"]
    headings = {line.lstrip("# ") for text in texts for line in text.split("\n") if line.startswith("#")}
    return [] if see[2] in headings else [first]


def _looks_at(question: Question) -> set[str]:
    """Return what the tests of a question import, or take from the notebook, beyond the answer to it."""
    seen = set()
    for cell in question.visible + question.hidden:
        test = _function(cell)
        seen |= {argument.arg for argument in test.args.args} - {_function(question.answer[0]).name}
        for node in ast.walk(test):
            if isinstance(node, ast.Import):
                seen |= {alias.name for alias in node.names} - MAY_IMPORT
            elif isinstance(node, ast.ImportFrom):
                seen.add(str(node.module))
            elif isinstance(node, ast.Name):
                seen |= {node.id} & REACH_OUT
    return seen


def _borrows(question: Question, exercises: ExerciseSet) -> set[str]:
    """Return the answers to other questions that an answer to this one, right or wrong, makes use of."""
    answers = {_function(other.answer[0]).name for other in exercises.questions if not other.manual}
    trees = [_parse(cell) for cell in question.answer + question.wrong]
    used = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return used & answers - {_function(question.answer[0]).name}


def _function(cell: Cell) -> ast.FunctionDef:
    """Return the first function that a cell defines."""
    functions = [node for node in _parse(cell).body if isinstance(node, ast.FunctionDef)]
    if not functions:
        raise ValueError(f"a cell that should define a function does not: {cell.source[:MESSAGE]!r}")
    return functions[0]


def _parse(cell: Cell) -> ast.Module:
    """Return the code of a cell as a tree."""
    try:
        tree: ast.Module = ast.parse(cell.source)
    except SyntaxError as error:
        raise ValueError(f"{error}, in the cell {cell.source[:MESSAGE]!r}") from error
    return tree


def check_committed(files: dict[Path, str], name: str, committed: Path) -> Finding:
    """Check that the committed files are those made from the source, no more and no fewer."""
    there = {path.relative_to(committed) for path in (committed / "student" / name).rglob("*") if path.is_file()}
    there = {path for path in there if not path.name.startswith(".") and "__pycache__" not in path.parts}
    there = {path for path in there if ".ipynb_checkpoints" not in path.parts}
    differ = [path for path, text in files.items() if not _holds(committed / path, text)] + sorted(there - files.keys())
    if differ:
        return False, f"run `make exercises`: {', '.join(map(str, differ))} differ from what the source gives"
    return True, f"the {len(files)} committed files are what the source gives"


def _holds(path: Path, text: str) -> bool:
    """Return whether a file exists and holds exactly a text."""
    return path.exists() and path.read_text(encoding="utf-8") == text


def check_secrets(exercises: ExerciseSet, files: dict[Path, str]) -> Finding:
    """Check that no file gives away what its readers should not see."""
    found = [f"{path}: {line}" for path, text in files.items() for line in given_away(exercises, path, text)]
    if found:
        return False, f"given away in {'; '.join(found)}"
    return True, "no solution, hidden test or wrong answer is given away"


def check_grading(
    exercises: ExerciseSet, dist: Path, *, limits: Limits | None = None, jobs: int | None = None
) -> Iterator[Finding]:
    """Check the marks of the reference solution, of the unsolved release and of each wrong answer.

    Starting otter takes seconds, so one notebook holds a wrong answer to every question. They cannot touch each
    other: a test sees only the answer to its question, and no answer uses another (`check_source`).
    """
    reference = dist / "autograder" / f"{exercises.name}.ipynb"
    unsolved = dist / "student" / f"{exercises.name}.ipynb"
    rounds = range(max((len(question.wrong) for question in exercises.questions), default=0))
    variants = [_with_wrong_answers(reference, exercises, i) for i in rounds]
    (autograder,) = (dist / "autograder").glob("*.zip")
    tests = Autograder.read(autograder)
    reports = dict(grade([reference, unsolved, *variants], tests, limits=limits, jobs=jobs))
    yield check_points("the reference solution", reports[reference], exercises, full=True)
    yield check_points("the unsolved release", reports[unsolved], exercises, full=False)
    yield check_reasons(reports[unsolved])
    for question in exercises.questions:
        recognised = []
        for wrong, path in zip(question.wrong, variants, strict=False):
            yield check_rejected(question, wrong, reports[path])
            recognised += [case for case in _failed(question, reports[path]) if not case[1].hidden]
        if not question.manual:
            seen = any(case.error == "AssertionError" and case.see for _, case in recognised)
            yield seen, f"{question.name} {'has' if seen else 'has NO'} wrong answer that a visible test recognises"
    if all(case.passed for grade in reports[reference].questions.values() for case in grade.cases):
        yield from check_unearned(exercises, tests)


def check_unearned(exercises: ExerciseSet, autograder: Autograder) -> Iterator[Finding]:
    """Check that an answer which knows nothing earns a tenth of the points at most; the right ones must be right."""
    names: dict[str, Any] = {}
    for cell in exercises.opening:
        if cell.cell_type == "code":
            exec(cell.source, names)
    for question in exercises.questions:
        if not question.manual:
            exec(question.answer[0].source, names)
            answer, test = names[_function(question.answer[0]).name], autograder.test(question.name)
            shown = Shown(answer)
            for case in test.test_cases:
                if not case.hidden:
                    case.body.test_func(shown)
            earned = {what: _earned(test, naive) for what, naive in naive_answers(answer, shown)}
            earned |= {f"is right but {what}": points for what, points in _earned_spoilt(test, answer)}
            most = max(earned, key=lambda what: earned[what])
            enough = earned[most] <= UNEARNED * question.points
            said = "an answer that knows nothing earns" if enough else f"an answer that {most} earns"
            yield enough, f"{question.name}: {said} {earned[most]:g} of {question.points} points"


def _earned(test: Any, answer: Callable[..., Any]) -> float:
    """Return the points that the tests of a question give to an answer."""
    cases = sorted(test.test_cases, key=lambda case: not case.points)  # those that count first: they reject most
    if test.all_or_nothing:
        return float(test.possible) if all(passes(case.body.test_func, answer) for case in cases) else 0.0
    return float(sum(case.points for case in cases if case.points and passes(case.body.test_func, answer)))


def _earned_spoilt(test: Any, answer: Callable[..., Any]) -> Iterator[tuple[str, float]]:
    """Yield the points for the right answer, if what it returns in hidden tests is spoilt, all of it or the later half.

    What the visible tests want can be copied from them.
    """
    hidden = [case for case in test.test_cases if case.hidden]
    calls = []
    for case in hidden:
        counting = Spoilt(answer, SPOILS[0][1], float("inf"))
        passes(case.body.test_func, counting)
        calls.append(counting.calls)
    for what, spoil in SPOILS:
        for share, since in ((0, "always"), (0.5, "after half of the calls")):
            points, changed = 0.0, False
            for case, count in zip(hidden, calls, strict=True):
                spoilt = Spoilt(answer, spoil, share * count)
                passed = passes(case.body.test_func, spoilt)
                if test.all_or_nothing and not passed:
                    changed = False
                    break
                changed |= spoilt.spoilt
                points += case.points * (passed and spoilt.spoilt)
            if changed:
                yield f"{what}, {since},", float(test.possible) if test.all_or_nothing else points


def check_reasons(report: Report) -> Finding:
    """Check that in the unsolved release each visible test says what is wrong, not just that Python stumbled."""
    bare = [
        f"{name} ({case.message})"
        for name, question in report.questions.items()
        for case in question.cases
        if not (case.hidden or case.passed) and (case.error != "AssertionError" or not case.message)
    ]
    return not bare, f"visible tests say what is missing{': not so, ' + ', '.join(bare) if bare else ''}"


def _with_wrong_answers(reference: Path, exercises: ExerciseSet, number: int) -> Path:
    """Write the reference notebook with a wrong answer to each question, and return where.

    Who has fewer gets the last one again: right answers take longest, as they go through all tests.
    """
    notebook = nbformat.read(reference, as_version=4)
    cells = {cell.id: cell for cell in notebook.cells}
    for question in exercises.questions:
        for wrong in question.wrong[: number + 1][-1:]:
            cells[question.answer[0].id]["source"] = wrong.source
    folder = reference.parent / f"wrong-{number + 1}"
    folder.mkdir()
    nbformat.write(notebook, folder / reference.name)
    return folder / reference.name


def check_points(who: str, report: Report, exercises: ExerciseSet, *, full: bool) -> Finding:
    """Check that a notebook gets all points of the code questions, or none."""
    expected = {question.name: question.points for question in exercises.questions if not question.manual}
    points = {name: grade.points for name, grade in report.questions.items()}
    right = report.status == "graded" and points == (expected if full else dict.fromkeys(expected, 0))
    lost = ", ".join(f"{name} {points.get(name, 0):g} of {expected[name]}" for name in expected)
    why = "" if right else f": {lost}{f' ({report.status}, {report.note})' if report.note else ''}"
    return right, f"{who} gets {sum(points.values()):g} of {sum(expected.values())} points{why}"


def _failed(question: Question, report: Report) -> list[tuple[str, Case]]:
    """Return the tests of a question that a notebook failed, each with its name."""
    names = [_function(cell).name for cell in question.visible + question.hidden]
    cases = report.questions[question.name].cases if question.name in report.questions else ()
    return [(name, case) for name, case in zip(names, cases, strict=bool(cases)) if not case.passed]


def check_rejected(question: Question, wrong: Cell, report: Report) -> Finding:
    """Check that an assertion in a hidden test rejects a wrong answer, and that it earns at most a tenth."""
    mistake = wrong.source.partition("\n")[0].removeprefix("# ")
    who = f"{question.name}, wrong answer: {mistake}"
    if question.name not in report.questions:
        return False, f"{who} It could not be graded: {report.status}, {report.note}"
    failed = _failed(question, report)
    rejecting = [name for name, case in failed if case.hidden and case.error == "AssertionError"]
    visible = [name for name, case in failed if not case.hidden]
    if not rejecting:
        return False, f"{who} NO hidden test rejects it"
    seen = f" (visible: {', '.join(visible)})" if visible else ""
    points = report.questions[question.name].points
    if question.whole and points > UNEARNED * question.points:
        return False, f"{who} It earns {points:g} of {question.points} points"
    return True, f"{who} Rejected by {', '.join(rejecting)}{seen}"
