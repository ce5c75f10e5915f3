// Going where a wiki link leads.
import { doAction } from '../app/actionFlow';
import { isGuest } from '../app/session';
import { openFile } from '../frames/store';
import { wikiLinkOf } from '../markdown/noteSyntax';
import { toast, toastFailure } from '../ui/Toast';
import { failureOf } from '../wire/requests';
import { resolveLink } from './api';

/** Opens what a wiki link of a note means; a note that is not there can be created. */
export async function followWiki(from: string, inside: string): Promise<void> {
  const link = wikiLinkOf(inside);
  const target = inside.split('|')[0]?.replace(/\\$/, '').trim() ?? '';
  try {
    const { to, line, anchor_found } = await resolveLink(from, target, 'wiki');
    if (to === null) return offer(from, link.target);
    openFile(to, link.anchor !== null && anchor_found ? { line } : {});
    if (anchor_found === false) toast(`${to} has no “${link.anchor}”`);
  } catch (error) {
    toastFailure(failureOf(error));
  }
}

function offer(from: string, name: string): void {
  const path = pathFor(from, name);
  const create = async () => {
    const done = await doAction({ action_type: 'file.create', args: { path, text: '' } }, { done: `Created ${path}` });
    if (done) openFile(path);
  };
  toast(`No note is called ${name}`, isGuest() ? undefined : { label: `Create ${path}`, run: () => void create() });
}

/** Where a note of that name would be: beside the one that links to it, or where its path says. */
export function pathFor(from: string, name: string): string {
  const file = /\.[a-z0-9]{1,8}$/i.test(name) ? name : `${name}.md`;
  if (file.includes('/')) return file.replace(/^(?:\.{0,2}\/)+/, '');
  const folder = from.split('/').slice(0, -1);
  return [...folder, file].join('/');
}
