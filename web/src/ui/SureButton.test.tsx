// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test, vi } from 'vitest';
import { SureButton } from './SureButton';

(globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;

test('is pressed twice, and asks again once it has lost the keyboard', async () => {
  const onSure = vi.fn();
  const host = document.body.appendChild(document.createElement('div'));
  await act(async () => createRoot(host).render(<SureButton verb="Revoke" what="script" onSure={onSure} />));
  const button = host.querySelector('button') as HTMLButtonElement;
  const press = () => act(async () => button.click());
  button.focus();
  await press();
  expect([onSure.mock.calls.length, button.getAttribute('aria-label')]).toEqual([0, 'Really revoke script']);
  await act(async () => button.blur());
  await press();
  expect(onSure).not.toHaveBeenCalled();
  await press();
  expect(onSure).toHaveBeenCalledOnce();
});
