// What is shown of the AI history is read again when something new is known.
import { connection } from '../wire/connection';
import { invalidateWhere } from '../wire/resource';

/** How long new lines gather before that, in milliseconds. */
const GATHER = 50;
let gathering = false;

connection.on('history_changed', () => {
  if (gathering) return;
  gathering = true;
  setTimeout(() => {
    gathering = false;
    invalidateWhere((path) => path === 'history' || path.startsWith('history/'));
  }, GATHER);
});
