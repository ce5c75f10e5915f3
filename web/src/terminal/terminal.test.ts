import { describe, expect, it, vi } from 'vitest';
import type { KeyPress } from '../app/keymap';
import { Acknowledgements, bytesOfBinary, frameOf, isAnswer, outputOf, typedFrames } from './frames';
import { terminalKey } from './keys';
import { FilesByName, placesIn } from './links';
import { linesPasted, pasted } from './paste';

describe('frames', () => {
  it('number their output', () => {
    const data = new Uint8Array([0, 0, 0, 1, 0, 0, 0, 2, 104, 105]).buffer;
    expect(outputOf(data)).toEqual({ seq: 2 ** 32 + 2, bytes: new Uint8Array([104, 105]) });
    expect(outputOf(new ArrayBuffer(7))).toBeNull();
  });

  it('are left out if unknown', () => {
    expect(frameOf('{"type":"title","title":"x"}')).toEqual({ type: 'title', title: 'x' });
    for (const wrong of ['', '3', 'null', '{"a":1}', '{']) expect(frameOf(wrong)).toBeNull();
  });

  it('cut long pastes', () => {
    const parts = [...typedFrames(new Uint8Array(10), 4)];
    expect(parts.map(({ length }) => length)).toEqual([4, 4, 2]);
    expect([...bytesOfBinary('\u00ffa')]).toEqual([255, 97]);
  });
});

describe('acknowledgements', () => {
  it('are seldom, and sent when idle', () => {
    const say = vi.fn();
    const acknowledgements = new Acknowledgements(say);
    acknowledgements.start(1000);
    acknowledgements.read(1000, true);
    acknowledgements.read(2000, false);
    expect(say).not.toHaveBeenCalled();
    acknowledgements.read(70_000, false);
    acknowledgements.read(80_000, false);
    acknowledgements.read(81_000, true);
    expect(say.mock.calls).toEqual([[70_000], [81_000]]);
  });
});

describe('answers', () => {
  it('are told from typing', () => {
    const answers = [
      '\x1b[?1;2c',
      '\x1b[>0;276;0c',
      '\x1b[12;40R',
      '\x1b[0n',
      '\x1b[?2026;2$y',
      '\x1b[I',
      '\x1b]11;rgb:ffff/ffff/ffff\x1b\\',
    ];
    for (const answer of [...answers, answers.join('')]) expect(isAnswer(answer), JSON.stringify(answer)).toBe(true);
    for (const typed of ['a', '\r', '\x1b', '\x1b[A', '\x1b[1;5C', '\x1bOP', '\x1b[200~x\x1b[201~', '\x03'])
      expect(isAnswer(typed), JSON.stringify(typed)).toBe(false);
  });
});

describe('links to files', () => {
  const files = new FilesByName([
    'src/a.py',
    'src/lib/b.rs',
    'b.rs',
    'docs/x.md',
    'web/docs/x.md',
    'Makefile',
    'ünï.py',
  ]);
  const found = (line: string, cwd = '') =>
    placesIn(line, (path) => files.find(path, cwd, 'ws')).map(
      ({ start, end, path, line: number }) =>
        `${line.slice(start, end)} -> ${path}${number === null ? '' : `:${number}`}`,
    );

  it('are as programs write them', () => {
    expect(found('src/a.py:12:3: error')).toEqual(['src/a.py:12:3 -> src/a.py:12']);
    expect(found('  File "/home/me/ws/src/a.py", line 7, in <module>')).toEqual([
      'File "/home/me/ws/src/a.py", line 7 -> src/a.py:7',
    ]);
    expect(found('  --> ./src/lib/b.rs:3:1')).toEqual(['./src/lib/b.rs:3:1 -> src/lib/b.rs:3']);
    expect(found('src/a.py(4,2): error TS1')).toEqual(['src/a.py(4,2) -> src/a.py:4']);
    expect(found('diff --git a/src/a.py b/src/a.py')).toEqual(['a/src/a.py -> src/a.py', 'b/src/a.py -> src/a.py']);
    expect(found('see Makefile. (or ünï.py:2)')).toEqual(['Makefile -> Makefile', 'ünï.py:2 -> ünï.py:2']);
  });

  it('are looked for in the folder first', () => {
    expect(found('b.rs:1', 'src/lib')).toEqual(['b.rs:1 -> src/lib/b.rs:1']);
    expect(found('b.rs:1')).toEqual(['b.rs:1 -> b.rs:1']);
    expect(found('a.py:1')).toEqual(['a.py:1 -> src/a.py:1']);
    expect(found('x.md:1')).toEqual([]);
  });

  it('are none where no file is', () => {
    expect(found('gone.py:3 12:30:15 http://src/a.py /etc/src/a.py:1 ../src/a.py:1')).toEqual([]);
    expect(found('x'.repeat(100_000))).toEqual([]);
  });
});

describe('a paste', () => {
  it('has no control characters', () => {
    expect(pasted('ls\x1b[201~\r\x03\ta\nb\x9b')).toBe('ls[201~\r\ta\nb');
  });

  it('of several lines is known', () => {
    expect([linesPasted('a'), linesPasted('a\n'), linesPasted('a\r\n')]).toEqual([null, null, null]);
    expect([linesPasted('a\nb'), linesPasted('a\r\nb\r\nc\r\n')]).toEqual([2, 3]);
  });
});

describe('keys', () => {
  const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
    key,
    code: /^[a-z]$/i.test(key) ? `Key${key.toUpperCase()}` : '',
    ctrlKey: false,
    metaKey: false,
    altKey: false,
    shiftKey: false,
    ...held,
  });

  it('of the page and the terminal are few', () => {
    const ctrl = { ctrlKey: true };
    expect(terminalKey(press('C', { ...ctrl, shiftKey: true }), false)).toBe('copy');
    expect(terminalKey(press('V', { ...ctrl, shiftKey: true }), false)).toBe('paste');
    expect(terminalKey(press('v', { metaKey: true }), true)).toBe('paste');
    expect(terminalKey(press('f', ctrl), false)).toBe('find');
    for (const key of ['k', 'p', 'j', '`']) expect(terminalKey(press(key, ctrl), false), key).toBe('page');
    expect(terminalKey(press('3', { altKey: true }), false)).toBe('page');
  });

  it('of the program stay its own', () => {
    const ctrl = { ctrlKey: true };
    for (const key of ['c', 'd', 'z', 'r', 'a', 'e', 'w', 'u', 'l', 'v', '\\'])
      expect(terminalKey(press(key, ctrl), false), key).toBeNull();
    for (const key of ['b', 'f', 'd', '.']) expect(terminalKey(press(key, { altKey: true }), false), key).toBeNull();
    for (const key of ['Tab', 'Escape', 'F1', 'F10', 'a', '?']) expect(terminalKey(press(key), false), key).toBeNull();
    // With Cmd for the page, Ctrl is the program's.
    for (const key of ['k', 'p', 'f', 'j']) expect(terminalKey(press(key, ctrl), true), key).toBeNull();
  });
});
