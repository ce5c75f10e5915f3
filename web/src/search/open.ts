// The ways into the search.

import { isGuest } from '../app/session';
import { showNav } from '../app/shell';
import { changeFind, findNow, useFind } from './findStore';
import { useSearch } from './searchStore';

/** Shows the search with the keyboard in its box. A guest has *Find in files* alone. */
export function openSearch(): void {
  if (isGuest()) return openFind();
  showNav('search');
  useSearch.setState(({ asked }) => ({ asked: asked + 1 }));
}

/** Shows *Find in files* with the keyboard in its box; the selected text is what is looked for, unless another one is given. */
export function openFind(replace = false, text = selectedText()): void {
  if (text !== '') changeFind({ text });
  showNav('find');
  useFind.setState(({ asked, isReplacing }) => ({
    asked: asked + 1,
    isReplacing: (replace || isReplacing) && !isGuest(),
  }));
  if (text !== '') void findNow();
}

/** Shows *Find in files* with an expression. */
export function findExpression(text: string): void {
  changeFind({ regexp: true });
  openFind(false, text);
}

/** The selection, if it is within a line. */
function selectedText(): string {
  const field = document.activeElement;
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) {
    return within(field.value.slice(field.selectionStart ?? 0, field.selectionEnd ?? 0));
  }
  return within(getSelection()?.toString() ?? '');
}

const within = (text: string) => (/[\r\n]/.test(text) ? '' : text);
