// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { Problems } from './Problems';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const read = vi.hoisted(() => vi.fn());
vi.mock('../wire/requests', async (original) => ({ ...(await original<object>()), request: read }));

test('what could not be read is named with its place when it is asked for', async () => {
  const problems = [
    { path: '/logs/closed', reason: 'Permission denied' },
    { path: '/logs/a.jsonl', offset: 70, reason: 'not a JSON object' },
  ];
  read.mockResolvedValue({ problems, more: false });
  const host = document.createElement('div');
  await act(async () => createRoot(host).render(<Problems count={2} />));
  expect(host.textContent).toContain('in 2 places');
  expect(read).not.toHaveBeenCalled();
  const details = host.querySelector('details');
  await act(async () => {
    details?.setAttribute('open', '');
    details?.dispatchEvent(new Event('toggle'));
  });
  const rows = [...host.querySelectorAll('li')].map((row) => row.textContent);
  expect(rows).toEqual(['/logs/closed Permission denied', '/logs/a.jsonl:70 not a JSON object']);
  expect(JSON.stringify(read.mock.calls[0])).toContain('history/problems?from=0');
});
