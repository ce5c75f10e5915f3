#!/usr/bin/env python3
"""Builds one document with each engine, keeps its SyncTeX file, and asks the `synctex` program of TeX Live about it.

    crates/aside-latex/corpus/synctex.py

Writes synctex/ENGINE.synctex and synctex/ENGINE.tsv: `view file line page x y` of the first answer, and
`edit page x y file line`. Needs the packages that make.py needs.
"""

import gzip
import re
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent / "synctex"
WORDS = "Words that go on until a line is full and then some more of them to fill another one."
MAIN = "\n".join(
    ["\\documentclass{article}", "\\begin{document}", "\\section{One}"]
    + [f"{WORDS}\n{WORDS} \\emph{{And}} $a_{n}^2+b=c$.\n" for n in range(6)]
    + ["\\[\n  \\int_0^1 x\\,dx = \\frac12\n\\]", "\\input{parts/two}", "\\newpage", "\\section{Two}"]
    + ["\\begin{itemize}\n\\item first\n\\item second\n\\end{itemize}", "\\begin{tabular}{ll}\na & b \\\\\nc & d\n\\end{tabular}"]
    + ["\\twocolumn", *(f"{WORDS}\n{WORDS}\n" for _ in range(12)), "\\end{document}", ""]
)
TWO = f"From the second file.\n\n{WORDS}\n{WORDS}\n\n{WORDS}\n"
FILES = {"main.tex": MAIN, "parts/two.tex": TWO}


def ask(command: list[str], folder: Path) -> dict[str, str]:
    """The first answer of the program, by its keys."""
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    answers: dict[str, str] = {}
    for key, value in re.findall(r"^(\w+):(.*)$", done.stdout, re.M):
        answers.setdefault(key, value)
    return answers


def asked(folder: Path) -> list[str]:
    rows = []
    for name, text in FILES.items():
        for line, words in enumerate(text.splitlines(), 1):
            if not words.strip():
                continue
            answer = ask(["synctex", "view", "-i", f"{line}:0:{name}", "-o", "main.pdf"], folder)
            if "Page" in answer:
                rows.append("\t".join(["view", name, str(line), answer["Page"], answer["h"], answer["v"]]))
    for page in (1, 2, 3):
        for x in range(140, 480, 37):
            for y in range(120, 660, 9):
                answer = ask(["synctex", "edit", "-o", f"{page}:{x}:{y}:main.pdf"], folder)
                if "Line" in answer:
                    name = answer["Input"].replace("/./", "/").removeprefix(f"{folder}/")
                    rows.append("\t".join(["edit", str(page), str(x), str(y), name, answer["Line"]]))
    return rows


def main() -> None:
    HERE.mkdir(exist_ok=True)
    for engine in ("pdflatex", "xelatex", "lualatex"):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for path, text in FILES.items():
                (folder / path).parent.mkdir(exist_ok=True)
                (folder / path).write_text(text)
            subprocess.run([engine, "-synctex=1", "-interaction=batchmode", "main.tex"], cwd=folder, stdout=subprocess.DEVNULL)
            packed = folder / "main.synctex.gz"
            text = gzip.decompress(packed.read_bytes()).decode().replace(name, "/build")
            (HERE / f"{engine}.synctex").write_text(text)
            (HERE / f"{engine}.tsv").write_text("\n".join(asked(folder)) + "\n")
        print(engine)


if __name__ == "__main__":
    main()
