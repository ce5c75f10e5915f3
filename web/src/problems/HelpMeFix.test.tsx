// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { useSession } from '../app/session';
import { useConnection } from '../wire/connection';
import type { Session } from '../wire/gen/types';
import { HelpMeFix } from './HelpMeFix';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const read = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request: read }));

const session = (owner: boolean) => ({ person: { owner } }) as Session;

async function buttons(): Promise<string[]> {
  const host = document.createElement('div');
  await act(async () => createRoot(host).render(<HelpMeFix logs={[]} />));
  return [...host.querySelectorAll('button')].map((button) => button.textContent ?? '');
}

beforeEach(() => {
  read.mockReset();
  useConnection.setState({ status: 'online' });
  useSession.setState({ state: { phase: 'open', session: session(true), locked: false } });
});

test('nothing is offered before it is known how far AI goes; what is known stays while the server is gone', async () => {
  let tell = (_: object) => {};
  read.mockReturnValue(new Promise((resolve) => (tell = resolve)));
  expect(await buttons()).toEqual([]);
  await act(async () => tell({ level: 'partial', because: [], restrictions: [] }));
  expect(await buttons()).toEqual(['Get a hint']);
  await act(async () => useConnection.setState({ status: 'offline' }));
  expect(await buttons()).toEqual(['Get a hint']);
});

test('a guest, who has no assistant, is offered nothing', async () => {
  useSession.setState({ state: { phase: 'open', session: session(false), locked: false } });
  expect(await buttons()).toEqual([]);
});
