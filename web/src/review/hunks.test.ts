import { Text } from '@codemirror/state';
import { expect, test } from 'vitest';
import { forSeeds } from '../testing/random';
import { editRecord, hunk } from '../testing/records';
import { neighbour, openHunks, placeHunk, proposalsAmong, reviewSummary } from './hunks';

const DOC = Text.of(['one', 'two', 'three', 'four']);
const at = (line: number) => DOC.line(line).from;

test('open hunks are undecided and in line order', () => {
  const decided = { part: 0, decision: 'approve', action: 'act_9', by: 'ada', at: 0 } as const;
  const records = [
    editRecord([hunk(0, 1, ['a'], ['b']), hunk(1, 40, ['c'], ['d'])], { parts: [decided] }, 'act_1'),
    editRecord([hunk(0, 7, ['e'], ['f'])], {}, 'act_2'),
    editRecord([hunk(0, 3, ['e'], ['f'])], { state: 'done' }, 'act_3'),
  ];
  const open = openHunks(records, [], 'model.py');
  expect(open.map((each) => each.key)).toEqual(['act_2/0', 'act_1/1']);
  expect(proposalsAmong(open).map(([first]) => first?.key)).toEqual(['act_2/0', 'act_1/1']);
  expect(openHunks(records, [], 'other.py')).toEqual([]);
});

test('a hunk stands on its whole lines', () => {
  expect(placeHunk(DOC, hunk(0, 2, ['two', 'three'], ['2']), at(2))).toEqual({
    from: at(2),
    to: DOC.line(3).to,
    stale: false,
  });
});

test('a position at a line end means below', () => {
  expect(placeHunk(DOC, hunk(0, 2, ['two'], []), DOC.line(1).to)).toMatchObject({ from: at(2), stale: false });
});

test('an insertion stands before its line', () => {
  const insertion = hunk(0, 2, [], ['new']);
  expect(placeHunk(DOC, insertion, at(2))).toEqual({ from: at(2), to: at(2), stale: false });
  expect(placeHunk(DOC, insertion, DOC.length)).toEqual({ from: DOC.length, to: DOC.length, stale: false });
  expect(placeHunk(DOC, insertion, DOC.line(1).to)).toEqual({ from: at(2), to: at(2), stale: false });
});

test('lines that somebody changed meanwhile make it stale', () => {
  expect(placeHunk(DOC, hunk(0, 2, ['zwei'], ['2']), at(2)).stale).toBe(true);
  expect(placeHunk(DOC, hunk(0, 4, ['four', 'five'], ['2']), at(4)).stale).toBe(true);
});

test('line numbers without anchor need the same text', () => {
  expect(placeHunk(DOC, hunk(0, 3, ['three'], ['3']), null)).toMatchObject({ from: at(3), stale: false });
  expect(placeHunk(DOC, hunk(0, 2, ['three'], ['3']), null).stale).toBe(true);
  expect(placeHunk(DOC, hunk(0, 3, [], ['x'], { before: ['two'], after: ['three'] }), null).stale).toBe(false);
  expect(placeHunk(DOC, hunk(0, 2, [], ['x'], { before: ['two'] }), null).stale).toBe(true);
});

test('every hunk is placed inside the text', () => {
  forSeeds(200, (random) => {
    const lines = Array.from({ length: 1 + random.below(9) }, () => random.pick(['', 'a', 'b', '\tc', '🎉']));
    const doc = Text.of(lines);
    const first = 1 + random.below(doc.lines);
    const count = random.below(doc.lines - first + 2);
    const place = placeHunk(
      doc,
      hunk(0, first, lines.slice(first - 1, first - 1 + count), ['x']),
      doc.line(first).from,
    );
    expect(place.stale).toBe(false);
    expect(place.from).toBe(doc.line(first).from);
    if (count > 0)
      expect(doc.sliceString(place.from, place.to)).toBe(lines.slice(first - 1, first - 1 + count).join('\n'));
    const anywhere = placeHunk(doc, hunk(0, first, ['zz'], []), random.below(doc.length + 1));
    expect(anywhere.from).toBeLessThanOrEqual(anywhere.to);
    expect(anywhere.to).toBeLessThanOrEqual(doc.length);
  });
});

test('next and previous go round', () => {
  expect([neighbour(3, -1, 1), neighbour(3, 2, 1), neighbour(3, 0, -1), neighbour(0, -1, 1)]).toEqual([0, 0, 2, -1]);
});

test('says how many changes whose', () => {
  expect(reviewSummary(1, ['rehearsal/demo', 'rehearsal/demo'])).toBe('1 change proposed by rehearsal/demo');
  expect(reviewSummary(5, [])).toBe('5 changes proposed');
});
