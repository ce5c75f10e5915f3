// What is shown of the AI history is read again when something new is known.
import { connection } from '../wire/connection';
import { gathered } from '../wire/gather';
import { invalidateWhere } from '../wire/resource';

connection.on(
  'history_changed',
  gathered(() => invalidateWhere((path) => path === 'history' || path.startsWith('history/'))),
);
