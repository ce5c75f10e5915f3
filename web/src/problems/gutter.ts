/** The problems of a file in its editor: a mark beside the line, a line under the text, and what is wrong on demand. */
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import type { Extension, Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import type { Problem } from '../wire/gen/types';
import { HelpMeFix } from './HelpMeFix';
import { placed } from './places';

const SEVERITIES = { error: 'error', warning: 'warning', info: 'info', badbox: 'hint' } as const;

/** What an editor needs to show problems. */
export const problemGutter: Extension = [
  lintGutter(),
  EditorView.theme({
    '.cm-tooltip-lint, .cm-tooltip.cm-tooltip-lint': { maxWidth: '32rem' },
    '.cm-lintRange-hint': { backgroundImage: 'none' },
    '.cm-diagnostic': { whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: 'var(--font-ui)' },
    '.cm-diagnostic-error': { borderLeftColor: 'var(--err)' },
    '.cm-diagnostic-warning': { borderLeftColor: 'var(--warn)' },
  }),
];

/** Shows these problems, in place of those before; problems without a line show in the list only. */
export function showProblems(view: EditorView, problems: readonly Problem[]): void {
  const found = problems
    .filter((problem) => problem.line !== null)
    .map((problem) => diagnostic(view.state.doc, problem));
  view.dispatch(setDiagnostics(view.state, found));
}

function diagnostic(doc: Text, problem: Problem): Diagnostic {
  return {
    ...stretch(doc, placed(problem)),
    severity: SEVERITIES[problem.severity],
    source: problem.program ?? problem.source,
    message: problem.message,
    renderMessage: () => message(problem),
  };
}

/** The characters that are wrong where they are known, else the line without its indent. */
function stretch(doc: Text, { line: number, end_line, column, end_column }: Problem): { from: number; to: number } {
  const line = doc.line(Math.min(number ?? 1, doc.lines));
  const indent = line.text.length - line.text.trimStart().length;
  const whole = { from: line.from + (indent === line.text.length ? 0 : indent), to: line.to };
  if (column === null) return whole;
  const from = line.from + unitsBefore(line.text, column);
  const last = doc.line(Math.min(end_line ?? line.number, doc.lines));
  const to = end_column === null ? line.to : last.from + unitsBefore(last.text, end_column);
  // A stretch without a character still has to be seen.
  return {
    from: to > from ? from : Math.max(line.from, Math.min(from, line.to - 1)),
    to: Math.max(to, Math.min(from + 1, line.to)),
  };
}

/** Columns count characters from 1; a text counts UTF-16 units. */
function unitsBefore(text: string, column: number): number {
  let units = 0;
  for (const character of text) {
    if (--column < 1) break;
    units += character.length;
  }
  return units;
}

/** What is wrong, and the ways to get help with it. */
function message(problem: Problem): Node {
  const box = document.createElement('div');
  box.append(Object.assign(document.createElement('div'), { textContent: problem.message }));
  if (problem.source === 'language_server' && problem.detail) {
    box.append(Object.assign(document.createElement('small'), { textContent: problem.detail }));
  }
  if (problem.severity === 'error' || problem.severity === 'warning') {
    const help = document.createElement('div');
    box.append(help);
    const root = createRoot(help);
    root.render(createElement(HelpMeFix, { problem }));
    whenGone(box, () => root.unmount());
  }
  return box;
}

/** Calls `done` once an element that was shown is in no document any more; its size becomes nothing then. */
function whenGone(element: HTMLElement, done: () => void): void {
  const observer = new ResizeObserver(() => {
    if (element.isConnected) return;
    observer.disconnect();
    done();
  });
  observer.observe(element);
}
