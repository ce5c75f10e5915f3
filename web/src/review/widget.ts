/** The lines that a hunk brings, as a block under those it removes, with its buttons. */
import { highlightingFor, language } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { WidgetType } from '@codemirror/view';
import { highlightCode } from '@lezer/highlight';
import { segmentsOf } from '../actions/hidden';
import { pairLines } from './changed';
import type { PlacedHunk } from './field';

/** What the buttons of a hunk do. */
export interface HunkAnswers {
  accept(hunk: PlacedHunk): void;
  reject(hunk: PlacedHunk): void;
  /** Asks for it again, for the text as it is now. */
  replan(hunk: PlacedHunk): void;
}

/** A hunk's block; `number` of `count` is its place among the open ones. */
export class HunkWidget extends WidgetType {
  constructor(
    readonly hunk: PlacedHunk,
    readonly number: number,
    readonly count: number,
    readonly line: number,
    readonly focused: boolean,
    /** The lines that are where it was made for, if they are others than then. */
    readonly now: readonly string[],
    readonly answers: HunkAnswers,
  ) {
    super();
  }

  override eq(other: HunkWidget): boolean {
    const same = (one: HunkWidget) => [
      one.hunk.key,
      one.hunk.hash,
      one.number,
      one.count,
      one.line,
      one.focused,
      one.hunk.deciding,
      one.hunk.place.stale,
      one.now.join('\n'),
    ];
    return same(this).join() === same(other).join();
  }

  override get estimatedHeight(): number {
    return 20 * this.hunk.hunk.new.length + 32;
  }

  override toDOM(view: { state: EditorState }): HTMLElement {
    const group = element(
      'div',
      `cm-hunk${this.focused ? ' cm-hunk-focused' : ''}${this.hunk.deciding ? ' cm-hunk-deciding' : ''}`,
    );
    group.setAttribute('role', 'group');
    group.setAttribute('aria-label', this.label());
    group.contentEditable = 'false';
    const since = this.hunk.place.stale && !this.hunk.deciding ? [changedSince(this.hunk.hunk.old, this.now)] : [];
    group.append(...newLines(view.state, this.hunk), ...since, this.row());
    return group;
  }

  /** The buttons and their events are ours, not the editor's. */
  override ignoreEvent(): boolean {
    return true;
  }

  private label(): string {
    const stale = this.hunk.place.stale && !this.hunk.deciding ? ', stale' : '';
    return `Change ${this.number} of ${this.count}, line ${this.line}${stale}`;
  }

  private row(): HTMLElement {
    const row = element('div', 'cm-hunk-row');
    const label = element('span', 'cm-hunk-label');
    label.textContent = `Change ${this.number} of ${this.count}`;
    row.append(label);
    if (this.hunk.deciding) return row;
    if (this.hunk.place.stale) row.append(staleNote());
    row.append(
      this.hunk.place.stale
        ? button('Refresh', 'Alt-Y', '', () => this.answers.replan(this.hunk))
        : button('Accept', 'Alt-Y', 'cm-hunk-accept', () => this.answers.accept(this.hunk)),
      button('Reject', 'Alt-N', 'cm-hunk-reject', () => this.answers.reject(this.hunk)),
    );
    return row;
  }
}

function staleNote(): HTMLElement {
  const note = element('span', 'cm-hunk-stale');
  note.textContent = 'These lines have changed since it was proposed.';
  return note;
}

/** What the place held when the change was proposed, and what it holds now. */
function changedSince(then: readonly string[], now: readonly string[]): HTMLElement {
  const box = element('div', 'cm-hunk-since');
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'What has changed since it was proposed');
  const same = (line: string, others: readonly string[]) => others.includes(line);
  const rows = [
    ...then.filter((line) => !same(line, now)).map((line) => ['−', 'then', line] as const),
    ...now.filter((line) => !same(line, then)).map((line) => ['+', 'now', line] as const),
  ];
  for (const [sign, when, line] of rows) {
    const row = element('div', `cm-hunk-${when}`);
    row.textContent = `${sign} ${when}: ${line}`;
    box.append(row);
  }
  return box;
}

function newLines(state: EditorState, { hunk }: PlacedHunk): HTMLElement[] {
  if (hunk.new.length === 0) return [];
  const pairs = pairLines(hunk.old, hunk.new);
  const lines = hunk.new.map(() => element('div', 'cm-hunk-new'));
  let line = 0;
  let offset = 0;
  const put = (text: string, classes: string) => {
    const pair = pairs[line];
    for (const piece of cutAt(text, offset, pair?.from, pair?.newTo)) {
      lines[line]?.append(...spans(piece.text, `${classes}${piece.inside ? ' cm-hunk-changed' : ''}`));
    }
    offset += text.length;
  };
  highlight(state, hunk.new.join('\n'), put, () => {
    line++;
    offset = 0;
  });
  for (const each of lines) if (!each.hasChildNodes()) each.append(document.createElement('br'));
  return lines;
}

function highlight(
  state: EditorState,
  text: string,
  put: (text: string, classes: string) => void,
  lineBreak: () => void,
): void {
  const parser = state.facet(language)?.parser;
  if (parser) {
    highlightCode(text, parser.parse(text), { style: (tags) => highlightingFor(state, tags) }, put, lineBreak);
    return;
  }
  text.split('\n').forEach((line, index) => {
    if (index > 0) lineBreak();
    put(line, '');
  });
}

/** Cuts a run of text where the changed middle of its line begins and ends. */
function cutAt(text: string, offset: number, from = 0, to = 0): { text: string; inside: boolean }[] {
  const start = Math.min(Math.max(from - offset, 0), text.length);
  const end = Math.min(Math.max(to - offset, start), text.length);
  return [
    { text: text.slice(0, start), inside: false },
    { text: text.slice(start, end), inside: true },
    { text: text.slice(end), inside: false },
  ].filter((piece) => piece.text !== '');
}

function spans(text: string, classes: string): HTMLElement[] {
  return segmentsOf(text).map((segment) => {
    const span = element('span', segment.code ? 'cm-hunk-hidden' : classes);
    span.textContent = segment.code ?? segment.text;
    return span;
  });
}

function button(label: string, key: string, classes: string, press: () => void): HTMLElement {
  const made = element('button', `cm-hunk-button ${classes}`);
  made.setAttribute('type', 'button');
  made.title = `${label} (${key})`;
  made.textContent = label;
  made.addEventListener('keydown', (event) => {
    if (event.repeat) event.preventDefault();
  });
  made.addEventListener('click', press);
  return made;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, classes: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = classes.trim();
  return made;
}
