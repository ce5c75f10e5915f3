import { useEffect, useState } from 'react';
import { fetchBytes } from '../files/bytes';
import { connection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';

/** The bytes of a file, or why there are none. */
export interface FileBytes {
  readonly bytes?: Uint8Array;
  readonly failure?: Failure;
}

/** Milliseconds between two reads of a file that is written again and again. */
const SELDOM = 1000;

/** The bytes of a file, read again when something in its folder changes. */
export function useFileBytes(path: string): FileBytes {
  const [shown, setShown] = useState<FileBytes>({});
  useEffect(() => followBytes(path, setShown), [path]);
  return shown;
}

/** Reads a file now and whenever it changes, one read at a time; returns what ends it. */
function followBytes(path: string, show: (now: FileBytes) => void): () => void {
  let [gone, reading, again, tag]: [boolean, boolean, boolean, string | null] = [false, false, false, null];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const read = async () => {
    if (reading) {
      again = true;
      return;
    }
    [reading, again] = [true, false];
    try {
      const fetched = await fetchBytes(path, tag);
      tag = fetched?.tag ?? tag;
      if (fetched && !gone) show({ bytes: new Uint8Array(fetched.data) });
    } catch (error) {
      if (!gone) show({ failure: failureOf(error) });
    }
    reading = false;
    if (again && !gone) timer = setTimeout(() => void read(), SELDOM);
  };
  void read();
  const folder = path.split('/').slice(0, -1).join('/');
  const stop = connection.on('files_changed', ({ folders }) => folders.includes(folder) && void read());
  return () => {
    gone = true;
    clearTimeout(timer);
    stop();
  };
}
