"""The official clients of each provider read what the fake model server says: python clients.py URL [HABIT]

The fake plays one rich answer on every wire: a thought, a text, two calls, of which one has no arguments, and usage; or, by
its habit, it is busy, or fails in the middle of that answer.
"""

import sys

import anthropic
import ollama
import openai
from google import genai
from google.genai import errors

TEXT = "I read both: 🦀 é."
THOUGHT = "Let me see."
ARGS = {"path": "naïve.py", "lines": [1, 2]}
NAMES = ["doc_read", "file_list"]
ASK = [{"role": "user", "content": "Hello"}]


def same(what: str, found: object, wanted: object) -> None:
    if found != wanted:
        sys.exit(f"{what}: found {found!r}, wanted {wanted!r}")


def openai_chat(url: str) -> None:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    with client.chat.completions.stream(model="fake", messages=ASK, stream_options={"include_usage": True}) as stream:
        for _ in stream:
            pass
        answer = stream.get_final_completion()
    message = answer.choices[0].message
    same("chat: text", message.content, TEXT)
    same("chat: thinking", message.model_extra.get("reasoning_content"), THOUGHT)
    same("chat: names", [call.function.name for call in message.tool_calls], NAMES)
    same("chat: ids", [call.id for call in message.tool_calls], ["call_a", "call_b"])
    same("chat: arguments", [call.function.arguments for call in message.tool_calls][1], "")
    same("chat: finish", answer.choices[0].finish_reason, "tool_calls")
    same("chat: usage", (answer.usage.prompt_tokens, answer.usage.completion_tokens), (100, 20))
    same("chat: cached", answer.usage.prompt_tokens_details.cached_tokens, 40)
    same("chat: reasoning", answer.usage.completion_tokens_details.reasoning_tokens, 5)
    same("chat: models", [model.id for model in client.models.list()], ["fake"])


def openai_responses(url: str) -> None:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    with client.responses.stream(model="fake", input="Hello", store=False) as stream:
        for _ in stream:
            pass
        answer = stream.get_final_response()
    same("responses: text", answer.output_text, TEXT)
    reasoning, _, *calls = answer.output
    same("responses: thinking", [part.text for part in reasoning.summary], [THOUGHT])
    same("responses: sealed", reasoning.encrypted_content, "c2ln")
    same("responses: calls", [(call.call_id, call.name) for call in calls], [("call_a", NAMES[0]), ("call_b", NAMES[1])])
    same("responses: status", answer.status, "completed")
    same("responses: usage", (answer.usage.input_tokens, answer.usage.output_tokens), (100, 20))
    same("responses: cached", answer.usage.input_tokens_details.cached_tokens, 40)
    same("responses: reasoning", answer.usage.output_tokens_details.reasoning_tokens, 5)


def anthropic_messages(url: str) -> None:
    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    with client.messages.stream(model="fake", max_tokens=100, messages=ASK) as stream:
        answer = stream.get_final_message()
    thought, text, one, two = answer.content
    same("anthropic: thinking", (thought.thinking, thought.signature), (THOUGHT, "c2ln"))
    same("anthropic: text", text.text, TEXT)
    same("anthropic: calls", [(call.id, call.name, call.input) for call in (one, two)],
         [("call_a", NAMES[0], ARGS), ("call_b", NAMES[1], {})])
    same("anthropic: stop", answer.stop_reason, "tool_use")
    usage = answer.usage
    figures = (usage.input_tokens, usage.output_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens)
    same("anthropic: usage", figures, (50, 20, 40, 10))
    same("anthropic: written for an hour", usage.cache_creation.ephemeral_1h_input_tokens, 4)
    model = next(iter(client.models.list()))
    same("anthropic: models", (model.id, model.max_input_tokens, model.max_tokens), ("fake", 4096, 1024))


def gemini(url: str) -> None:
    client = genai.Client(api_key="none", http_options={"base_url": url, "api_version": "v1beta"})
    parts, last = [], None
    for chunk in client.models.generate_content_stream(model="fake", contents="Hello"):
        parts += chunk.candidates[0].content.parts
        last = chunk
    same("gemini: text", "".join(part.text for part in parts if part.text and not part.thought), TEXT)
    same("gemini: thinking", "".join(part.text for part in parts if part.thought), THOUGHT)
    calls = [part.function_call for part in parts if part.function_call]
    same("gemini: calls", [(call.id, call.name, call.args or {}) for call in calls],
         [("call_a", NAMES[0], ARGS), ("call_b", NAMES[1], {})])
    same("gemini: signatures", [part.thought_signature for part in parts if part.thought_signature], [b"sig"])
    same("gemini: finish", last.candidates[0].finish_reason.name, "STOP")
    usage = last.usage_metadata
    same("gemini: usage", (usage.prompt_token_count, usage.candidates_token_count, usage.thoughts_token_count), (100, 15, 5))
    same("gemini: cached", usage.cached_content_token_count, 40)
    model = next(iter(client.models.list(config={"query_base": True})))
    same("gemini: models", (model.name, model.input_token_limit, model.output_token_limit), ("models/fake", 4096, 1024))


def ollama_chat(url: str) -> None:
    client = ollama.Client(host=url)
    text, thought, calls, last = "", "", [], None
    for last in client.chat(model="fake", messages=ASK, stream=True):
        text += last.message.content or ""
        thought += last.message.thinking or ""
        calls += last.message.tool_calls or []
    same("ollama: text", text, TEXT)
    same("ollama: thinking", thought, THOUGHT)
    same("ollama: calls", [(call.function.name, call.function.arguments) for call in calls], list(zip(NAMES, [ARGS, {}])))
    same("ollama: usage", (last.prompt_eval_count, last.eval_count, last.done_reason), (100, 20, "stop"))
    shown = client.show("fake")
    same("ollama: show", (shown.capabilities, shown.modelinfo), (["completion"], {"fake.context_length": 4096}))
    same("ollama: list", [model.model for model in client.list().models], ["fake"])


class Told(Exception):
    """An error that a client hands out as an event."""


def chat_stream(url: str) -> None:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    for _ in client.chat.completions.create(model="fake", messages=ASK, stream=True):
        pass


def responses_stream(url: str) -> None:
    client = openai.OpenAI(base_url=f"{url}/v1", api_key="none", max_retries=0)
    for event in client.responses.create(model="fake", input="Hello", stream=True):
        if event.type == "error":
            raise Told(event.message)


def anthropic_stream(url: str) -> None:
    client = anthropic.Anthropic(base_url=url, api_key="none", max_retries=0)
    with client.messages.stream(model="fake", max_tokens=100, messages=ASK) as stream:
        stream.get_final_message()


def gemini_stream(url: str) -> None:
    client = genai.Client(api_key="none", http_options={"base_url": url, "api_version": "v1beta"})
    for _ in client.models.generate_content_stream(model="fake", contents="Hello"):
        pass


def ollama_stream(url: str) -> None:
    for _ in ollama.Client(host=url).chat(model="fake", messages=ASK, stream=True):
        pass


# Who asks, and what its client raises when the server is busy, and when it fails under HTTP 200.
STREAMS = [
    (chat_stream, openai.RateLimitError, openai.APIError),
    (responses_stream, openai.RateLimitError, Told),
    (anthropic_stream, anthropic.RateLimitError, anthropic.APIError),
    (gemini_stream, errors.ClientError, errors.APIError),
    (ollama_stream, ollama.ResponseError, ollama.ResponseError),
]


def raises(ask, url: str, error: type, words: str) -> None:
    try:
        ask(url)
    except error as found:
        if words not in str(found):
            sys.exit(f"{ask.__name__}: found {found!r}, wanted {words!r}")
        return
    sys.exit(f"{ask.__name__}: it was no error")


def main(url: str, habit: str = "") -> None:
    if habit in ("--busy", "--failing"):
        for ask, busy, failed in STREAMS:
            error, words = (busy, "Too much to do") if habit == "--busy" else (failed, "It broke")
            raises(ask, url, error, words)
            print(f"    {ask.__name__}: ok")
        return
    checks = [openai_chat, openai_responses, anthropic_messages, gemini, ollama_chat]
    if habit == "--quirks":
        # Google's client takes a comment line for data; its server sends none.
        checks.remove(gemini)
    for check in checks:
        check(url)
        print(f"    {check.__name__}: ok")


main(*sys.argv[1:])
