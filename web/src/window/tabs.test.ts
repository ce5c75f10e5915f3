import { describe, expect, it } from 'vitest';
import { apply, emptyFrames, type Frame, type FrameOp, type Frames, panesOf, type Tab } from '../frames/tree';
import { closedBetween, closeTabs, orderTabs, placed, reopenTabs, unplaced } from './tabs';

const file = (path: string): Tab => ({ id: `tab-${path}`, view: { kind: 'file', path } });
const open = (path: string): FrameOp => ({ type: 'open', tab: file(path) });
const activate = (path: string): FrameOp => ({ type: 'activate', tab: `tab-${path}` });
const run = (...ops: FrameOp[]): Frames => ops.reduce(apply, emptyFrames('p1'));
const close = (frames: Frames, ...paths: string[]) => closeTabs(frames, new Set(paths.map((path) => `tab-${path}`)));

/** `[a *b] | [c]`, as in tree.test.ts. */
function drawn(frame: Frame): string {
  if (frame.kind === 'split') return `(${frame.frames.map(drawn).join(frame.direction === 'row' ? ' | ' : ' / ')})`;
  return `[${frame.tabs.map((tab) => (tab.id === frame.active ? '*' : '') + tab.id.slice(4)).join(' ')}]`;
}

const four = run(open('a'), open('b'), open('c'), open('d'), activate('b'));
const beside = (tab: string): FrameOp => ({
  type: 'split',
  pane: 'p1',
  side: 'right',
  newPane: 'p2',
  newSplit: 's',
  tab: file(tab),
});

describe('closed tabs', () => {
  it('come back in their places', () => {
    const closed = close(four, 'a', 'c', 'd');
    expect(drawn(closed.root)).toBe('[*b]');
    const { frames, reopened } = reopenTabs(closed, closedBetween(four, closed), []);
    expect(drawn(frames.root)).toBe('[a *b c d]');
    expect(reopened.map(({ tab }) => tab.id)).toEqual(['tab-a', 'tab-c', 'tab-d']);
  });

  it('show again what a pane showed', () => {
    const closed = close(four, 'a', 'b', 'c', 'd');
    expect(drawn(closed.root)).toBe('[]');
    expect(drawn(reopenTabs(closed, closedBetween(four, closed), []).frames.root)).toBe('[a *b c d]');
  });

  it('bring back the panes that closed with them', () => {
    const split = [beside('x'), open('y')].reduce(apply, four);
    for (const gone of [
      ['x', 'y'],
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd', 'x', 'y'],
    ]) {
      const closed = close(split, ...gone);
      expect(panesOf(closed.root)).toHaveLength(1);
      const { frames } = reopenTabs(closed, closedBetween(split, closed), [split.root]);
      expect(drawn(frames.root)).toBe('([a *b c d] | [x *y])');
    }
  });

  it('tabs without a pane go to the focused', () => {
    const split = apply(four, beside('x'));
    const closed = close(split, 'x');
    const tabs = closedBetween(split, closed);
    expect(drawn(reopenTabs(closed, tabs, []).frames.root)).toBe('[*x a b c d]');
    const another = apply(closed, { ...beside('z'), newPane: 'p3' } as FrameOp);
    expect(drawn(reopenTabs(another, tabs, [split.root]).frames.root)).toBe('([a *b c d] | [*x z])');
  });

  it('that are open again are left alone', () => {
    const closed = close(four, 'a', 'c');
    const again = apply(closed, { type: 'open', tab: { ...file('a'), id: 'another' } });
    const { frames, reopened } = reopenTabs(again, closedBetween(four, closed), []);
    expect(reopened.map(({ tab }) => tab.id)).toEqual(['tab-c']);
    expect(reopenTabs(frames, closedBetween(four, closed), []).reopened).toEqual([]);
  });

  it('tabs survive the way over the wire', () => {
    const views = [
      file('a b/ü.md').view,
      { kind: 'task', task: 'tsk_1' } as const,
      { kind: 'terminal', terminal: 'trm_1' } as const,
      { kind: 'compare', of: 'from=a.py&to=b.py' } as const,
      { kind: 'audit' } as const,
    ];
    for (const view of views) {
      const one = { tab: { id: 't', view }, pane: 'p1', index: 2, active: true };
      expect(unplaced(JSON.parse(JSON.stringify(placed(one))))).toEqual(one);
    }
    expect(unplaced({ id: 't', path: 'no such page', shows: 'page', pane: 'p', index: 0 })).toBeNull();
  });
});

describe('an order', () => {
  it('is that of the names, and back', () => {
    const ids = panesOf(four.root).flatMap((pane) => pane.tabs.map((tab) => tab.id));
    const turned = orderTabs(four, ids.toReversed());
    expect(drawn(turned.root)).toBe('[d c *b a]');
    expect(orderTabs(turned, ids)).toEqual(four);
  });

  it('leaves other tabs and panes in their places', () => {
    const split = apply(four, beside('x'));
    expect(drawn(orderTabs(split, ['tab-d', 'tab-x', 'tab-a', 'gone']).root)).toBe('([d *b c a] | [*x])');
  });
});
