"""Notebooks as nbformat writes them, a line of JSON each: `generate.py HOW_MANY`.

`cells`: kind, id and source of each cell, for a notebook with nothing but those. `loose`: what is written, in another layout
and order of names.
"""

import json
import random
import sys

import nbformat
from nbformat import v4

LETTERS = "ab \t\n\n\r\x00\x07\x0b\x0c\x1b\x1c\x1e\x7f\x85\u2028\u2029é😀\"\\/'$`<\ufeff\ue000\uffff"
KINDS = ["code", "markdown", "raw", "ai", "sql"]
drawn = random.Random(7)


def text(most=12):
    return "".join(drawn.choices(LETTERS, k=drawn.randrange(most)))


def value(depth=3):
    leaves = [text, lambda: drawn.choice([None, True, False, 0, -1, 10**30, 1.0, -0.0, 1e22, 1e-7, 0.1])]
    lists = [lambda: [value(depth - 1) for _ in range(drawn.randrange(4))], lambda: named(depth - 1)]
    return drawn.choice(leaves + lists if depth else leaves)()


def named(depth=2):
    return {text(5): value(depth) for _ in range(drawn.randrange(4))}


def output():
    data = {
        "text/plain": text(),
        "text/html": text(),
        "image/png": "aGk=\n",
        "image/svg+xml": text(),
        "application/javascript": text(),
        "application/json": value(),
        "application/vnd.tide.v1+json": named(),
    }
    data = {name: data[name] for name in drawn.sample(list(data), drawn.randrange(1, len(data)))}
    return drawn.choice(
        [
            lambda: v4.new_output("stream", name=drawn.choice(["stdout", "stderr"]), text=text(40)),
            lambda: v4.new_output("display_data", data, metadata=named()),
            lambda: v4.new_output("execute_result", data, execution_count=drawn.choice([None, 3])),
            lambda: v4.new_output("error", ename=text(), evalue=text(), traceback=[text(), text()]),
        ]
    )()


def cell(kind, key, source, full):
    ours = {"aside": {"cell": kind}} if kind in ("ai", "sql") else {}
    rest = {"metadata": {**named(), **ours} if full else ours, "id": key}
    if kind in ("markdown", "raw"):
        new = (v4.new_markdown_cell if kind == "markdown" else v4.new_raw_cell)(source, **rest)
        if full and drawn.random() < 0.5:
            new["attachments"] = {f"{text(4)}.png": {"image/png": "aGk=\n", "text/plain": text()}}
        return new
    if full:
        rest |= {"outputs": [output() for _ in range(drawn.randrange(4))], "execution_count": drawn.choice([None, 7])}
    return v4.new_code_cell(source, **rest)


def shuffled(value):
    if isinstance(value, list):
        return [shuffled(item) for item in value]
    if not isinstance(value, dict):
        return value
    names = drawn.sample(list(value), len(value))
    return {name: shuffled(value[name]) for name in names}


def loose(written):
    layout = drawn.choice([{"indent": 2}, {"separators": (",", ":")}, {"indent": "\t"}, {}])
    return json.dumps(shuffled(json.loads(written)), ensure_ascii=False, **layout)


for number in range(int(sys.argv[1])):
    full = number % 2 == 0
    cells = [(drawn.choice(KINDS), f"c{at}", text(40)) for at in range(drawn.randrange(6))]
    notebook = v4.new_notebook(cells=[cell(*one, full) for one in cells], metadata=named() if full else {})
    # Another version of the library may begin with another version of the format.
    notebook.nbformat_minor = 5
    written = nbformat.writes(notebook) + "\n"
    print(json.dumps({"cells": None if full else cells, "loose": loose(written), "written": written}))
