#!/usr/bin/env python3
"""Builds broken documents with the TeX of this machine and keeps what it logged, beside the fault that was put in.

    crates/aside-latex/corpus/make.py [NAME ...]

Needs on Debian: texlive-latex-extra texlive-xetex texlive-luatex texlive-bibtex-extra latexmk biber.
Writes logs/NAME.log, documents.json (the texts that were built) and faults.tsv: name; file, line and kind of the fault as a log
can know it; its line in the source. `-` where there is none. The documents are in cases.py. What changes from run to run (dates, memory statistics, registers) is left out of the logs.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import CASES

HERE = Path(__file__).parent
LOGS = HERE / "logs"
REGISTER = re.compile(rb"^\\[^ ]*=\\[a-z]+\d+$")
STATISTICS = b"Here is how much of "


def trimmed(log: bytes) -> bytes:
    """The log without the lines that say nothing of the document."""
    kept = []
    lines = iter(log.split(b"\n"))
    for line in lines:
        if line.startswith(STATISTICS):
            for skipped in lines:
                if not skipped.startswith(b" ") or skipped.strip() == b"":
                    kept.append(skipped)
                    break
        elif not REGISTER.match(line):
            kept.append(re.sub(rb"\d+ [A-Z]{3} 20\d\d \d\d:\d\d$", b"1 JAN 2026 00:00", line))
    return b"\n".join(kept)


def run(command: list[str], folder: Path) -> bytes:
    done = subprocess.run(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=120)
    return done.stdout


def build(case: dict, folder: Path) -> bytes:
    for name, text in case["files"].items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    main = case.get("main", "main.tex")
    stem = Path(main).stem
    output = b""
    for step in case.get("steps", [case.get("engine", "pdflatex")]):
        if step.endswith("latex"):
            command = [step, *case.get("flags", ["-interaction=nonstopmode"]), main]
        elif step == "latexmk":
            command = ["latexmk", "-pdf", "-interaction=nonstopmode", main]
        else:
            command = [step, stem]
        output = run(command, folder)
    log = case.get("log", stem + ".log")
    return output if log == "output" else (folder / log).read_bytes()


def main() -> None:
    chosen = sys.argv[1:]
    LOGS.mkdir(exist_ok=True)
    rows = []
    documents = {}
    for case in CASES:
        name = case["name"]
        rows.append("\t".join([name, *(str(part) if part is not None else "-" for part in (*case["fault"], case["at"]))]))
        texts = {path: text for path, text in case["files"].items() if isinstance(text, str)}
        documents[name] = texts
        if chosen and name not in chosen:
            continue
        with tempfile.TemporaryDirectory() as folder:
            log = build(case, Path(folder))
            log = log.replace(folder.encode(), b"/build")
        (LOGS / f"{name}.log").write_bytes(trimmed(log))
        print(f"{name}: {len(log)} bytes")
    (HERE / "documents.json").write_text(json.dumps(documents, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    (HERE / "faults.tsv").write_text("\n".join(sorted(rows)) + "\n")


if __name__ == "__main__":
    main()
