import { afterEach, expect, test, vi } from 'vitest';
import type { ChatMessage, ChatPage } from '../wire/gen/types';

type Frame = Record<string, unknown>;

const { handlers, request } = vi.hoisted(() => ({
  handlers: new Map<string, (frame: Frame) => void>(),
  request: vi.fn(),
}));
vi.mock('../wire/requests', () => ({ request, newKey: () => 'key', failureOf: (error: unknown) => error }));
vi.mock('../wire/connection', () => ({
  connection: { on: (type: string, handler: (frame: Frame) => void) => handlers.set(type, handler) },
  useConnection: { subscribe: () => {} },
}));

const heard = vi.hoisted(() => ({ message: (_message: ChatMessage, _seq: number) => {} }));
vi.mock('./standings', () => ({
  learnStanding: () => {},
  onMessage: (listener: typeof heard.message) => {
    heard.message = listener;
  },
  useStandings: { getState: () => ({ standings: [{ chat: { id: 'chat', document: 'a.md' } }] }) },
}));

const { readLatest, useMessages } = await import('./messages');

afterEach(() => useMessages.setState({ chats: {} }));

const message = (id: string) => ({ id, chat: 'chat', at: 1, text: id }) as unknown as ChatMessage;
const page = (seq: number, ...ids: string[]) =>
  ({ messages: ids.map(message), more: false, seq }) as unknown as ChatPage;
const texts = () => useMessages.getState().chats['a.md']?.messages.map(({ text }) => text);

test('messages during loading are not lost', async () => {
  let answer: (page: ChatPage) => void = () => {};
  request.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
  const reading = readLatest('a.md');
  heard.message(message('2'), 2);
  answer(page(1, '1'));
  await reading;
  expect(texts()).toEqual(['1', '2']);
  expect(useMessages.getState().chats['a.md']?.seq).toBe(2);
});

test('missed messages are requested', async () => {
  request.mockResolvedValueOnce(page(1, '1'));
  await readLatest('a.md');
  request.mockResolvedValueOnce(page(3, '2', '3'));
  handlers.get('chats_missed')?.({});
  await vi.waitFor(() => expect(texts()).toEqual(['1', '2', '3']));
  expect(request.mock.lastCall?.[1]).toContain('since=1');
});
