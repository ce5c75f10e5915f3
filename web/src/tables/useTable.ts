import { useEffect, useReducer, useRef, useState } from 'react';
import { connection } from '../wire/connection';
import type { TableView } from '../wire/gen/types';
import { TableReader } from './tableReader';

/** Milliseconds after the last letter of a filter before the server is asked. */
const PAUSE = 150;

/** A table as it is shown, and how far the next view of it is. */
export interface ShownTable {
  readonly reader: TableReader | null;
  /** The share of the work on another view that is done; none if there is no such work. */
  readonly work: number | null;
}

/** Reads a view of a table; the last view stays until another has rows. */
export function useTable(path: string, view: TableView): ShownTable {
  const [, drawAgain] = useReducer((times: number) => times + 1, 0);
  const [shown, setShown] = useState<TableReader | null>(null);
  const readers = useRef<{ shown: TableReader | null; next: TableReader | null }>({ shown: null, next: null });
  const key = JSON.stringify(view);
  useEffect(() => {
    const now = readers.current;
    const wanted = JSON.parse(key) as TableView;
    const reader = new TableReader(path, wanted, () => {
      if (now.next === reader && reader.ready) {
        now.shown?.close();
        [now.shown, now.next] = [reader, null];
        setShown(reader);
      }
      drawAgain();
    });
    now.next?.close();
    now.next = reader;
    drawAgain();
    const timer = setTimeout(() => reader.refresh(), now.shown?.path === path ? PAUSE : 0);
    return () => clearTimeout(timer);
  }, [path, key]);
  useEffect(() => {
    const folder = path.split('/').slice(0, -1).join('/');
    const look = () => {
      for (const reader of Object.values(readers.current)) reader?.refresh();
    };
    const stop = connection.on('files_changed', ({ folders }) => folders.includes(folder) && look());
    return () => {
      stop();
      readers.current.shown?.close();
      readers.current.next?.close();
      readers.current = { shown: null, next: null };
      setShown(null);
    };
  }, [path]);
  const { next } = readers.current;
  const working = next?.facts?.work ?? (next ? 0 : shown?.facts?.work);
  return { reader: shown, work: working === undefined || working === 1 ? null : working };
}
