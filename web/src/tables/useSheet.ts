import { useEffect, useState } from 'react';
import { inSlices } from '../viewers/slices';
import { useFileBytes } from '../viewers/useFileBytes';
import type { Failure } from '../wire/gen/types';
import { toUtf8 } from './encoding';
import { Sheet } from './sheet';

/** A table as far as it has been read. */
export interface OpenSheet {
  readonly sheet: Sheet;
  readonly encoding: string;
  /** Bytes of the file. */
  readonly size: number;
  /** Rows that are known; more come while `progress` is below 1. */
  readonly count: number;
  readonly progress: number;
}

/** Milliseconds between two looks at how many rows there are. */
const TELL = 120;

/** Reads a file as a table; the first rows are there before the last. */
export function useSheet(path: string): { open: OpenSheet | null; failure: Failure | undefined } {
  const { bytes, failure } = useFileBytes(path);
  const [open, setOpen] = useState<OpenSheet | null>(null);
  useEffect(() => {
    if (!bytes) return;
    const giveUp = new AbortController();
    const { bytes: text, encoding } = toUtf8(bytes);
    const sheet = new Sheet(text, path);
    const show = () => {
      const { count, progress, done } = sheet.index;
      if (!giveUp.signal.aborted)
        setOpen({ sheet, encoding, size: bytes.length, count, progress: done ? 1 : progress });
    };
    const work = sheet.scanned();
    work.next();
    show();
    const timer = setInterval(show, TELL);
    void inSlices(work, giveUp.signal).then(() => {
      clearInterval(timer);
      show();
    });
    return () => {
      giveUp.abort();
      clearInterval(timer);
    };
  }, [bytes, path]);
  return { open, failure };
}
