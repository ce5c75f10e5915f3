//! Text in notebooks and what their kernels put out, where the agent of notebooks works; and in sessions of other programs.

use super::{Place, file};

/// The notebook that the person looks at.
pub const NOTEBOOK: &str = "run.ipynb";

const fn beside(
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    reads: &'static [(&'static str, &'static str)],
) -> Place {
    Place { focus: NOTEBOOK, ..file(name, files, reads) }
}

/// An environment with a kernel that nobody gets to start.
const KERNEL: [(&str, &str); 3] = [
    (".venv/pyvenv.cfg", ""),
    (".venv/bin/python", ""),
    (
        ".venv/share/jupyter/kernels/python3/kernel.json",
        r#"{"argv": ["false", "{connection_file}"], "display_name": "Python 3", "language": "python"}"#,
    ),
];

pub const CELL_OUTPUT: Place = beside(
    "what a cell had put out, for the agent of notebooks",
    &[
        KERNEL[0],
        KERNEL[1],
        KERNEL[2],
        (
            NOTEBOOK,
            r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": 1, "metadata": {}, "source": "1", "outputs": [{"output_type": "stream", "name": "stdout", "text": "$"}]}]}"#,
        ),
    ],
    &[("notebook.read", r#"{"path":"run.ipynb","cells":["one"]}"#)],
);
pub const AI_CELL_PROMPT: Place = beside(
    "the prompt of an AI cell that came with the notebook",
    &[
        KERNEL[0],
        KERNEL[1],
        KERNEL[2],
        (
            NOTEBOOK,
            r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": 1, "metadata": {}, "source": "1", "outputs": [{"output_type": "stream", "name": "stdout", "text": "1"}]}, {"cell_type": "code", "id": "two", "execution_count": null, "metadata": {"aside": {"cell": "ai"}}, "source": "$", "outputs": []}]}"#,
        ),
    ],
    &[("notebook.read", r#"{"path":"run.ipynb","cells":["two"]}"#)],
);
pub const FAILED_CELL: Place = beside(
    "the traceback of a cell",
    &[
        KERNEL[0],
        KERNEL[1],
        KERNEL[2],
        (
            NOTEBOOK,
            r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": 1, "metadata": {}, "source": "1", "outputs": [{"output_type": "error", "ename": "E", "evalue": "$", "traceback": ["$"]}]}]}"#,
        ),
    ],
    &[("notebook.read", r#"{"path":"run.ipynb","cells":["one"]}"#)],
);
pub const PAST_SESSION: Place = Place {
    session: Some("@ tides"),
    ..file(
        "what was said in a session of another program",
        &[],
        &[("history.search_past_decisions", r#"{"query":"tides"}"#)],
    )
};
pub const PAST_SESSION_BESIDE: Place = Place {
    session: Some("@ tides"),
    focus: NOTEBOOK,
    ..file(
        "the same, for the agent of notebooks",
        &[
            KERNEL[0],
            KERNEL[1],
            KERNEL[2],
            (
                NOTEBOOK,
                r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": null, "metadata": {}, "source": "1", "outputs": []}]}"#,
            ),
        ],
        &[("history.search_past_decisions", r#"{"query":"tides"}"#)],
    )
};

const fn live(
    name: &'static str,
    files: &'static [(&'static str, &'static str)],
    reads: &'static [(&'static str, &'static str)],
) -> Place {
    Place { live: true, ..beside(name, files, reads) }
}

/// A notebook that the task has nothing to do with.
const OTHER: (&str, &str) = (
    "other.ipynb",
    r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": null, "metadata": {}, "source": "1", "outputs": []}]}"#,
);

pub const LIVE_OUTPUT: Place = live(
    "what a cell puts out that is run",
    &[
        ("data.txt", "@\n"),
        OTHER,
        (
            NOTEBOOK,
            r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": null, "metadata": {}, "source": "print(open('data.txt').read())", "outputs": []}]}"#,
        ),
    ],
    &[("cell.run", r#"{"path":"run.ipynb","cells":["one"],"wait":true}"#)],
);
pub const VARIABLE: Place = live(
    "the value of a variable",
    &[
        ("data.txt", "@"),
        OTHER,
        (
            NOTEBOOK,
            r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": null, "metadata": {}, "source": "x = open('data.txt').read()", "outputs": []}]}"#,
        ),
    ],
    &[
        ("cell.run", r#"{"path":"run.ipynb","cells":["one"],"wait":true}"#),
        ("kernel.variables", r#"{"path":"run.ipynb","names":["x"]}"#),
    ],
);
pub const ROWS: Place = live(
    "a row that a statement of SQL returns",
    &[
        ("data.txt", "@"),
        (
            NOTEBOOK,
            r#"{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "id": "one", "execution_count": null, "metadata": {}, "source": "import sqlite3\nbase = sqlite3.connect('tides.db')\nbase.execute('create table t(a)')\nbase.execute('insert into t values(?)', (open('data.txt').read(),))\nbase.commit()\nbase.close()", "outputs": []}, {"cell_type": "code", "id": "two", "execution_count": null, "metadata": {"aside": {"cell": "sql", "connection": "tides.db", "result": ""}}, "source": "select a from t", "outputs": []}]}"#,
        ),
    ],
    &[("cell.run", r#"{"path":"run.ipynb","cells":["one","two"],"wait":true}"#)],
);
