// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { Skipped } from './Skipped';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

test('skipped logs have count, example and hint', async () => {
  const kinds = [
    {
      program: 'Kiro',
      kind: 'log of a program that is not read',
      count: 1200,
      example: '/home/me/.kiro/a.json',
      hint: 'Wait',
    },
    { program: 'Kiro', kind: 'copy of a log (.bak)', count: 1, example: '/b.bak', hint: 'Rename it' },
  ];
  const host = document.createElement('div');
  await act(async () => createRoot(host).render(<Skipped kinds={kinds} />));
  expect(host.querySelector('summary')?.textContent).toBe('Not read: some logs of Kiro.');
  expect([...host.querySelectorAll('li')].map((row) => row.textContent)).toEqual([
    'Kiro, log of a program that is not read: 1,200, such as /home/me/.kiro/a.json. Wait',
    'Kiro, copy of a log (.bak): 1, such as /b.bak. Rename it',
  ]);
});
