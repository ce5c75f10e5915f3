"""Writes src/snapshot/models.tsv from the table that LiteLLM ships: python suite/snapshot.py TABLE.json VERSION DATE"""

import json
import sys
from pathlib import Path

PROVIDERS = ["openai", "anthropic", "gemini", "groq", "mistral", "deepseek", "xai", "cerebras"]
CAPABILITIES = {"supports_function_calling": "tools", "supports_vision": "vision", "supports_reasoning": "thinking"}
HEADER = """# What is known of models whose services do not say: provider, model, context and longest answer in tokens, capabilities.
# From the table of LiteLLM {version} (MIT licence), {date}; written by suite/snapshot.py.
"""


def row(name: str, entry: dict) -> tuple | None:
    provider = entry.get("litellm_provider")
    if provider not in PROVIDERS or entry.get("mode") not in ("chat", "responses"):
        return None
    model = name.removeprefix(f"{provider}/")
    if "/" in model and provider in ("openai", "anthropic", "gemini") or model.startswith("ft:"):
        return None
    number = lambda field: str(entry[field]) if isinstance(entry.get(field), int) else "-"
    able = [word for field, word in CAPABILITIES.items() if entry.get(field)]
    return PROVIDERS.index(provider), provider, model, number("max_input_tokens"), number("max_output_tokens"), ",".join(able)


def main(table: str, version: str, date: str) -> None:
    entries = json.loads(Path(table).read_text())
    # A name with its provider in front comes later, and says more.
    named = {found[1:3]: found for name, entry in sorted(entries.items()) if (found := row(name, entry))}
    rows = sorted(named.values())
    lines = ["\t".join(found[1:]) + "\n" for found in rows]
    target = Path(__file__).parent.parent / "src/snapshot/models.tsv"
    target.write_text(HEADER.format(version=version, date=date) + "".join(lines))


main(*sys.argv[1:])
