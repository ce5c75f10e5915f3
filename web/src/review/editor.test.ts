// @vitest-environment happy-dom
import { EditorState, StateEffect } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import * as Y from 'yjs';
import { learn, useActions } from '../actions/store';
import { editRecord, hunk } from '../testing/records';
import type { ActionRecord, Hunk } from '../wire/gen/types';
import { RequestFailed } from '../wire/requests';
import { review } from './editor';
import { reviewField } from './field';
import { REPLAN } from './refresh';
import { currentReviewer } from './store';

const TEXT = 'import math\n\ndef ht(x):\n    return x\n\nprint(ht(1))\n';
const sent = vi.hoisted(() => vi.fn());

vi.mock('../wire/actions', () => ({ decideAction: sent, undoAction: sent }));
vi.mock('../actions/sync', () => ({ startActions: () => {} }));

let view: EditorView;
let doc: Y.Doc;

/** An anchor as the server makes them: at the first character of a line. */
function anchored(part: number, line: number, old: string[], replacement: string[]): Hunk {
  const at =
    TEXT.split('\n')
      .slice(0, line - 1)
      .join('\n').length + (line > 1 ? 1 : 0);
  const start = encoded(at);
  return hunk(part, line, old, replacement, { anchor: { start, end: start } });
}

function encoded(at: number): string {
  const relative = Y.createRelativePositionFromTypeIndex(doc.getText('text'), at);
  return btoa(String.fromCharCode(...Y.encodeRelativePosition(relative)));
}

function rename(): ActionRecord {
  return editRecord([
    anchored(0, 3, ['def ht(x):'], ['def height(x):']),
    anchored(1, 6, ['print(ht(1))'], ['print(height(1))']),
  ]);
}

function groups(): string[] {
  return [...view.dom.querySelectorAll('[role=group]')].map((group) => group.getAttribute('aria-label') ?? '');
}

function press(label: string, index = 0): void {
  const buttons = [...view.dom.querySelectorAll('button')].filter((button) => button.textContent === label);
  buttons[index]?.click();
}

beforeEach(async () => {
  useActions.setState({ records: new Map(), deciding: new Map(), renewed: new Set(), problems: new Map() });
  sent.mockReset();
  doc = new Y.Doc();
  doc.getText('text').insert(0, TEXT);
  const state = EditorState.create({ doc: TEXT, extensions: [review('model.py', doc)] });
  view = new EditorView({ state, parent: document.body });
  // happy-dom says that the selection changed while it is being changed, which no browser does.
  view.focus = () => {};
  await Promise.resolve();
});

afterEach(() => view.destroy());

test('each open change is a labelled group', () => {
  learn(rename());
  expect(groups()).toEqual(['Change 1 of 2, line 3', 'Change 2 of 2, line 6']);
  expect(view.dom.querySelectorAll('.cm-hunk-old')).toHaveLength(2);
  expect([...view.dom.querySelectorAll('.cm-hunk-new')].map((line) => line.textContent)).toEqual([
    'def height(x):',
    'print(height(1))',
  ]);
  expect(view.state.doc.toString()).toBe(TEXT);
});

test('answers are sent one after the other', async () => {
  const record = rename();
  learn(record);
  let answerFirst = (_: { record: ActionRecord }) => {};
  sent.mockReturnValueOnce(new Promise((resolve) => (answerFirst = resolve)));
  sent.mockReturnValue(new Promise(() => {}));
  press('Accept');
  press('Reject');
  expect(sent).toHaveBeenCalledTimes(1);
  answerFirst({ record: { ...record, parts: [{ part: 0, decision: 'approve', action: 'act_2', by: 'ada', at: 0 }] } });
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(sent.mock.calls[1]?.[1]).toMatchObject({ decision: 'reject', parts: [1] });
});

test('an answer names part and preview, once', () => {
  const record = rename();
  learn(record);
  sent.mockReturnValue(new Promise(() => {}));
  press('Accept', 1);
  expect(sent.mock.calls).toEqual([['act_1', { decision: 'approve', hash: record.approval_hash, parts: [1] }]]);
  press('Accept');
  expect(sent).toHaveBeenCalledTimes(1);
});

test('a decided change leaves, the others are renumbered', () => {
  const record = rename();
  learn(record);
  learn({ ...record, parts: [{ part: 0, decision: 'reject', action: null, by: 'ada', at: 0 }] });
  expect(groups()).toEqual(['Change 1 of 1, line 6']);
});

test('typing moves a change, or outdates it', () => {
  learn(rename());
  view.dispatch({ changes: { from: 0, insert: '# one\n# two\n' } });
  expect(groups()).toEqual(['Change 1 of 2, line 5', 'Change 2 of 2, line 8']);
  const line = view.state.doc.line(5);
  view.dispatch({ changes: { from: line.from + 4, insert: 'x' } });
  expect(groups()[0]).toBe('Change 1 of 2, line 5, out of date');
  expect(groups()[1]).toBe('Changes since the proposal');
  const rows = [...view.dom.querySelectorAll('.cm-hunk-since > div')].map((row) => row.textContent);
  expect(rows).toEqual(['− then: def ht(x):', '+ now: def xht(x):']);
  view.dispatch({ changes: { from: line.from + 4, to: line.from + 5 } });
  expect(groups()[0]).toBe('Change 1 of 2, line 5');
});

test('a change without anchor keeps its moved place', () => {
  const record = editRecord([
    hunk(0, 3, ['def ht(x):'], ['def height(x):']),
    hunk(1, 6, ['print(ht(1))'], ['print(2)']),
  ]);
  learn(record);
  view.dispatch({ changes: { from: 0, insert: '# one\n# two\n' } });
  learn({ ...record, parts: [{ part: 0, decision: 'reject', action: null, by: 'ada', at: 0 }] });
  expect(groups()).toEqual(['Change 1 of 1, line 8']);
});

test('an outdated change is refreshed or rejected only', () => {
  learn(editRecord([anchored(0, 3, ['def other(x):'], ['def height(x):'])]));
  expect([...view.dom.querySelectorAll('.cm-hunk button')].map((button) => button.textContent)).toEqual([
    'Refresh',
    'Reject',
  ]);
  sent.mockReturnValue(new Promise(() => {}));
  press('Refresh');
  expect(sent.mock.calls[0]?.[1]).toMatchObject({ decision: 'reject', parts: [0] });
});

test('answer and next change are one editor update', () => {
  learn(rename());
  sent.mockReturnValue(new Promise(() => {}));
  currentReviewer()?.goTo(1);
  const updates = vi.fn();
  view.dispatch({ effects: StateEffect.appendConfig.of(EditorView.updateListener.of(updates)) });
  updates.mockClear();
  currentReviewer()?.answer('accept');
  expect(updates).toHaveBeenCalledTimes(1);
  const { hunks, focused } = view.state.field(reviewField);
  expect(hunks.map(({ answer }) => answer)).toEqual(['approve', null]);
  expect(focused).toBe(hunks[1]?.key);
});

test('the accept key refreshes an outdated change', () => {
  learn(editRecord([anchored(0, 3, ['def other(x):'], ['def height(x):'])]));
  sent.mockReturnValue(new Promise(() => {}));
  currentReviewer()?.goTo(1);
  currentReviewer()?.answer('accept');
  expect(sent.mock.calls[0]?.[1]).toMatchObject({ decision: 'reject', reason: REPLAN, parts: [0] });
});

test('accepting all leaves the outdated change', async () => {
  const record = editRecord([
    anchored(0, 3, ['def other(x):'], ['def height(x):']),
    anchored(1, 4, ['    return x'], ['    return 2 * x']),
    anchored(2, 6, ['print(ht(1))'], ['print(height(1))']),
  ]);
  learn(record);
  sent.mockResolvedValue({ record });
  await currentReviewer()?.decideAll('accept');
  expect(sent.mock.calls.map(([, decision]) => decision)).toEqual([
    { decision: 'approve', hash: record.approval_hash, parts: [1, 2] },
  ]);
  currentReviewer()?.goTo(1);
  currentReviewer()?.acceptAction();
  await vi.waitFor(() => expect(sent).toHaveBeenCalledTimes(2));
  expect(sent.mock.calls[1]?.[1]).toMatchObject({ decision: 'approve', parts: [1, 2] });
});

test('keys cycle through changes and answer them', () => {
  learn(rename());
  const review = currentReviewer();
  expect(review?.goTo(1)).toBe('Change 1 of 2, line 3: removes 1 line, adds 1 line');
  expect(review?.goTo(-1)).toContain('Change 2 of 2');
  sent.mockReturnValue(new Promise(() => {}));
  review?.answer('reject');
  expect(sent.mock.calls[0]).toEqual(['act_1', { decision: 'reject', hash: 'a'.repeat(64), parts: [1] }]);
});

test('the first key only selects a change', () => {
  learn(rename());
  view.dispatch({ selection: { anchor: view.state.doc.line(5).from } });
  expect(currentReviewer()?.answer('accept')).toContain('Change 2 of 2');
  expect(sent).not.toHaveBeenCalled();
});

test('repeated keys answer successive changes', () => {
  learn(rename());
  sent.mockReturnValue(new Promise(() => {}));
  const review = currentReviewer();
  review?.goTo(1);
  review?.answer('accept');
  review?.answer('reject');
  expect([...view.state.field(reviewField).hunks].map((each) => each.answer)).toEqual(['approve', 'reject']);
});

test('keys act on the next change after answers', () => {
  const record = rename();
  learn(record);
  currentReviewer()?.goTo(1);
  learn({ ...record, parts: [{ part: 0, decision: 'approve', action: 'act_2', by: 'ada', at: 0 }] });
  expect(view.state.field(reviewField).focused).toBe('act_1/1');
});

test("an answer is shown as if given, and taken back with the server's word against it", async () => {
  const record = rename();
  learn(record);
  const lines = () => [...view.dom.querySelectorAll('.cm-line, .cm-hunk-new')].map((line) => line.textContent);
  const before = lines();
  let refuse = (_: unknown) => {};
  sent.mockReturnValueOnce(new Promise((_, reject) => (refuse = reject)));
  sent.mockReturnValue(new Promise(() => {}));
  press('Accept');
  expect(lines().slice(2, 4)).toEqual(['def height(x):', '    return x']);
  expect(view.state.doc.toString()).toBe(TEXT);
  press('Reject');
  expect(lines().slice(-3)).toEqual(['', 'print(ht(1))', '']);
  refuse(new RequestFailed(409, { code: 'stale', message: 'no longer what was shown', data: record }));
  await vi.waitFor(() => expect(lines()).toEqual(before.filter((line) => line !== 'print(height(1))')));
});

test('existing lines get new numbers', () => {
  const record = rename();
  learn(record);
  const second = () => view.dom.querySelectorAll('.cm-hunk')[1] ?? view.dom.querySelector('.cm-hunk');
  const element = second();
  learn({ ...record, parts: [{ part: 0, decision: 'reject', action: null, by: 'ada', at: 0 }] });
  expect(second()).toBe(element);
  expect(element?.textContent).toContain('Change 1 of 1');
});

test('other actions leave the editor alone', () => {
  learn(rename());
  const before = view.state.field(reviewField);
  const other = editRecord([]);
  learn({ ...other, envelope: { ...other.envelope, id: 'act_other' } });
  expect(view.state.field(reviewField)).toBe(before);
});

test('a change being accepted is never outdated', () => {
  learn(rename());
  sent.mockReturnValue(new Promise(() => {}));
  press('Accept');
  const line = view.state.doc.line(3);
  view.dispatch({ changes: { from: line.from, to: line.to, insert: 'def height(x):' } });
  expect(groups()).toEqual(['Change 2 of 2, line 6']);
});
