import { useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { availableCommands } from '../app/commands';
import { keyLabel } from '../app/keymap';
import { isGuest } from '../app/session';
import type { PaletteMode } from '../app/shell';
import { useFocus } from '../editor/focus';
import { useFrames } from '../frames/store';
import { panesOf } from '../frames/tree';
import { editsPath, touching } from '../threads/editedLines';
import { useSaid } from '../threads/useSaid';
import { useConnection } from '../wire/connection';
import type { Descriptor, FileNames, ThreadEdit, ThreadEdits } from '../wire/gen/types';
import { useResource } from '../wire/resource';
import { choose } from './choose';
import { entriesFor, type PaletteEntry, type Sources } from './entries';
import styles from './Palette.module.css';
import { PaletteField } from './PaletteField';

interface PaletteProps {
  mode: PaletteMode;
  /** What can be typed. */
  words: string;
  /** What was typed before this was loaded. */
  typedBefore: string;
  /** Enter was pressed after it. */
  enteredBefore: boolean;
  onClose(): void;
}

/** One field for everything: commands, files, actions, or a question to the assistant. */
export default function Palette({ mode, words, typedBefore, enteredBefore, onClose }: PaletteProps) {
  const [query, setQuery] = useState(typedBefore);
  // The entry that the person went to with the keys: it stays chosen when others come in before it.
  const [chosen, setChosen] = useState<string | null>(null);
  const typed = useDeferredValue(query);
  const edits = useEdits(mode);
  const { sources, settled, cut } = useSources(mode === 'all' ? typed : '', edits ?? NO_EDITS);
  const ready = settled && edits !== null;
  // Enter that came before all that could be meant was known.
  const [entered, setEntered] = useState(enteredBefore);
  const entries = useMemo(() => entriesFor(typed, mode, sources), [typed, mode, sources]);
  const list = useId();
  const at = Math.max(0, indexOf(entries, chosen));
  const pick = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    // After the dialog has given the focus back.
    requestAnimationFrame(() => choose(entry.choice));
  };
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = stepOf(event);
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setChosen(entries[(at + step + entries.length) % entries.length]?.id ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // What is shown may be behind what was typed; what was typed is meant, unless the person went to an entry.
      const meant = typed === query ? entries : entriesFor(query, mode, sources);
      if (ready || chosen !== null) pick(meant[Math.max(0, indexOf(meant, chosen))]);
      else setEntered(true);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as both are so.
  useEffect(() => {
    if (entered && ready) pick(entriesFor(query, mode, sources)[0]);
  }, [entered, ready]);
  return (
    <>
      <PaletteField
        words={words}
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={entries[at] ? `${list}-${at}` : undefined}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setChosen(null);
          setEntered(false);
        }}
        onKeyDown={onKeyDown}
      />
      <Entries id={list} entries={entries} selected={at} onPick={pick} />
      {entries.length === 0 && ready && (
        <p className={styles.none}>{mode === 'lines' ? 'No thread changed these lines.' : 'No matches.'}</p>
      )}
      {cut && typed !== '' && mode !== 'lines' && (
        <p className={styles.none}>Too many files to search. Some may be missing here.</p>
      )}
    </>
  );
}

function indexOf(entries: readonly PaletteEntry[], id: string | null): number {
  return entries.findIndex((entry) => entry.id === id);
}

function stepOf(event: React.KeyboardEvent): number {
  if (event.key === 'ArrowDown' || (event.ctrlKey && event.key === 'n')) return 1;
  if (event.key === 'ArrowUp' || (event.ctrlKey && event.key === 'p')) return -1;
  return 0;
}

interface EntriesProps {
  id: string;
  entries: readonly PaletteEntry[];
  selected: number;
  onPick(entry: PaletteEntry): void;
}

function Entries({ id, entries, selected, onPick }: EntriesProps) {
  const chosen = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another entry is chosen, so that it has to be seen.
  useEffect(() => {
    chosen.current?.scrollIntoView({ block: 'nearest' });
  }, [selected, entries]);
  return (
    <div id={id} role="listbox" aria-label="Results" className={styles.list}>
      {groupsOf(entries).map(({ group, from, entries }) => (
        // biome-ignore lint/a11y/useSemanticElements: a group of options has no element outside a select.
        <div key={group} role="group" aria-label={group}>
          <div className={styles.group} aria-hidden="true">
            {group}
          </div>
          {entries.map((entry, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the field's.
            <div
              key={entry.id}
              ref={from + index === selected ? chosen : null}
              id={`${id}-${from + index}`}
              role="option"
              tabIndex={-1}
              aria-selected={from + index === selected}
              className={styles.entry}
              onClick={() => onPick(entry)}
            >
              <Line entry={entry} />
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function Line({ entry }: { entry: PaletteEntry }) {
  return (
    <>
      <span className={styles.title}>
        <Marked text={entry.title} at={entry.at} />
      </span>
      {entry.detail && <span className={styles.detail}>{entry.detail}</span>}
      {entry.keys && <kbd className={styles.keys}>{keyLabel(entry.keys)}</kbd>}
    </>
  );
}

/** Entries with the same heading, in their order, with the place of the first. */
function groupsOf(entries: readonly PaletteEntry[]) {
  const groups: { group: string; from: number; entries: PaletteEntry[] }[] = [];
  entries.forEach((entry, index) => {
    const last = groups.at(-1);
    if (last?.group === entry.group) last.entries.push(entry);
    else groups.push({ group: entry.group, from: index, entries: [entry] });
  });
  return groups;
}

/** The title with the letters that were meant. */
function Marked({ text, at }: { text: string; at: readonly number[] }) {
  if (at.length === 0) return text;
  const meant = new Set(at);
  const runs: { text: string; meant: boolean; from: number }[] = [];
  for (let index = 0; index < text.length; index++) {
    const last = runs.at(-1);
    if (last && last.meant === meant.has(index)) last.text += text[index];
    else runs.push({ text: text[index] as string, meant: meant.has(index), from: index });
  }
  return runs.map((run) => (run.meant ? <b key={run.from}>{run.text}</b> : run.text));
}

const NO_ACTIONS: readonly Descriptor[] = [];
const NO_PATHS: readonly string[] = [];

const NO_EDITS: readonly ThreadEdit[] = [];

/** What threads did to the selected lines, or to the line of the cursor. Null while it is asked for. */
function useEdits(mode: PaletteMode): readonly ThreadEdit[] | null {
  const focus = useFocus((state) => state.focus);
  const wanted = mode === 'lines' && focus ? editsPath(focus.path) : null;
  const { data, failure } = useResource<ThreadEdits>(wanted);
  return useMemo(() => {
    if (wanted === null || failure) return NO_EDITS;
    const line = focus?.cursor ?? 1;
    return data ? touching(focus?.selection ?? { start: line, end: line }, data.edits) : null;
  }, [focus, data, failure, wanted]);
}

/**
 * Where entries come from, whether all that is asked of the server has been answered, but for what was said, and whether
 * there are more files than it names.
 */
function useSources(typed: string, edits: readonly ThreadEdit[]): { sources: Sources; settled: boolean; cut: boolean } {
  const online = useConnection((state) => state.status === 'online');
  const names = useResource<FileNames>(online ? 'files/names' : null);
  const catalog = useResource<Descriptor[]>(online && !isGuest() ? 'catalog' : null);
  const paths = names.data?.paths ?? NO_PATHS;
  const actions = catalog.data ?? NO_ACTIONS;
  const said = useSaid(typed);
  const settled = !online || [names, ...(isGuest() ? [] : [catalog])].every(({ data, failure }) => data || failure);
  const sources = useMemo(() => {
    const tabs = panesOf(useFrames.getState().frames.root).flatMap((pane) => pane.tabs);
    const recent = [...new Set(tabs.flatMap(({ view }) => (view.kind === 'file' ? [view.path] : [])))];
    return { commands: availableCommands(), paths, recent, actions, said, edits, asks: !isGuest() };
  }, [paths, actions, said, edits]);
  return { sources, settled, cut: names.data?.truncated ?? false };
}
