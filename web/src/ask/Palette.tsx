import { lazy, Suspense, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react';
import { isGuest } from '../app/session';
import type { PaletteMode } from '../app/shell';
import { choose } from './choose';
import { entriesFor, type PaletteEntry } from './entries';
import { keepChoice } from './habits';
import styles from './Palette.module.css';
import { PaletteField } from './PaletteField';
import { PaletteRows } from './PaletteRows';
import { clicked, entered as meantBy, type RowsBefore } from './pressed';
import { canRecord } from './record';
import { useUnderstanding } from './routing';
import { canListen } from './speech';
import { NO_EDITS, useEdits, useSources } from './useSources';

const Voice = lazy(async () => ({ default: (await import('./Voice')).Voice }));

/** The words where there are no rows. */
const NONE: Partial<Record<PaletteMode, string>> = {
  lines: 'No thread changed these lines.',
  recent: 'No recent files.',
};

interface PaletteProps {
  mode: PaletteMode;
  /** The name of the field. */
  words: string;
  /** The text that was typed before this was loaded. */
  typedBefore: string;
  /** Enter was pressed after it. */
  enteredBefore: boolean;
  onClose(): void;
}

/** One field for everything: a sentence, actions, files, or a question to the assistant. */
export default function Palette({ mode, words, typedBefore, enteredBefore, onClose }: PaletteProps) {
  const [query, setQuery] = useState(typedBefore);
  // The entry that the person went to with the keys: it stays chosen when others come in before it.
  const [chosen, setChosen] = useState<string | null>(null);
  const typed = useDeferredValue(query);
  const edits = useEdits(mode);
  const { sources, settled, cut } = useSources(mode === 'all' ? typed : '', edits ?? NO_EDITS);
  const understanding = useUnderstanding(query, mode === 'all' && !isGuest());
  const ready = settled && edits !== null;
  // Enter that came before all that could be meant was known.
  const [entered, setEntered] = useState(enteredBefore);
  const routed = understanding?.text === typed.trim() ? understanding.routed : null;
  const entries = useMemo(() => entriesFor(typed, mode, sources, routed), [typed, mode, sources, routed]);
  const list = useId();
  const at = Math.max(0, indexOf(entries, chosen));
  const before = useRowsBefore(typed, entries, at);
  const pick = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    if (entry.choice.kind !== 'ask' && entry.choice.kind !== 'understood') keepChoice(entry.id);
    onClose();
    // After the dialog has given the focus back.
    requestAnimationFrame(() => choose(entry.choice));
  };
  const type = (text: string) => {
    setQuery(text);
    setChosen(null);
    setEntered(false);
  };
  // The rows may be behind the text: the text is meant, unless the person went to a row.
  const meant = () => {
    if (typed === query) return meantBy(entries, at, before.current, performance.now());
    const now = entriesFor(query, mode, sources, understanding?.routed);
    return now[Math.max(0, indexOf(now, chosen))];
  };
  // To ask a model is what remains if nothing else is meant: that is known once the server has understood the sentence.
  const isKnown = (entry: PaletteEntry | undefined) =>
    ready && (understanding !== null || entry?.choice.kind !== 'ask');
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = stepOf(event);
    if (step !== 0 && entries.length > 0) {
      event.preventDefault();
      setChosen(entries[(at + step + entries.length) % entries.length]?.id ?? null);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const entry = meant();
      if (chosen !== null || isKnown(entry)) pick(entry);
      else setEntered(true);
    }
  };
  const enterNow = entered && isKnown(meant());
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as all that could be meant is known.
  useEffect(() => {
    if (enterNow) pick(meant());
  }, [enterNow]);
  return (
    <>
      <div className={styles.head}>
        <PaletteField
          words={words}
          role="combobox"
          aria-expanded="true"
          aria-controls={list}
          aria-autocomplete="list"
          aria-activedescendant={entries[at] ? `${list}-${at}` : undefined}
          value={query}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKeyDown}
        />
        {mode === 'all' && (canListen() || (canRecord() && !isGuest())) && (
          <Suspense fallback={null}>
            <Voice onWords={type} onLeave={onClose} />
          </Suspense>
        )}
      </div>
      <PaletteRows
        id={list}
        entries={entries}
        selected={at}
        onPick={(index) => pick(clicked(entries, index, before.current, performance.now()))}
      />
      {entries.length === 0 && ready && <p className={styles.none}>{NONE[mode] ?? 'No matches.'}</p>}
      {cut && typed !== '' && mode !== 'lines' && (
        <p className={styles.none}>Too many files to search. Some may be missing here.</p>
      )}
      <p className={styles.foot} aria-hidden="true">
        <kbd>↑</kbd>
        <kbd>↓</kbd> choose <kbd>↵</kbd> do <kbd>Esc</kbd> close
      </p>
    </>
  );
}

/** Keeps the rows that the person saw before others came, as long as they type nothing and go to no row. */
function useRowsBefore(typed: string, entries: readonly PaletteEntry[], at: number): { current: RowsBefore | null } {
  const before = useRef<RowsBefore | null>(null);
  const shown = useRef({ typed, entries, at, since: performance.now() });
  useEffect(() => {
    const { typed: oldText, entries: old, at: oldAt, since } = shown.current;
    const isSame = hasSameRows(old, entries);
    shown.current = { ...shown.current, typed, entries, at };
    if (isSame && oldAt === at) return;
    const now = performance.now();
    // A letter, or a step with the keys, is the person's own change.
    const isOwn = oldText !== typed || isSame;
    before.current = isOwn ? null : { entries: old, at: oldAt, until: now, shown: now - since };
    if (!isSame) shown.current.since = now;
  }, [typed, entries, at]);
  return before;
}

function hasSameRows(one: readonly PaletteEntry[], two: readonly PaletteEntry[]): boolean {
  return one.length === two.length && one.every(({ id }, at) => id === two[at]?.id);
}

function indexOf(entries: readonly PaletteEntry[], id: string | null): number {
  return entries.findIndex((entry) => entry.id === id);
}

function stepOf(event: React.KeyboardEvent): number {
  if (event.key === 'ArrowDown' || (event.ctrlKey && event.key === 'n')) return 1;
  if (event.key === 'ArrowUp' || (event.ctrlKey && event.key === 'p')) return -1;
  return 0;
}
