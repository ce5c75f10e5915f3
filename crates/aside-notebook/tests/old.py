"""Notebooks of the formats 1, 2 and 3 and the same as nbformat converts them, a line of JSON each: `old.py HOW_MANY`."""

import json
import logging
import random
import sys

import nbformat

LETTERS = "ab \t\n\n\ré😀\"\\/'$<#"
drawn = random.Random(11)
# Some of them break the schema, as real files do; they are converted all the same.
logging.disable(logging.CRITICAL)


def text(most=14):
    return "".join(drawn.choices(LETTERS, k=drawn.randrange(most)))


def lines(whole, major):
    """As one text, or as lines: format 2 and early programs of format 3 wrote them without their ends."""
    return drawn.choice([whole, whole.splitlines(), whole.splitlines(major == 3)])


def output(major):
    data = {
        "text": lines(text(), major),
        "html": lines(text(), major),
        "svg": lines(text(), major),
        "latex": lines(text(), major),
        "javascript": lines(text(), major),
        "png": "aGk=",
        "jpeg": "aGk=\n",
    }
    if major == 3:
        data["json"] = json.dumps({"tide": [1, 2.5, None]})
    some = {name: data[name] for name in drawn.sample(list(data), drawn.randrange(1, 4))}
    metadata = {"metadata": {"png": {"width": 3}}} if major == 3 and drawn.random() < 0.3 else {}
    error = {"ename": text(), "evalue": text(), "traceback": [text(), text()]}
    stream = {"stream": drawn.choice(["stdout", "stderr"])} if major == 3 else {}
    return drawn.choice(
        [
            {"output_type": "pyout", "prompt_number": drawn.randrange(9), **some, **metadata},
            {"output_type": "display_data", **some, **metadata},
            {"output_type": "pyerr", **error},
            {"output_type": "stream", "text": lines(text(30), major), **stream},
        ]
    )


def cell(major):
    metadata = {"metadata": drawn.choice([{}, {"tide": 1, "slides": {"slide_type": "skip"}}])} if major == 3 else {}
    kind = drawn.choice(["code", "markdown", "html", "raw", "heading"] if major == 3 else ["code", "markdown", "html"])
    if kind != "code":
        level = {"level": drawn.randrange(1, 7)} if kind == "heading" else {}
        return {"cell_type": kind, "source": lines(text(), major), **level, **metadata}
    count = drawn.choice([{}, {"prompt_number": drawn.randrange(9)}])
    collapsed = drawn.choice([{}, {"collapsed": True}, {"collapsed": False}])
    outputs = [output(major) for _ in range(drawn.randrange(3))]
    return {
        "cell_type": "code",
        "input": lines(text(), major),
        "language": "python",
        "outputs": outputs,
        **count,
        **collapsed,
        **metadata,
    }


def notebook(major):
    if major == 1:
        code = {"cell_type": "code", "code": text(), "prompt_number": drawn.randrange(9)}
        return {"cells": [drawn.choice([code, {"cell_type": "text", "text": text()}]) for _ in range(drawn.randrange(1, 4))]}
    sheets = [{"cells": [cell(major) for _ in range(drawn.randrange(4))]} for _ in range(drawn.choice([1, 1, 1, 2]))]
    minor = {"nbformat_minor": 0} if major == 3 else {}
    return {"metadata": {"name": text()}, "nbformat": major, "worksheets": sheets, **minor}


for _ in range(int(sys.argv[1])):
    old = json.dumps(notebook(drawn.choice([1, 2, 2, 3, 3])), ensure_ascii=False, indent=drawn.choice([None, 1, 4]))
    # As the library writes it: texts as lists of lines, and nothing of the format before.
    converted = json.loads(nbformat.writes(nbformat.reads(old, as_version=4), version=4))
    print(json.dumps({"old": old, "converted": converted}))
