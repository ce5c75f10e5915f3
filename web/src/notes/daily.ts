// The note of a day: opened if it is there, else created, from the template if there is one.
import { doAction } from '../app/actionFlow';
import { fetchText } from '../files/bytes';
import { join } from '../files/names';
import { openFile } from '../frames/store';
import { setting } from '../settings/values';
import type { FileNames } from '../wire/gen/types';
import { known } from '../wire/resource';
import { dailyFolder, dayName } from './days';
import { filled, templatesIn } from './templates';

/** Opens the note of today. */
export async function openToday(now = new Date()): Promise<void> {
  const paths = (await known<FileNames>('files/names'))?.paths ?? [];
  const day = dayName(now);
  const chosen = setting('notes.daily_folder').replace(/^\/+|\/+$/g, '');
  const path = join(chosen || dailyFolder(paths), `${day}.md`);
  if (paths.includes(path)) return openFile(path);
  const template = templatesIn(paths).find(({ name }) => /^daily(?: note)?$/i.test(name));
  const text = template ? filled(await fetchText(template.path), day, now) : `# ${day}\n\n`;
  if (await doAction({ action_type: 'file.create', args: { path, text } }, { done: `Created ${path}` })) openFile(path);
}
