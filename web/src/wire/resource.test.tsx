// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { invalidate, known, useResource } from './resource';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
const read = vi.hoisted(() => vi.fn());
vi.mock('./requests', async (original) => ({ ...(await original<object>()), request: read }));

/** Hears between its first drawing and what follows it that something has changed. */
function Shows({ told }: { told: { yet: boolean } }) {
  const { data } = useResource<string>('a');
  if (!told.yet) invalidate('a');
  told.yet = true;
  return <p>{data}</p>;
}

test('what has changed before who shows it could hear of that is shown all the same', async () => {
  read.mockResolvedValue('as it is');
  const host = document.createElement('div');
  await act(async () => createRoot(host).render(<Shows told={{ yet: false }} />));
  expect(host.textContent).toBe('as it is');
});

test('what has changed is read anew by the next one who asks', async () => {
  read.mockResolvedValueOnce('first').mockResolvedValueOnce('second');
  expect([await known('b'), await known('b')]).toEqual(['first', 'first']);
  invalidate('b');
  expect(await known('b')).toBe('second');
});
