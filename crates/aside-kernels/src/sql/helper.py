# Runs one SQL cell in the kernel of its notebook. Only the standard library is needed; pandas and duckdb are used if
# they are there. What the cell says comes as data, never as code.
import json
import os
import re
import sqlite3
import sys

MOST_ROWS = 10_000
MOST_BYTES = 900_000
MOST_TEXT = 20
PAGE = 5_000
MOST_KEPT = 1_000_000
STEPS = 10_000
FRAMES = ("", "frames")


class SQLError(Exception):
    """What IPython shows in place of a traceback through this helper."""

    def _render_traceback_(self):
        return [f"\x1b[0;31mSQL error\x1b[0m: {self}"]


def library(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def is_name(text):
    import keyword

    return text.isidentifier() and not keyword.iskeyword(text)


def statements(text):
    """Cuts a text of several statements; strings, comments and triggers hold no end."""
    found, rest = [], ""
    for part in re.split(r"(?<=;)", text):
        rest += part
        if sqlite3.complete_statement(rest):
            found.append(rest)
            rest = ""
    found.append(rest)
    blank = re.compile(r"(\s|;|--[^\n]*(\n|$)|/\*.*?\*/)*", re.S)
    return [one.strip() for one in found if not blank.fullmatch(one)]


def kind_of_file(path):
    if not os.path.exists(path):
        here = [name for name in sorted(os.listdir(os.path.dirname(path) or ".")) if name.endswith(DATABASES)]
        hint = f"; databases here: {', '.join(here[:10])}" if here else ""
        raise SQLError(f"there is no database {path!r} in {os.getcwd()}{hint}")
    if os.path.isdir(path):
        raise SQLError(f"{path!r} is a folder, not a database")
    with open(path, "rb") as file:
        head = file.read(16)
    if head[8:12] == b"DUCK":
        return "duckdb"
    if head == b"" or head.startswith(b"SQLite format 3\0"):
        return "sqlite"
    raise SQLError(f"{path!r} is not an SQLite or DuckDB database")


DATABASES = (".db", ".sqlite", ".sqlite3", ".db3", ".duckdb", ".ddb")


def fetched(cursor, keeps):
    """Columns, rows in pages, and how many rows there are. Only what is shown is held, unless a variable is to hold all of it;
    that is refused where it can't be meant, and never cut."""
    columns = [column[0] for column in cursor.description]
    rows, count = [], 0
    while True:
        page = cursor.fetchmany(PAGE)
        if not page:
            return columns, rows, count
        count += len(page)
        if keeps and count > MOST_KEPT:
            raise SQLError(f"more than {MOST_KEPT} rows: add a LIMIT, or clear the variable name to see only the first rows")
        if keeps or len(rows) < MOST_ROWS:
            rows += page


def run_sqlite(connection, query, names, keeps):
    """Runs all statements in one transaction; returns what the last one gives."""
    # Python hears of an interrupt only where some of it runs; here that ends the statement.
    connection.set_progress_handler(lambda: 0, STEPS)
    result = None
    cursor = connection.cursor()
    try:
        for statement in statements(query):
            cursor.execute(statement, names)
            if cursor.description is None:
                result = cursor.rowcount
            else:
                result = fetched(cursor, keeps)
        cursor.close()
        connection.commit()
    except BaseException as error:
        # Who holds the error holds the cursor, and with it what is locked for it; to close the connection ends neither.
        cursor.close()
        connection.rollback()
        if isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted":
            raise KeyboardInterrupt from None
        raise
    return result


def run_duckdb(connection, query, names, keeps):
    """Runs all statements; returns the rows of the last one, or how many it changed."""
    if not hasattr(connection, "extract_statements"):
        raise SQLError(f"this DuckDB is too old: update it with `{sys.executable} -m pip install -U duckdb`")
    result = None
    for statement in connection.extract_statements(query):
        parameters = {name: names[name] for name in statement.named_parameters if name in names}
        cursor = connection.execute(statement, parameters or None)
        kinds = {kind.name for kind in statement.expected_result_type}
        # What changes rows gives one number under this name, unless it says what else it returns.
        counts = "CHANGED_ROWS" in kinds and [column[0] for column in cursor.description or []] == ["Count"]
        if counts and "returning" not in statement.query.lower():
            changed = cursor.fetchone()
            result = changed[0] if changed else -1
        elif kinds == {"NOTHING"}:
            result = -1
        else:
            result = fetched(cursor, keeps)
    return result


def frames_of(names, query):
    """The data frames that the query may mean, by name."""
    words = set(re.findall(r"\w+", query))
    is_frame = lambda value: type(value).__name__ == "DataFrame" and hasattr(value, "columns")
    return {name: names[name] for name in words if name in names and is_frame(names[name])}


def run_frames(query, names, keeps):
    frames = frames_of(names, query)
    duckdb = library("duckdb")
    if duckdb:
        connection = duckdb.connect()
        try:
            for name, frame in frames.items():
                connection.register(name, frame)
            return run_duckdb(connection, query, names, keeps)
        finally:
            connection.close()
    connection = sqlite3.connect(":memory:")
    try:
        for name, frame in frames.items():
            frame = frame if hasattr(frame, "to_sql") else frame.to_pandas()
            frame.to_sql(name, connection, index=False)
        return run_sqlite(connection, query, names, keeps)
    finally:
        connection.close()


def run_file(path, query, names, keeps):
    path = os.path.expanduser(path)
    if kind_of_file(path) == "sqlite":
        connection = sqlite3.connect(path)
        run = run_sqlite
    else:
        duckdb = library("duckdb")
        if not duckdb:
            raise SQLError(f"{path!r} is a DuckDB database: to read it, run `{sys.executable} -m pip install duckdb`")
        connection = duckdb.connect(path)
        run = run_duckdb
    try:
        return run(connection, query, names, keeps)
    finally:
        connection.close()


def plain(value):
    """A value as JSON has it, with nothing lost in its spelling."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 1 << 53 else str(value)
    if isinstance(value, float):
        return value if value == value and abs(value) != float("inf") else str(value)
    if isinstance(value, (bytes, memoryview)):
        data = bytes(value)
        return "0x" + data[:64].hex() + ("…" if len(data) > 64 else "")
    return str(value)


def kind_of_column(values):
    known = {bool: "boolean", int: "integer", float: "number", str: "string"}
    kinds = {known.get(type(value), "any") for value in values if value is not None}
    if kinds == {"integer", "number"}:
        return "number"
    return kinds.pop() if len(kinds) == 1 else "string" if not kinds else "any"


def distinct(columns):
    """Columns by their names, each its own."""
    seen, names = {}, []
    for column in columns:
        seen[column] = seen.get(column, 0) + 1
        names.append(column if seen[column] == 1 else f"{column}_{seen[column]}")
    return names


def as_variable(columns, rows):
    pandas = library("pandas")
    if pandas:
        return pandas.DataFrame.from_records(rows, columns=columns)
    return [dict(zip(columns, row)) for row in rows]


def bounded(columns, rows):
    shown, size = [], 0
    for row in rows[:MOST_ROWS]:
        one = {column: plain(value) for column, value in zip(columns, row)}
        size += len(json.dumps(one))
        if shown and size > MOST_BYTES:
            break
        shown.append(one)
    return shown


def as_text(columns, rows, count, note):
    cells = [[str(column) for column in columns]]
    cells += [["NULL" if value is None else str(plain(value))[:60] for value in row] for row in rows[:MOST_TEXT]]
    widths = [max(len(row[at]) for row in cells) for at in range(len(columns))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in cells]
    lines.insert(1, "  ".join("-" * width for width in widths))
    if count > MOST_TEXT:
        lines.append("…")
    return "\n".join([*lines, note])


def as_html(columns, rows, count, note):
    from html import escape

    cell = lambda value: "<td><i>NULL</i></td>" if value is None else f"<td>{escape(str(plain(value))[:500])}</td>"
    head = "".join(f"<th>{escape(str(column))}</th>" for column in columns)
    body = "".join(f"<tr>{''.join(map(cell, row))}</tr>" for row in rows[:MOST_TEXT])
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table><p>{escape(note)}</p>"


def show(data):
    try:
        from IPython.display import display

        display(data, raw=True)
    except ImportError:
        print(data["text/plain"])


def told(count, variable):
    rows = "1 row" if count == 1 else f"{count} rows"
    return f"{rows}, also in {variable}" if variable else rows


def run(names, asked):
    asked = json.loads(asked)
    query, place, variable = asked["query"], asked["connection"], asked["result"]
    if variable and not is_name(variable):
        raise SQLError(f"{variable!r} is not a valid variable name: use letters, digits and `_`, no digit first, and no Python keyword")
    try:
        keeps = bool(variable)
        result = run_frames(query, names, keeps) if place in FRAMES else run_file(place, query, names, keeps)
    except SQLError as error:
        raise error from None
    except Exception as error:
        unknown = place in FRAMES and re.search("no such table|does not exist", str(error))
        hint = "\nNo database is set above: this query runs on the kernel's data frames." if unknown else ""
        raise SQLError(f"{type(error).__name__}: {error}{hint}") from None
    if not isinstance(result, tuple):
        done = "done" if result is None or result < 0 else "1 row changed" if result == 1 else f"{result} rows changed"
        return show({"text/plain": done})
    columns, rows, count = distinct(result[0]), result[1], result[2]
    if variable:
        names[variable] = as_variable(columns, rows)
    shown, note = bounded(columns, rows), told(count, variable)
    fields = [{"name": name, "type": kind_of_column([row[at] for row in rows[:1000]])} for at, name in enumerate(columns)]
    table = {"schema": {"fields": fields}, "data": shown, "aside": {"rows": count, "variable": variable}}
    show(
        {
            "application/vnd.dataresource+json": table,
            "text/html": as_html(columns, rows, count, note),
            "text/plain": as_text(columns, rows, count, note),
        }
    )
