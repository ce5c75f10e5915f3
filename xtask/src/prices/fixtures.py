"""Prints what LiteLLM's calculator says that calls cost, as fixtures for Aside's own.

Usage: fixtures.py PROVIDER... ; prints a line of JSON each: where this is from and the day, the price list, the fixtures.
"""

import datetime
import importlib.metadata
import json
import os
import sys

# The list of the installed version, not the one of the day.
os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm  # noqa: E402
from litellm.types.utils import CacheCreationTokenDetails, CompletionTokensDetailsWrapper  # noqa: E402
from litellm.types.utils import PromptTokensDetailsWrapper, Usage  # noqa: E402

# (input, cache_read, cache_write, cache_write_hour, output, reasoning)
CALLS = [
    (1_000, 0, 0, 0, 500, 0),
    (44_000, 41_000, 2_000, 0, 1_200, 700),
    (90_000, 10_000, 60_000, 50_000, 8_000, 0),
    (250_001, 200_000, 30_000, 10_000, 12_345, 6_000),
    (400_000, 0, 100_000, 0, 64_000, 32_000),
]
# The newest models of a list are at its end; older ones keep their quirks.
MODELS_OF_EACH = 6


def priced(entry):
    # Where the hour of the day counts, Aside takes the dearer price.
    return "off_peak_pricing" not in entry and all(entry.get(f"{kind}_cost_per_token") for kind in ("input", "output"))


def models_of(provider):
    names = [
        name
        for name, entry in litellm.model_cost.items()
        if entry.get("litellm_provider") == provider and entry.get("mode") == "chat" and priced(entry)
    ]
    tiers = [name for name in names if any("k_tokens" in key for key in litellm.model_cost[name])]
    reasoning = [name for name in names if "output_cost_per_reasoning_token" in litellm.model_cost[name]]
    step = max(1, len(names) // MODELS_OF_EACH)
    return list(dict.fromkeys(tiers[:2] + reasoning[:2] + names[::step]))[:MODELS_OF_EACH]


def is_fast(model):
    return "fast" in (litellm.model_cost[model].get("provider_specific_entry") or {})


def fast_models_of(provider):
    names = [name for name, entry in litellm.model_cost.items() if entry.get("litellm_provider") == provider]
    return [name for name in names if is_fast(name)]


def cost(provider, model, call, speed=None):
    given, read, write, hour, out, reasoning = call
    entry = litellm.model_cost[model]
    # A provider without a price for a kind of token doesn't report that kind.
    if "cache_read_input_token_cost" not in entry:
        read = 0
    if "cache_creation_input_token_cost" not in entry:
        write = hour = 0
    if "cache_creation_input_token_cost_above_1hr" not in entry:
        hour = 0
    details = CacheCreationTokenDetails(ephemeral_5m_input_tokens=write - hour, ephemeral_1h_input_tokens=hour)
    usage = Usage(
        prompt_tokens=given,
        completion_tokens=out,
        total_tokens=given + out,
        prompt_tokens_details=PromptTokensDetailsWrapper(
            cached_tokens=read, cache_creation_tokens=write, cache_creation_token_details=details
        ),
        completion_tokens_details=CompletionTokensDetailsWrapper(reasoning_tokens=reasoning),
        cache_read_input_tokens=read,
        cache_creation_input_tokens=write,
        speed=speed,
    )
    dollars = sum(litellm.cost_per_token(model=model, custom_llm_provider=provider, usage_object=usage))
    counted = {
        "input": given,
        "output": out,
        "cache_read": read,
        "cache_write": write,
        "cache_write_hour": hour,
        "reasoning": reasoning,
    }
    said = {"provider": provider, "model": model.removeprefix(f"{provider}/"), "usage": counted, "dollars": dollars}
    return said | ({"fast": True} if speed == "fast" else {})


source = {"source": f"LiteLLM {importlib.metadata.version('litellm')} (MIT)", "date": str(datetime.date.today())}
print(json.dumps(source))
print(json.dumps(litellm.model_cost))
providers = sys.argv[1:]
usual = [cost(p, model, call) for p in providers for model in models_of(p) for call in CALLS]
fast = [cost(p, model, call, "fast") for p in providers for model in fast_models_of(p) for call in CALLS]
print(json.dumps(usual + fast))
