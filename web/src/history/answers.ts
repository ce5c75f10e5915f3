/** Questions to the sidebar and the lines that answer them, as they are shown. Pure. */
import type { HistoryPlace, MetaAgentLine } from '../wire/gen/types';

/** A question that the model asked of the history. */
export interface Asked {
  readonly id: string;
  readonly name: string;
  readonly args: unknown;
  /** Absent while it is being answered. */
  readonly result?: { readonly ok: boolean; readonly data: unknown; readonly ms: number };
}

/** What was asked and how it was answered. */
export interface Exchange {
  readonly question: string;
  readonly text: string;
  readonly asked: readonly Asked[];
  /** The latest of it was a question to the history: what is said after that stands apart from what was said before. */
  readonly asking?: boolean;
  /** Why it did not come to an end. */
  readonly error?: string;
  readonly ended: boolean;
}

/** An exchange that has just begun. */
export function begun(question: string): Exchange {
  return { question, text: '', asked: [], ended: false };
}

/** Takes in a line of the answer. */
export function heard(exchange: Exchange, line: MetaAgentLine): Exchange {
  switch (line.type) {
    case 'token':
      return {
        ...exchange,
        text: exchange.text + (exchange.asking && exchange.text !== '' ? '\n\n' : '') + line.delta,
        asking: false,
      };
    case 'tool_call':
      return {
        ...exchange,
        asked: [...exchange.asked, { id: line.id, name: line.name, args: line.args }],
        asking: true,
      };
    case 'tool_result': {
      const result = { ok: line.ok, data: line.data, ms: line.duration_ms };
      const last = exchange.asked.findLastIndex(({ id, result: known }) => id === line.id && known === undefined);
      return { ...exchange, asked: exchange.asked.map((one, at) => (at === last ? { ...one, result } : one)) };
    }
    case 'error':
      return { ...exchange, error: line.message, ended: true };
    case 'done':
      return { ...exchange, ended: true };
  }
}

/** What is sent with the next question: what was said so far, without what could not be answered. */
export function conversation(exchanges: readonly Exchange[]): { role: string; content: string }[] {
  return exchanges
    .filter(({ error }) => error === undefined)
    .flatMap(({ question, text }) => [
      { role: 'user', content: question },
      ...(text === '' ? [] : [{ role: 'assistant', content: text }]),
    ]);
}

/** What a question is about, in few words. */
export function summary({ args }: Asked): string {
  if (typeof args !== 'object' || args === null) return '';
  const parts = Object.entries(args).map(
    ([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const text = parts.join(', ');
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** The sessions that an answer of the history rests on, each once. */
export function evidenceOf({ result }: Asked): HistoryPlace[] {
  const { evidence } = (typeof result?.data === 'object' && result.data !== null ? result.data : {}) as Answer;
  const places = (Array.isArray(evidence) ? evidence : []).flatMap((one: Partial<Place> | null): HistoryPlace[] => {
    const { session_id: session, file, offset } = one ?? {};
    return typeof session === 'string' ? [{ session, file: `${file ?? ''}`, offset: Number(offset ?? 0) }] : [];
  });
  return places.filter(({ session }, at) => places.findIndex((other) => other.session === session) === at);
}

interface Answer {
  readonly evidence?: unknown;
}

/** Where something stands, as the questions answer it. */
interface Place {
  readonly session_id: unknown;
  readonly file: unknown;
  readonly offset: unknown;
}

/** How a question went. */
export function state({ result }: Asked): string {
  if (!result) return 'running…';
  return `${result.ok ? 'done' : 'failed'}, ${result.ms} ms`;
}

const CALLING = [
  'qwen2.5',
  'qwen3',
  'llama3.1',
  'llama3.2',
  'llama3.3',
  'firefunction',
  'command-r',
  'mistral-nemo',
  'mistral-large',
  'mixtral',
  'gpt-oss',
];

/** A model of this machine; whether it calls tools, where its server says so. */
export interface LocalModel {
  name: string;
  tools: boolean | null;
}

/** Whether a model can ask questions of the history. */
export function callsTools({ name, tools }: LocalModel): boolean {
  return tools ?? likelyCalls(name);
}

/** The model that was chosen, else the first that can ask questions of the history, else any. */
export function chosenModel(models: readonly LocalModel[], name: string | null): LocalModel | undefined {
  return models.find((model) => model.name === name) ?? models.find(callsTools) ?? models[0];
}

/** Whether a model is likely to ask questions of the history, where its server does not say. */
export function likelyCalls(model: string): boolean {
  return CALLING.some((family) => model.startsWith(family));
}
