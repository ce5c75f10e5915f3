// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { isBeingFilled } from './forms';

beforeEach(() => {
  document.body.innerHTML = `
    <div id="panel-one"><input type="text"><input type="search"><textarea></textarea></div>
    <div id="panel-two"><input type="text" value="given"></div>`;
});

/** Types into a field as a person does. */
function type(selector: string, value: string): void {
  const field = document.querySelector<HTMLInputElement | HTMLTextAreaElement>(selector);
  if (!field) throw new Error(`no ${selector}`);
  field.value = value;
  field.dispatchEvent(new Event('input', { bubbles: true }));
}

it('a form with typed text is being filled', () => {
  for (const field of ['#panel-one [type=text]', '#panel-one textarea']) {
    expect(isBeingFilled('one')).toBe(false);
    type(field, 'nightly');
    expect([isBeingFilled('one'), isBeingFilled('two'), isBeingFilled('gone')]).toEqual([true, false, false]);
    type(field, '');
  }
});

it('a search is no form', () => {
  type('#panel-one [type=search]', 'words');
  expect(isBeingFilled('one')).toBe(false);
});
