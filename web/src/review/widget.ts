/** The lines that a hunk brings, as a block under those it removes, with its buttons. */
import { highlightingFor, language } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { type EditorView, WidgetType } from '@codemirror/view';
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
    const { number, count, line, focused } = other;
    const placed = this.number === number && this.count === count && this.line === line && this.focused === focused;
    return placed && this.looksAs(other);
  }

  /** What stands in it is the same; its place among the others may be another. */
  private looksAs({ hunk, now }: HunkWidget): boolean {
    const { key, hash, answer, place } = this.hunk;
    const { accepted } = this.hunk;
    const same = key === hunk.key && hash === hunk.hash && answer === hunk.answer && accepted === hunk.accepted;
    return same && place.stale === hunk.place.stale && this.now.join('\n') === now.join('\n');
  }

  override get estimatedHeight(): number {
    return 20 * this.hunk.hunk.new.length + 32;
  }

  override toDOM(view: EditorView): HTMLElement {
    const group = element('div', 'cm-hunk');
    group.setAttribute('role', 'group');
    group.contentEditable = 'false';
    group.append(...newLines(view.state, this.hunk));
    if (this.isStale()) group.append(changedSince(this.hunk.hunk.old, this.now));
    if (!this.hunk.answer || this.isKept()) group.append(this.row(view));
    this.mark(group);
    return group;
  }

  /** An answer to one changes the numbers of all: those are written anew, the lines stay. */
  override updateDOM(group: HTMLElement, _: EditorView, from: HunkWidget): boolean {
    if (!this.looksAs(from)) return false;
    this.mark(group);
    return true;
  }

  /** Writes what depends on its place among the others. */
  private mark(group: HTMLElement): void {
    group.classList.toggle('cm-hunk-focused', this.focused);
    group.classList.toggle('cm-hunk-answered', this.hunk.answer !== null && !this.isKept());
    group.setAttribute('aria-label', this.label());
    const label = group.querySelector('.cm-hunk-label');
    if (label) label.textContent = `Change ${this.number} of ${this.count}`;
  }

  /** The buttons and their events are ours, not the editor's. */
  override ignoreEvent(): boolean {
    return true;
  }

  private label(): string {
    const kept = this.isKept() ? ', accepted' : '';
    return `Change ${this.number} of ${this.count}, line ${this.line}${this.isStale() ? ', out of date' : ''}${kept}`;
  }

  /** It was said yes to, and is made with the rest of its plan. */
  private isKept(): boolean {
    return this.hunk.accepted && this.hunk.answer === 'approve';
  }

  private isStale(): boolean {
    return this.hunk.place.stale && (!this.hunk.answer || this.isKept());
  }

  private row(view: EditorView): HTMLElement {
    const row = element('div', 'cm-hunk-row');
    row.append(element('span', 'cm-hunk-label'));
    if (this.hunk.place.stale) row.append(staleNote());
    if (this.hunk.place.stale) {
      row.append(button(view, 'Refresh', 'Alt-Y', '', () => this.answers.replan(this.hunk)));
    } else if (this.isKept()) {
      row.append(keptNote());
    } else {
      row.append(button(view, 'Accept', 'Alt-Y', 'cm-hunk-accept', () => this.answers.accept(this.hunk)));
    }
    row.append(button(view, 'Reject', 'Alt-N', 'cm-hunk-reject', () => this.answers.reject(this.hunk)));
    return row;
  }
}

function staleNote(): HTMLElement {
  const note = element('span', 'cm-hunk-stale');
  note.textContent = 'These lines changed after the proposal.';
  return note;
}

function keptNote(): HTMLElement {
  const note = element('span', 'cm-hunk-kept');
  note.textContent = 'Accepted. Applied once the whole plan is reviewed or confirmed.';
  return note;
}

/** What the place held when the change was proposed, and what it holds now. */
function changedSince(then: readonly string[], now: readonly string[]): HTMLElement {
  const box = element('div', 'cm-hunk-since');
  box.setAttribute('role', 'group');
  box.setAttribute('aria-label', 'Changes since the proposal');
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

/** One that is gone once it is pressed: the keyboard goes on in the text, where the change can be taken back. */
function button(view: EditorView, label: string, key: string, classes: string, press: () => void): HTMLElement {
  const made = element('button', `cm-hunk-button ${classes}`);
  made.setAttribute('type', 'button');
  made.title = `${label} (${key})`;
  made.textContent = label;
  made.addEventListener('keydown', (event) => {
    if (event.repeat) event.preventDefault();
  });
  made.addEventListener('mousedown', (event) => event.preventDefault());
  made.addEventListener('click', () => {
    press();
    view.focus();
  });
  return made;
}

function element<Name extends keyof HTMLElementTagNameMap>(name: Name, classes: string): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  made.className = classes.trim();
  return made;
}
