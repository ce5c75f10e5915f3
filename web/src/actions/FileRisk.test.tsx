// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { beforeEach, expect, test, vi } from 'vitest';
import { editRecord, hunk } from '../testing/records';
import type { ActionRecord } from '../wire/gen/types';
import { FileRisk } from './FileRisk';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const read = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request: read }));

const WAITS = editRecord([hunk(0, 3, ['a'], ['b'])]);

async function shown(record: ActionRecord): Promise<string> {
  const host = document.createElement('div');
  await act(async () => createRoot(host).render(<FileRisk record={record} />));
  return host.textContent ?? '';
}

beforeEach(() => read.mockReset());

test('a waiting change shows earlier failures', async () => {
  read.mockResolvedValue({ line: 'reverted twice in June' });
  expect(await shown(WAITS)).toBe('reverted twice in June');
  const asked = JSON.stringify(read.mock.calls[0]);
  expect(asked).toContain('history/risk?path=');
});

test('a completed change requests no risk', async () => {
  expect(await shown({ ...WAITS, state: 'done' })).toBe('');
  expect(read).not.toHaveBeenCalled();
});
