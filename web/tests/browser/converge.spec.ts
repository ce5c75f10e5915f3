// Two people and an agent edit one notebook at once, over the wire, with the official yjs: all end the same, and nothing that
// somebody wrote is lost or there twice. A few seconds of it; `cargo xtask converge MINUTES [SEED]` takes its time.
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type * as Y from 'yjs';
import {
  cellsOf,
  emptyCell,
  insertCell,
  moveCells,
  orderOf,
  removeCells,
  setKind,
  sourceOf,
} from '../../src/notebook/cells';
import type { Submitted } from '../../src/wire/gen/types';
import { code, notebookOf } from './notebooks';
import { Editor } from './peer';
import { act, type Server, serve, Workspace } from './support';

const MINUTES = Number(process.env.ASIDE_CONVERGE_MINUTES ?? 0.1);
const SEED = Number(process.env.ASIDE_CONVERGE_SEED ?? 7);
const FILE = 'tides.ipynb';
/** Cells, from which on some are taken away. */
const MOST = 30;
const KINDS = ['code', 'markdown', 'ai', 'sql'];
/** The letters that are written, each once, begin here: the planes for private use. */
const FIRST_LETTER = 0xf0000;
/** Each has so many; when all are written, the rest goes on. */
const PLANE = 0xfffe;
const MOST_LETTERS = 2 * PLANE;

let workspace: Workspace;
let server: Server;

beforeEach(async () => {
  const begun = Array.from({ length: 5 }, (_, at) => code(`begun-${at}`, ''));
  workspace = new Workspace({ [FILE]: notebookOf(begun) });
  server = await serve(workspace);
});

afterEach(async () => {
  await server.kill();
  workspace.remove();
});

/** Numbers that look drawn, the same for the same seed: who acts when is not. */
function drawnFrom(seed: number): (most: number) => number {
  let state = seed >>> 0;
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
  };
}

/** What was written: where each letter is to be found, and which cells were taken away. */
class Written {
  readonly letters = new Map<string, string>();
  readonly removed = new Set<string>();
  private count = 0;
  private cells = 0;

  key(): string {
    this.cells += 1;
    return `cell-${this.cells}`;
  }

  letter(cell: string): string {
    if (this.count === MOST_LETTERS) return '';
    const gap = this.count < PLANE ? 0 : 2;
    const letter = String.fromCodePoint(FIRST_LETTER + this.count + gap);
    this.count += 1;
    this.letters.set(letter, cell);
    return letter;
  }
}

type Drawn = (most: number) => number;

/** A place between two letters, in units of UTF-16. */
function placeIn(text: string, drawn: Drawn): number {
  return [...text].slice(0, drawn([...text].length + 1)).join('').length;
}

/** One thing that a person does in their copy as it is. */
function edit(doc: Y.Doc, drawn: Drawn, written: Written): void {
  const order = orderOf(doc);
  const any = order[drawn(order.length)] ?? '';
  const after = order[drawn(order.length + 1) - 1] ?? null;
  const what = drawn(12);
  if (what < 1) {
    const key = written.key();
    insertCell(doc, emptyCell('code', written.letter(key)), after, key);
  } else if (what < 2 && order.length > MOST) {
    written.removed.add(any);
    removeCells(doc, [any]);
  } else if (what < 4 && after !== any) {
    moveCells(doc, [any], after);
  } else if (what === 5) {
    setKind(doc, [any], KINDS[drawn(KINDS.length)] ?? 'code');
  } else {
    const source = sourceOf(doc, any);
    source?.insert(placeIn(source.toString(), drawn), written.letter(any) + (drawn(9) === 0 ? '\n' : ''));
  }
}

/** A person at a window: edits as the keys come, is away now and then, and goes on meanwhile. */
async function person(drawn: Drawn, written: Written, until: number): Promise<Editor> {
  let at = await new Editor(server, FILE).ready();
  while (Date.now() < until) {
    for (let count = drawn(8); count >= 0; count--) edit(at.doc, drawn, written);
    await pause(drawn(40));
    if (drawn(40) > 0) continue;
    at.leave();
    for (let count = drawn(20); count >= 0; count--) edit(at.doc, drawn, written);
    await pause(drawn(200));
    at = await new Editor(server, FILE, at.doc).ready();
  }
  return at;
}

interface Seen {
  cell: string;
  version: string;
  source: string;
}

/** What an action did, if it was done. */
async function done(action: string, args: object): Promise<{ text: string; data: unknown } | null> {
  const answer = (await act(server, action, { path: FILE, ...args })) as Submitted;
  expect(['done', 'failed'], JSON.stringify(answer.outcome)).toContain(answer.state);
  return answer.outcome?.kind === 'done' ? (answer.outcome.observation as { text: string; data: unknown }) : null;
}

/** Reads the list of the cells, and one of them whole. */
async function look(drawn: Drawn): Promise<{ keys: string[]; seen: Seen } | null> {
  type Shown = { shown: { cell: string; version: string }[] };
  const list = (await done('notebook.read', {}))?.data as Shown | undefined;
  const keys = (list?.shown ?? []).map(({ cell }) => cell);
  const read = await done('notebook.read', { cells: [keys[drawn(keys.length)]] });
  const [one] = (read?.data as Shown | undefined)?.shown ?? [];
  if (!read || !one) return null;
  const lines = [...read.text.matchAll(/^\d+\t(.*)$/gm)].map(([, line]) => line).join('\n');
  const is = (source: string) => createHash('sha256').update(source).digest('hex') === one.version;
  const source = ['', lines, `${lines}\n`].find(is);
  expect(source, `what was read of ${one.cell} has the version that was said: ${read.text}`).toBeDefined();
  return { keys, seen: { ...one, source: source ?? '' } };
}

/** Acts on what it read a moment ago; counts what was refused, because it had changed since. */
async function agent(drawn: Drawn, written: Written, until: number): Promise<{ made: number; refused: number }> {
  const count = { made: 0, refused: 0 };
  while (Date.now() < until) {
    const looked = await look(drawn);
    if (!looked) continue;
    const { keys, seen } = looked;
    const { cell, version, source } = seen;
    await pause(drawn(60));
    const [after] = keys.slice(drawn(keys.length));
    const what = drawn(10);
    let letter = '';
    let made: unknown;
    if (what < 1) {
      letter = written.letter('');
      made = await done('cell.insert', { after, cells: [{ kind: 'code', source: letter }] });
      if (made) written.letters.set(letter, (made as { data: { cells: Seen[] } }).data.cells[0]?.cell ?? '');
    } else if (what < 2 && keys.length > MOST) {
      made = await done('cell.delete', { cells: [{ cell, version }] });
      if (made) written.removed.add(cell);
    } else if (what < 4 && after !== cell) {
      made = await done('cell.move', { cell, after });
    } else if (what < 5) {
      made = await done('cell.kind', { cell, version, kind: KINDS[drawn(2)] });
    } else {
      letter = written.letter(cell);
      const place = placeIn(source, drawn);
      made = await done('cell.set', { cell, version, source: source.slice(0, place) + letter + source.slice(place) });
    }
    if (made) count.made += 1;
    else {
      count.refused += 1;
      written.letters.delete(letter);
    }
  }
  return count;
}

/** The cells of a copy, in order, each with its text. */
const cellsIn = (doc: Y.Doc) => orderOf(doc).map((key) => `${key}: ${sourceOf(doc, key)}`);

/** Those of the file. */
function cellsInFile(): string[] {
  type File = { cells: { id: string; source: string | string[] }[] };
  const { cells } = JSON.parse(workspace.read(FILE)) as File;
  return cells.map(({ id, source }) => `${id}: ${[source].flat().join('')}`);
}

test('two people and an agent end with the same notebook, and nothing is lost or there twice', {
  timeout: MINUTES * 60_000 + 60_000,
  retry: 0,
}, async () => {
  const written = new Written();
  const until = Date.now() + MINUTES * 60_000;
  const [ada, bob, count] = await Promise.all([
    person(drawnFrom(SEED), written, until),
    person(drawnFrom(SEED + 1), written, until),
    agent(drawnFrom(SEED + 2), written, until),
  ]);
  const late = await new Editor(server, FILE).ready();
  await expect.poll(() => cellsIn(bob.doc), { timeout: 30_000 }).toEqual(cellsIn(ada.doc));
  await expect.poll(() => cellsIn(late.doc), { timeout: 30_000 }).toEqual(cellsIn(ada.doc));
  await expect.poll(cellsInFile, { timeout: 30_000 }).toEqual(cellsIn(ada.doc));

  console.log(
    `${written.letters.size} letters, ${written.removed.size} cells taken away, ${cellsOf(ada.doc).size} there;`,
    `the agent: ${count.made} made, ${count.refused} refused`,
  );
  expect(Math.min(count.made, count.refused, written.removed.size), 'there was something to lose').toBeGreaterThan(0);
  const texts = new Map(orderOf(ada.doc).map((key) => [key, `${sourceOf(ada.doc, key)}`]));
  const kept = [...written.letters].filter(([, cell]) => !written.removed.has(cell));
  const wrong = kept.filter(([letter, cell]) => (texts.get(cell) ?? '').split(letter).length !== 2);
  expect(wrong.map(([letter, cell]) => `${letter.codePointAt(0)} of ${cell}`)).toEqual([]);
  expect(
    [...texts.values()]
      .join('')
      .match(/\P{Co}/gu)
      ?.filter((letter) => letter !== '\n') ?? [],
  ).toEqual([]);
  for (const editor of [ada, bob, late]) editor.leave();
});
