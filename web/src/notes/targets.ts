// Where the links of each shown note lead: read once with the note, asked one by one for those that are typed, and again when
// files change.
import { linkAt } from '../markdown/sourceLinks';
import { connection } from '../wire/connection';
import { type LinkSyntax, readNote, resolveLink } from './api';

/** Where a link leads. */
export interface Target {
  /** The file; null if there is none. */
  readonly path: string | null;
  /** The heading or block that the link names is there, or it names none. */
  readonly anchorFound: boolean;
}

interface Known {
  targets: Map<string, Target>;
  asked: Set<string>;
  watchers: Set<() => void>;
  read: boolean;
  timer: ReturnType<typeof setTimeout> | undefined;
}

const notes = new Map<string, Known>();

/** Milliseconds in which changes of files are one, and links that are typed wait for their end. */
const PAUSE = 400;
/** Links that are asked for at a time. */
const MOST = 20;

const keyOf = (raw: string, kind: LinkSyntax) => `${kind} ${raw}`;

/** Where a link of a note leads; undefined until that is known. `raw` is what stands between its brackets. */
export function knownTarget(from: string, raw: string, kind: LinkSyntax): Target | undefined {
  const known = notes.get(from);
  const target = known?.targets.get(keyOf(raw, kind));
  if (known && !target && known.read && known.asked.size < MOST) {
    known.asked.add(keyOf(raw, kind));
    schedule(from, known);
  }
  return target;
}

/** Follows what is known of a note's links, as long as somebody shows it. */
export function onTargets(from: string, watcher: () => void): () => void {
  const known = notes.get(from) ?? {
    targets: new Map(),
    asked: new Set(),
    watchers: new Set(),
    read: false,
    timer: undefined,
  };
  const isNew = !notes.has(from);
  notes.set(from, known);
  known.watchers.add(watcher);
  if (isNew) void read(from, known);
  return () => {
    known.watchers.delete(watcher);
    if (known.watchers.size > 0) return;
    clearTimeout(known.timer);
    notes.delete(from);
  };
}

async function read(from: string, known: Known): Promise<void> {
  try {
    const { links } = await readNote(from);
    known.targets = new Map(
      links.map(({ raw, to, anchor_found }) => [keyIn(raw), { path: to, anchorFound: anchor_found !== false }]),
    );
    known.asked.clear();
    known.read = true;
    tell(known);
  } catch {
    // Links work without it; the next change asks again.
  }
}

/** The key of a link as the server has it, with its brackets. */
function keyIn(raw: string): string {
  const inside = /^!?\[\[([\s\S]*)\]\]$/.exec(raw)?.[1];
  if (inside !== undefined) return keyOf(inside, 'wiki');
  return keyOf(linkAt(raw.replace(/^!/, ''), 0) ?? raw, 'markdown');
}

function schedule(from: string, known: Known): void {
  clearTimeout(known.timer);
  known.timer = setTimeout(() => void ask(from, known), PAUSE);
}

/** Asks where links lead that were typed since the note was read. */
async function ask(from: string, known: Known): Promise<void> {
  const asked = [...known.asked];
  await Promise.all(
    asked.map(async (key) => {
      const space = key.indexOf(' ');
      try {
        const { to, anchor_found } = await resolveLink(from, key.slice(space + 1), key.slice(0, space) as LinkSyntax);
        known.targets.set(key, { path: to, anchorFound: anchor_found !== false });
      } catch {
        // It stays a link of which nothing is known.
      }
    }),
  );
  for (const key of asked) known.asked.delete(key);
  tell(known);
}

function tell(known: Known): void {
  for (const watcher of known.watchers) watcher();
}

let changed: ReturnType<typeof setTimeout> | undefined;

connection.on('files_changed', () => {
  clearTimeout(changed);
  changed = setTimeout(() => {
    for (const [from, known] of notes) void read(from, known);
  }, PAUSE);
});
