// Model servers that are not there: an Ollama, and one that speaks chat completions. They answer at once, and keep what they were sent.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';

/** What a test has of it. */
export interface FakeModels {
  port: number;
  /** The bodies of the chats, in order. */
  chats: string[];
  /** The headers of all requests, in order. */
  headers: Record<string, unknown>[];
  /** The names Ollama says it has; `small` ones read little. */
  installed: string[];
  /** The compatible server was started without a parser of calls, and refuses tools. */
  refusesTools: boolean;
  /** Tools that Ollama's model calls, the first at the next chat that offers any; then it answers. */
  calls: { name: string; arguments: unknown; said?: string }[];
  /** What Ollama's model answers. */
  answer: string;
  /** Pulls that were begun, and those whose connection was closed before their end. */
  pulls: { begun: number; closed: number };
  /** Lets the pull that goes on come to its end. */
  finishPull(): void;
  close(): Promise<void>;
}

/** How many models the compatible server lists. */
export const LISTED = 400;
const SIZE = 2_500_000_000;
/** What vLLM says. */
const NO_TOOLS = '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set';

/** Starts both at one port; `host` is the address they can be reached at. */
export async function fakeModels(host = '127.0.0.1'): Promise<FakeModels> {
  const fake = {
    chats: [],
    headers: [],
    installed: ['qwen3:8b', 'gemma3:4b'],
    refusesTools: false,
    calls: [],
    answer: 'From Ollama.',
    pulls: { begun: 0, closed: 0 },
  } as unknown as FakeModels;
  let finish = () => {};
  const server = createServer((request, response) => void answer(request, response));
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request);
    fake.headers.push({ url: request.url, ...request.headers });
    const json = (value: unknown) => response.end(JSON.stringify(value));
    switch (request.url) {
      case '/api/tags':
        return void json({ models: fake.installed.map((name) => ({ name, model: name, size: SIZE })) });
      case '/api/show':
        return void json(shown(JSON.parse(body).model));
      case '/api/pull': {
        fake.pulls.begun += 1;
        response.on('close', () => {
          if (!response.writableEnded) fake.pulls.closed += 1;
        });
        const line = (value: unknown) => response.write(`${JSON.stringify(value)}\n`);
        line({ status: 'pulling manifest' });
        line({ status: 'pulling abc', digest: 'sha256:abc', total: SIZE, completed: SIZE / 4 });
        finish = () => {
          fake.installed.push(JSON.parse(body).model ?? JSON.parse(body).name);
          line({ status: 'success' });
          response.end();
        };
        return;
      }
      case '/v1/models':
        return void json({
          data: Array.from({ length: LISTED }, (_, index) => ({ id: `house/model-${index}`, object: 'model' })),
        });
      case '/api/chat': {
        fake.chats.push(body);
        const call = JSON.parse(body).tools?.length > 0 && fake.calls.shift();
        if (call) {
          const { said = '', ...named } = call;
          const message = { role: 'assistant', content: said, tool_calls: [{ function: named }] };
          return void json({ message, done: true, done_reason: 'stop', prompt_eval_count: 900, eval_count: 9 });
        }
        response.write(`${JSON.stringify({ message: { role: 'assistant', content: fake.answer }, done: false })}\n`);
        return void json({
          message: { role: 'assistant', content: '' },
          done: true,
          done_reason: 'stop',
          prompt_eval_count: 1200,
          eval_count: 5,
        });
      }
      case '/v1/audio/transcriptions':
        return void json(body.includes('name="model"') ? { text: 'split right' } : { error: 'no form' });
      case '/v1/chat/completions':
        fake.chats.push(body);
        if (fake.refusesTools && JSON.parse(body).tools?.length > 0) {
          response.statusCode = 400;
          return void json({ error: { message: NO_TOOLS } });
        }
        return void completion(response);
      default:
        response.statusCode = 404;
        response.end('{}');
    }
  }
  fake.port = await listening(server, host);
  fake.finishPull = () => finish();
  fake.close = () =>
    new Promise((done) => {
      server.closeAllConnections();
      server.close(() => done());
    });
  return fake;
}

/** An address of this machine that is not its own loopback, so that a server there counts as elsewhere. */
export function outsideAddress(): string | null {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? null;
}

function shown(name: string) {
  const small = {
    capabilities: ['completion'],
    model_info: { 'general.architecture': 'x', 'x.context_length': 12_288 },
  };
  if (name.startsWith('small')) return small;
  const capabilities = name.startsWith('gemma') ? ['completion', 'vision'] : ['completion', 'tools', 'thinking'];
  return { capabilities, model_info: { 'general.architecture': 'x', 'x.context_length': 40_960 } };
}

function completion(response: ServerResponse): void {
  const piece = (value: unknown) => response.write(`data: ${JSON.stringify(value)}\n\n`);
  response.setHeader('content-type', 'text/event-stream');
  piece({ choices: [{ index: 0, delta: { content: 'From elsewhere.' }, finish_reason: null }] });
  piece({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] });
  const usage = {
    prompt_tokens: 44_000,
    completion_tokens: 12,
    total_tokens: 44_012,
    prompt_tokens_details: { cached_tokens: 41_000 },
  };
  piece({ choices: [], usage });
  response.end('data: [DONE]\n\n');
}

async function text(request: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  return Buffer.concat(pieces).toString('utf8');
}

function listening(server: Server, host: string): Promise<number> {
  return new Promise((done) => server.listen(0, host, () => done((server.address() as AddressInfo).port)));
}
