import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useState } from 'react';
import { useThreads } from '../threads/state';
import { announce } from '../ui/Announcer';
import { useWindowed } from '../ui/windowed';
import type { ModelRef, Thread, ThreadId } from '../wire/gen/types';
import { firstRow, type Row, rowsFor, step } from './choices';
import { listModels, setNewModel, setThreadModel } from './choosing';
import { openModels } from './openModels';
import styles from './Picker.module.css';
import { PickerFoot } from './PickerFoot';
import { PickerRow } from './PickerRow';
import { useModelOf, useModels } from './store';
import { usePlaced } from './usePlaced';

interface PickerProps {
  /** What it opens from. */
  anchor: RefObject<HTMLElement | null>;
  thread: ThreadId | null;
  /** What is typed in at first. */
  words: string;
  /** It chooses for a cell of a notebook: the model that answers there, and what a choice does. */
  cell?: { readonly model: ModelRef | null; choose(model: ModelRef): void };
  onClose(): void;
}

/** Models used in other threads that are offered first. */
const RECENT = 3;
/** Rows that a page key goes over. */
const PAGE = 8;

/** The list of models: found by typing, walked with the arrows, however long it is. */
export default function Picker({ anchor, thread, words, cell, onClose }: PickerProps) {
  const panel = usePlaced(anchor, onClose);
  const { data } = useModels();
  const ofThread = useModelOf(thread) ?? null;
  const chosen = cell ? cell.model : ofThread;
  const [query, setQuery] = useState(words);
  const recent = useRecent();
  const rows = useMemo(() => (data ? rowsFor(data, query, recent) : []), [data, query, recent]);
  const [selected, setSelected] = useState<string | null>(null);
  const at = placeOf(rows, selected, query === '' ? chosen : null);
  const view = useWindowed<HTMLDivElement>(rows.length);
  const list = useId();
  useRevealed(view.reveal, at, view.height);

  const take = (row: Row | undefined, forNew = false) => {
    if (!row || row.kind === 'heading') return;
    if (row.kind === 'list') {
      announce(`Loading models of ${row.provider.name}`);
      void listModels(row.provider.id);
      return;
    }
    onClose();
    if (row.kind === 'blocked') openModels();
    else if (forNew) void setNewModel(row.model.model);
    else if (cell) cell.choose(row.model.model);
    else void setThreadModel(row.model.model, thread);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const next = moved(event.key, rows, at);
    if (next !== null) setSelected(rows[next]?.id ?? null);
    else if (event.key === 'Enter') take(rows[at], event.ctrlKey || event.metaKey);
    else return;
    event.preventDefault();
  };
  return (
    <div ref={panel} popover="auto" role="dialog" aria-label="Choose a model" className={styles.panel}>
      <input
        className={styles.field}
        role="combobox"
        aria-expanded="true"
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={rows[at] && `${list}-${at}`}
        aria-label="Search models by name, provider or ability"
        placeholder="Search by name, provider, “tools”, “vision”, “local”…"
        autoComplete="off"
        spellCheck={false}
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setSelected(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div ref={view.scroller} id={list} role="listbox" aria-label="Models" className={styles.list}>
        <div role="presentation" className={styles.rows} style={{ height: view.height }}>
          <div role="presentation" className={styles.window} style={{ top: view.before }}>
            {rows.slice(view.first, view.end).map((row, index) => (
              <PickerRow
                key={row.id}
                id={`${list}-${view.first + index}`}
                row={row}
                selected={view.first + index === at}
                inUse={row.kind === 'model' && row.model.model === chosen}
                forNew={row.kind === 'model' && row.model.model === data?.chosen}
                onPick={() => take(row)}
              />
            ))}
          </div>
        </div>
        {data && rows.length === 0 && <p className={styles.none}>No matches</p>}
      </div>
      <PickerFoot
        row={rows[at]}
        thread={thread}
        inCell={cell !== undefined}
        onUse={() => take(rows[at])}
        onUseForNew={() => take(rows[at], true)}
        onAll={() => {
          onClose();
          openModels();
        }}
      />
    </div>
  );
}

function placeOf(rows: readonly Row[], selected: string | null, chosen: ModelRef | null): number {
  const at = rows.findIndex((row) => row.id === selected);
  return at >= 0 ? at : firstRow(rows, chosen);
}

/** Where a key leads; null if it is not one that moves. */
function moved(key: string, rows: readonly Row[], at: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return step(rows, at, 1);
    case 'ArrowUp':
      return step(rows, at, -1);
    case 'PageDown':
      return step(rows, Math.min(at + PAGE, rows.length - 1) - 1, 1);
    case 'PageUp':
      return step(rows, Math.max(at - PAGE, 0) + 1, -1);
    default:
      return null;
  }
}

/** The models of the threads that changed last. */
function useRecent(): readonly ModelRef[] {
  const threads = useThreads((state) => state.threads);
  return useMemo(() => recentOf([...threads.values()]), [threads]);
}

function recentOf(threads: readonly Thread[]): ModelRef[] {
  const latest = threads.toSorted((one, two) => two.updated - one.updated);
  return [...new Set(latest.flatMap(({ model }) => (model ? [model] : [])))].slice(0, RECENT);
}

/** Keeps the row that has the keyboard in sight, also once the list has its height. */
function useRevealed(reveal: (index: number) => void, at: number, height: number): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is another function each time.
  useEffect(() => {
    if (at >= 0) reveal(at);
  }, [at, height]);
}
