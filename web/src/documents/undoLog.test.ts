import { describe, expect, it } from 'vitest';
import { acted, dropped, emptyLog, reconciled, retyped, typed, type UndoLog, untyped } from './undoLog';

/** `typing a1 | a2<u2`: what can be undone, then what can be done again. */
function drawn(log: UndoLog): string {
  const words = (entries: UndoLog['undo']) =>
    entries
      .map((entry) =>
        entry.kind === 'typing' ? 'typing' : entry.undo ? `${entry.action}<${entry.undo}` : entry.action,
      )
      .join(' ');
  return `${words(log.undo)} | ${words(log.redo)}`;
}
const start = typed(acted(typed(emptyLog), 'a1', null));

it('keeps typing and actions in the order they happened', () => {
  expect(drawn(start)).toBe('typing a1 typing | ');
});

it('takes typing back and does it again', () => {
  expect(drawn(untyped(start))).toBe('typing a1 | typing');
  expect(drawn(retyped(untyped(start)))).toBe('typing a1 typing | ');
});

it('forgets what was taken back once something new is typed', () => {
  expect(drawn(typed(untyped(start)))).toBe('typing a1 typing | ');
});

describe('an action that is taken back', () => {
  const back = acted(untyped(start), 'u1', 'a1');

  it('goes over to redo with the action that took it back', () => {
    expect(drawn(back)).toBe('typing | typing a1<u1');
  });

  it('comes back as the action that did it again', () => {
    expect(drawn(acted(back, 'r1', 'u1'))).toBe('typing r1 | typing');
  });

  it('is found wherever it is in the order, for its card has an Undo too', () => {
    expect(drawn(acted(start, 'u1', 'a1'))).toBe('typing typing | a1<u1');
  });
});

it('takes an undo of something unknown for a change like any other', () => {
  expect(drawn(acted(start, 'u9', 'a9'))).toBe('typing a1 typing u9 | ');
});

it('hears of an action twice and counts it once', () => {
  expect(acted(start, 'a1', null)).toBe(start);
});

it('passes over what turned out to be impossible', () => {
  const entry = start.undo[1];
  expect(entry && drawn(dropped(start, entry))).toBe('typing typing | ');
});

it('drops typing that the editor has dropped, the latest first', () => {
  expect(drawn(reconciled(start, 1, 0))).toBe('typing a1 | ');
  expect(drawn(reconciled(untyped(start), 1, 0))).toBe('typing a1 | ');
});
