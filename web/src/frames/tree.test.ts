import { describe, expect, it } from 'vitest';
import { parseFrames } from './parse';
import { apply, emptyFrames, type Frame, type FrameOp, type Frames, panesOf, type Tab } from './tree';

const file = (path: string, id = `tab-${path}`): Tab => ({ id, view: { kind: 'file', path } });
const run = (...ops: FrameOp[]): Frames => ops.reduce(apply, emptyFrames('p1'));

/** `[a *b] | [c]`: tabs of panes, `*` the active one, `|` side by side, `/` one above the other. */
function drawn(frame: Frame): string {
  if (frame.kind === 'pane') {
    const tabs = frame.tabs.map((tab) => (tab.id === frame.active ? '*' : '') + nameOf(tab));
    return `[${tabs.join(' ')}]`;
  }
  return `(${frame.frames.map(drawn).join(frame.direction === 'row' ? ' | ' : ' / ')})`;
}
const nameOf = (tab: Tab) => (tab.view.kind === 'file' ? tab.view.path : tab.view.kind);

const split = (pane: string, newPane: string, more: Partial<Extract<FrameOp, { type: 'split' }>> = {}): FrameOp => ({
  type: 'split',
  pane,
  side: 'right',
  newPane,
  newSplit: `split-${newPane}`,
  ...more,
});

describe('tabs', () => {
  it('open beside the active one and show each file once in a pane', () => {
    const frames = run(
      { type: 'open', tab: file('a') },
      { type: 'open', tab: file('b') },
      { type: 'activate', tab: 'tab-a' },
      { type: 'open', tab: file('c') },
      { type: 'open', tab: file('b', 'another') },
    );
    expect(drawn(frames.root)).toBe('[a c *b]');
  });

  it('close to the right neighbour, then to the left', () => {
    const three = run(
      { type: 'open', tab: file('a') },
      { type: 'open', tab: file('b') },
      { type: 'open', tab: file('c') },
      { type: 'activate', tab: 'tab-b' },
      { type: 'close', tab: 'tab-b' },
    );
    expect(drawn(three.root)).toBe('[a *c]');
    expect(drawn(apply(three, { type: 'close', tab: 'tab-c' }).root)).toBe('[*a]');
  });

  it('leave an empty pane when the last one of all closes', () => {
    const frames = run({ type: 'open', tab: file('a') }, { type: 'close', tab: 'tab-a' });
    expect(drawn(frames.root)).toBe('[]');
    expect(frames.focused).toBe('p1');
  });

  it('follow a renamed folder, and not its prefix twin', () => {
    const frames = run(
      { type: 'open', tab: file('lib/a') },
      { type: 'open', tab: file('library/b') },
      { type: 'renamed', from: 'lib', to: 'src/lib' },
    );
    expect(drawn(frames.root)).toBe('[src/lib/a *library/b]');
  });
});

describe('splits', () => {
  it('share the place of the pane that was split', () => {
    const frames = run(split('p1', 'p2'), split('p2', 'p3'), split('p2', 'p4', { side: 'below' }));
    expect(drawn(frames.root)).toBe('([] | ([] / []) | [])');
    expect(frames.root.kind === 'split' && frames.root.sizes).toEqual([0.5, 0.25, 0.25]);
    expect(frames.focused).toBe('p4');
  });

  it('vanish with their last tab, and the attention goes to a pane that is there', () => {
    const frames = run({ type: 'open', tab: file('a') }, split('p1', 'p2', { tab: file('b') }), {
      type: 'close',
      tab: 'tab-b',
    });
    expect(drawn(frames.root)).toBe('[*a]');
    expect(frames.focused).toBe('p1');
  });

  it('take a tab along', () => {
    const frames = run(
      { type: 'open', tab: file('a') },
      { type: 'open', tab: file('b') },
      split('p1', 'p2', { moved: 'tab-b' }),
    );
    expect(drawn(frames.root)).toBe('([*a] | [*b])');
  });

  it('ignore sizes that make no sense', () => {
    const frames = run(split('p1', 'p2'));
    expect(apply(frames, { type: 'resize', split: 'split-p2', sizes: [1, 0] })).toEqual(frames);
    const resized = apply(frames, { type: 'resize', split: 'split-p2', sizes: [3, 1] });
    expect(resized.root.kind === 'split' && resized.root.sizes).toEqual([0.75, 0.25]);
  });
});

describe('moving a tab', () => {
  const two = run({ type: 'open', tab: file('a') }, split('p1', 'p2', { tab: file('a', 'twin') }), {
    type: 'open',
    tab: file('b'),
  });

  it('closes the pane it leaves empty and takes the place of a twin', () => {
    expect(drawn(two.root)).toBe('([*a] | [a *b])');
    expect(drawn(apply(two, { type: 'move', tab: 'tab-a', pane: 'p2', index: 1 }).root)).toBe('[b *a]');
  });

  it('works within a pane', () => {
    expect(drawn(apply(two, { type: 'move', tab: 'tab-b', pane: 'p2', index: 0 }).root)).toBe('([*a] | [*b a])');
  });

  it('does nothing for a pane or tab that is gone', () => {
    expect(apply(two, { type: 'move', tab: 'tab-b', pane: 'gone', index: 0 })).toBe(two);
    expect(apply(two, { type: 'move', tab: 'gone', pane: 'p1', index: 0 })).toBe(two);
  });
});

describe('any sequence of operations', () => {
  it('keeps the tree whole: unique ids, splits of two or more, shares of one, a focused pane', () => {
    let seed = 42;
    const random = (below: number) => {
      seed = (seed * 1103515245 + 12345) & 0x7fffffff;
      return seed % below;
    };
    let frames = emptyFrames('p0');
    for (let step = 1; step < 2000; step++) {
      frames = apply(frames, anyOp(frames, step, random));
      expectWhole(frames);
    }
  });
});

function anyOp(frames: Frames, step: number, random: (below: number) => number): FrameOp {
  const panes = panesOf(frames.root);
  const tabs = panes.flatMap((pane) => pane.tabs);
  const pane = panes[random(panes.length)]?.id ?? '';
  const tab = tabs[random(Math.max(1, tabs.length))]?.id ?? 'none';
  const ops: FrameOp[] = [
    { type: 'open', tab: file(`f${random(6)}`, `t${step}`), pane },
    { type: 'close', tab },
    { type: 'move', tab, pane, index: random(4) },
    { type: 'activate', tab },
    { type: 'close_pane', pane },
    split(pane, `p${step}`, { side: random(2) ? 'right' : 'below', moved: random(2) ? tab : undefined }),
  ];
  return ops[random(ops.length)] as FrameOp;
}

function expectWhole(frames: Frames): void {
  expect(parseFrames(JSON.parse(JSON.stringify(frames)))).toEqual(frames);
  const visit = (frame: Frame): void => {
    if (frame.kind === 'pane') {
      if (frame.tabs.length > 0) expect(frame.tabs.map((tab) => tab.id)).toContain(frame.active);
      return;
    }
    expect(frame.frames.length).toBeGreaterThan(1);
    expect(frame.sizes.reduce((sum, size) => sum + size)).toBeCloseTo(1);
    frame.frames.forEach(visit);
  };
  visit(frames.root);
}

describe('a kept arrangement', () => {
  it('is read without what is unknown', () => {
    const value = {
      root: {
        kind: 'split',
        id: 's',
        direction: 'row',
        sizes: [1, 'x'],
        frames: [
          { kind: 'pane', id: 'p1', tabs: [file('a'), { id: 'x', view: { kind: 'hologram' } }], active: 'x' },
          { kind: 'cube', id: 'c' },
        ],
      },
      focused: 'gone',
    };
    const frames = parseFrames(value);
    expect(frames && drawn(frames.root)).toBe('[*a]');
    expect(frames?.focused).toBe('p1');
  });

  it('is nothing when it is not one', () => {
    for (const value of [null, 1, 'x', {}, { root: {} }, { root: { kind: 'split', id: 's', frames: [] } }]) {
      expect(parseFrames(value)).toBeNull();
    }
  });
});
