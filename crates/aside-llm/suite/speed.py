"""Reads recorded streams with the official clients, without a network: python speed.py FOLDER

Prints `reading NAME<TAB>MB/s` for each, the best of some rounds, after the client's own set-up.
"""

import sys
import time
from pathlib import Path

import anthropic
import httpx
import httpx2
import ollama
import openai
from google import genai

ROUNDS = 3
ASK = [{"role": "user", "content": "Hello"}]


def transport(kind: str, body: bytes, http=httpx):
    answer = lambda request: http.Response(200, headers={"content-type": kind}, content=body)
    return http.Client(transport=http.MockTransport(answer))


def chat(body: bytes):
    client = openai.OpenAI(api_key="none", http_client=transport("text/event-stream", body))
    return lambda: client.chat.completions.create(model="fake", messages=ASK, stream=True)


def responses(body: bytes):
    client = openai.OpenAI(api_key="none", http_client=transport("text/event-stream", body))
    return lambda: client.responses.create(model="fake", input="Hello", stream=True)


def messages(body: bytes):
    client = anthropic.Anthropic(api_key="none", http_client=transport("text/event-stream", body, httpx2))
    return lambda: client.messages.create(model="fake", max_tokens=100, messages=ASK, stream=True)


def gemini(body: bytes):
    options = {"httpx_client": transport("text/event-stream", body)}
    client = genai.Client(api_key="none", http_options=options)
    return lambda: client.models.generate_content_stream(model="fake", contents="Hello")


def local(body: bytes):
    client = ollama.Client()
    client._client = transport("application/x-ndjson", body)
    client._client.base_url = "http://127.0.0.1"
    return lambda: client.chat(model="fake", messages=ASK, stream=True)


def measure(name: str, ask, size: int) -> None:
    best = float("inf")
    for _ in range(ROUNDS):
        started = time.perf_counter()
        for _ in ask():
            pass
        best = min(best, time.perf_counter() - started)
    print(f"reading {name}\t{size / 1e6 / best}")


def main(folder: str) -> None:
    streams = [("ollama", local), ("chat", chat), ("responses", responses), ("anthropic", messages), ("gemini", gemini)]
    for name, client in streams:
        body = Path(folder, name).read_bytes()
        measure(name, client(body), len(body))


main(*sys.argv[1:])
