# Says what is defined in a kernel and changes nothing of it. Only the standard library is needed; nothing that may be long
# is made whole to be cut afterwards. What is asked comes as data, never as code.
import itertools
import json
import time
import types

SECONDS = 2.0
MOST_ITEMS = 20
MOST_COLUMNS = 40
MOST_BITS = 4000


class Answer:
    """A text that is shown as it is."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def safely(look, otherwise=None):
    """What belongs to somebody else can fail in any way when it is looked at."""
    try:
        return look()
    except Exception:
        return otherwise


def short(value, most, depth=3):
    kind = type(value)
    if kind is int and value.bit_length() > MOST_BITS:
        return f"a number of {value.bit_length()} bits"
    if kind is str:
        return repr(value[:most])
    if kind in (bytes, bytearray):
        return repr(bytes(value[:most]))
    if kind in (list, tuple, set, frozenset, dict):
        return items(value, most, depth)
    if kind.__repr__ is object.__repr__:
        return ""
    return safely(lambda: repr(value), "")


def items(value, most, depth):
    if depth == 0:
        return "…"
    pairs = value.items() if isinstance(value, dict) else value
    found = []
    for item in itertools.islice(pairs, MOST_ITEMS):
        if isinstance(value, dict):
            found.append(f"{short(item[0], most, depth - 1)}: {short(item[1], most, depth - 1)}")
        else:
            found.append(short(item, most, depth - 1))
        if sum(map(len, found)) > most:
            break
    rest = ["…"] if len(found) < len(value) else []
    left, right = {list: "[]", tuple: "()"}.get(type(value), "{}")
    return left + ", ".join(found + rest) + right


def text_of(value, most):
    if isinstance(value, types.ModuleType):
        return value.__name__
    if isinstance(value, types.FunctionType):
        import inspect

        return safely(lambda: str(inspect.signature(value)), "")
    if isinstance(value, type):
        return f"{value.__module__}.{value.__qualname__}"
    if safely(lambda: hasattr(value, "columns") and hasattr(value, "dtypes") and hasattr(value, "shape"), False):
        types_of = safely(lambda: dict(zip(value.columns, value.dtypes)))
        if types_of is not None:
            named = [f"{name}: {kind}" for name, kind in itertools.islice(types_of.items(), MOST_COLUMNS)]
            return ", ".join(named + (["…"] if len(types_of) > MOST_COLUMNS else []))
    return short(value, most)


def shape_of(value):
    shape = safely(lambda: value.shape)
    if type(shape) is tuple and all(type(size) is int for size in shape):
        return list(shape)
    return None


def length_of(value):
    return len(value) if isinstance(value, (str, bytes, bytearray, list, tuple, set, frozenset, dict)) else None


def named(names):
    """What a person has defined: not what IPython brought along, and not what is hidden by its name."""
    shell = safely(lambda: names["get_ipython"]())
    brought = safely(lambda: dict(shell.user_ns_hidden), {})
    for name, value in list(names.items()):
        own = name not in brought or brought[name] is not value
        if own and not name.startswith("_") and name not in ("In", "Out", "get_ipython", "exit", "quit", "open"):
            yield name, value


def look(names, asked):
    asked = json.loads(asked)
    end = time.monotonic() + SECONDS
    wanted, apart, find = asked["names"], set(asked["apart"]), asked["find"].lower()
    found, more, kept = [], 0, 0
    for name, value in named(names):
        if (wanted and name not in wanted) or find not in name.lower():
            continue
        if name in apart:
            kept += 1
            continue
        if len(found) >= asked["most"]:
            more += 1
            continue
        one = {"name": name, "type": type(value).__name__, "module": str(type(value).__module__)}
        if time.monotonic() < end:
            text = text_of(value, asked["each"])
            cut = len(text) > asked["each"]
            one.update(shape=shape_of(value), length=length_of(value), value=text[: asked["each"]] + ("…" if cut else ""))
            dtype = safely(lambda: str(value.dtype) if hasattr(value, "dtype") else None)
            one["dtype"] = dtype[:80] if isinstance(dtype, str) else None
        found.append(one)
    return Answer(json.dumps({"variables": found, "more": more, "kept": kept}))
