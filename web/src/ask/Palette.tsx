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
  onClose(): void;
}

/** One field for everything: commands, files, actions, or a question to the assistant. */
export default function Palette({ mode, words, typedBefore, onClose }: PaletteProps) {
  const [query, setQuery] = useState(typedBefore);
  const [selected, setSelected] = useState(0);
  const typed = useDeferredValue(query);
  const sources = useSources(mode === 'all' ? typed : '', useEdits(mode));
  const entries = useMemo(() => entriesFor(typed, mode, sources), [typed, mode, sources]);
  const list = useId();
  const at = Math.min(selected, entries.length - 1);
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
      setSelected((at + step + entries.length) % entries.length);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      // What is shown may be behind what was typed; what was typed is meant.
      pick(typed === query ? entries[at] : entriesFor(query, mode, sources)[0]);
    }
  };
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
          setSelected(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Entries id={list} entries={entries} selected={at} onPick={pick} />
      {entries.length === 0 && (
        <p className={styles.none}>{mode === 'lines' ? 'No thread changed these lines.' : 'Nothing fits.'}</p>
      )}
    </>
  );
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
    <div id={id} role="listbox" aria-label="Found" className={styles.list}>
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

/** What threads did to the selected lines, or to the line of the cursor. */
function useEdits(mode: PaletteMode): readonly ThreadEdit[] {
  const focus = useFocus((state) => state.focus);
  const found = useResource<ThreadEdits>(mode === 'lines' && focus ? editsPath(focus.path) : null).data?.edits;
  return useMemo(() => {
    const line = focus?.cursor ?? 1;
    return found ? touching(focus?.selection ?? { start: line, end: line }, found) : NO_EDITS;
  }, [focus, found]);
}

function useSources(typed: string, edits: readonly ThreadEdit[]): Sources {
  const online = useConnection((state) => state.status === 'online');
  const paths = useResource<FileNames>(online ? 'files/names' : null).data?.paths ?? NO_PATHS;
  const actions = useResource<Descriptor[]>(online && !isGuest() ? 'catalog' : null).data ?? NO_ACTIONS;
  const said = useSaid(typed);
  return useMemo(() => {
    const tabs = panesOf(useFrames.getState().frames.root).flatMap((pane) => pane.tabs);
    const recent = [...new Set(tabs.flatMap(({ view }) => (view.kind === 'file' ? [view.path] : [])))];
    return { commands: availableCommands(), paths, recent, actions, said, edits, asks: !isGuest() };
  }, [paths, actions, said, edits]);
}
