/** Keeps the records of actions in step with the server, and says aloud what became of them. */
import { announce } from '../ui/Announcer';
import { connection, useConnection } from '../wire/connection';
import type { ActionId, ActionRecord } from '../wire/gen/types';
import { cardOf } from './card';
import { readAction, readWaiting, useActions } from './store';

let started = false;

/** Starts once per window; whoever shows actions calls it. */
export function startActions(): void {
  if (started) return;
  started = true;
  const read = () => void readWaiting().catch(() => {});
  if (useConnection.getState().status === 'online') read();
  connection.on('hello', read);
  connection.on('needs_you', read);
  connection.on('document_edited', ({ action, undoes }) => {
    void readAction(action);
    if (undoes) void readAction(undoes);
  });
  useActions.subscribe(({ records }, before) => {
    if (records !== before.records) sayChanges(records, before.records);
  });
}

const since = Date.now();

/** What was already so when the window opened is not news. */
function sayChanges(now: ReadonlyMap<ActionId, ActionRecord>, before: ReadonlyMap<ActionId, ActionRecord>): void {
  for (const [id, record] of now) {
    const known = before.get(id);
    if (known?.state === record.state || record.parent !== null || record.undoes !== null) continue;
    if (!known && record.created < since) continue;
    const said = cardOf(record).announcement;
    if (said) announce(said.text, said.assertive ? 'assertive' : 'polite');
  }
}
