import { useEffect, useState } from 'react';
import { fetchBytes } from '../files/bytes';
import { dataUrl } from '../ui/dataUrl';
import { connection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { pictureKind } from './rules';

interface Shown {
  /** The picture as an address that holds all of it. */
  readonly data?: string;
  /** How long the file is. */
  readonly bytes?: number;
  readonly failure?: Failure;
}

/** A picture of the workspace; read again when something in its folder changes. */
export function useFilePicture(path: string): Shown {
  const [shown, setShown] = useState<Shown>({});
  useEffect(() => {
    let [gone, tag]: [boolean, string | null] = [false, null];
    const read = async () => {
      try {
        const fetched = await fetchBytes(path, tag);
        if (!fetched) return;
        const data = await dataUrl(new Blob([fetched.data], { type: pictureKind(path) ?? '' }));
        tag = fetched.tag;
        if (!gone) setShown({ data, bytes: fetched.data.byteLength });
      } catch (error) {
        if (!gone) setShown({ failure: failureOf(error) });
      }
    };
    void read();
    const folder = path.split('/').slice(0, -1).join('/');
    const stop = connection.on('files_changed', ({ folders }) => folders.includes(folder) && void read());
    return () => {
      gone = true;
      stop();
    };
  }, [path]);
  return shown;
}
