/** Whose content is in a file, as the server says it. */
import { useEffect } from 'react';
import { useActions } from '../actions/store';
import { doAction } from '../app/actionFlow';
import { connection, useConnection } from '../wire/connection';
import { gathered } from '../wire/gather';
import type { FileLabel } from '../wire/gen/types';
import { invalidateWhere, type Resource, useResource } from '../wire/resource';

const ROUTE = 'labels?';

let started = false;

/** Starts once per window: what is shown is read again when somebody says whose a file is, or writes into one. */
function startLabels(): void {
  if (started) return;
  started = true;
  useActions.subscribe(({ records }, before) => {
    if (records === before.records) return;
    for (const [id, record] of records) {
      const was = before.records.get(id);
      if (record.envelope.action_type === 'file.label' && record.state !== was?.state) return readAgain();
    }
  });
  const soon = gathered(readAgain);
  connection.on('document_edited', soon);
  connection.on('files_changed', soon);
}

/** Whose content is in a file or folder; no data for what is not there. */
export function useFileLabel(path: string): Resource<FileLabel> {
  useEffect(startLabels, []);
  const online = useConnection((state) => state.status === 'online');
  return useResource<FileLabel>(online ? `${ROUTE}${new URLSearchParams({ path })}` : null);
}

/** What a person can say; null takes back what was said. */
export type Said = 'workspace' | 'external' | null;

/** Says whose content is in a file or folder; the Gate does it. Tells whether it was done. */
export async function sayWhose(path: string, label: Said): Promise<boolean> {
  const words = { workspace: 'yours', external: 'untrusted' };
  const done = label ? `Marked ${path} as ${words[label]}` : `Reset the source of ${path}`;
  const said = await doAction({ action_type: 'file.label', args: { path, ...(label && { label }) } }, { done });
  readAgain();
  return said;
}

function readAgain(): void {
  invalidateWhere((path) => path.startsWith(ROUTE));
}
