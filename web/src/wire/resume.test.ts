import { describe, expect, it } from 'vitest';
import { backoff, isNext, resumeFrames } from './resume';

describe('resumeFrames', () => {
  it('reopens documents with their epoch and threads after their last entry', () => {
    const frames = resumeFrames(
      {
        threads: new Map([['t1', 7]]),
        documents: new Map([[3, { document: { kind: 'file', path: 'a.py' }, epoch: 'e1' }]]),
      },
      true,
    );
    expect(frames).toEqual([
      { type: 'focused' },
      { type: 'open_document', request: 3, document: { kind: 'file', path: 'a.py' }, epoch: 'e1' },
      { type: 'subscribe', thread: 't1', after: 7 },
    ]);
  });

  it('says nothing when nothing is wanted', () => {
    expect(resumeFrames({ threads: new Map(), documents: new Map() }, false)).toEqual([]);
  });
});

describe('backoff', () => {
  it('doubles, is spread, and stays under eight seconds', () => {
    expect(backoff(0, 1)).toBe(250);
    expect(backoff(3, 1)).toBe(2000);
    expect(backoff(3, 0)).toBe(1000);
    expect(backoff(40, 1)).toBe(8000);
  });
});

it('takes entries of a log each once and without gaps', () => {
  expect(isNext(4, 4)).toBe(false);
  expect(isNext(4, 5)).toBe(true);
  expect(isNext(4, 9)).toBe(false);
});
