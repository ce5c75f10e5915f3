// Pictures that a Markdown cell brings along, as the format keeps them: name -> MIME type -> base64.
import type * as Y from 'yjs';
import { otherOf, parsed, setOther } from './cells';

/** MIME types of pictures. */
export const PICTURE = /^image\/(png|jpeg|gif|webp|bmp|svg\+xml)$/;

/** The picture of an address in a cell with these attachments; null for one that the cell does not bring along. */
export function pictureIn(attachments: string | null, url: string): string | null {
  if (/^data:image\/(png|jpeg|gif|webp|bmp);base64,[a-z0-9+/=\s]*$/i.test(url)) return url;
  const name = /^attachment:(.+)$/.exec(url)?.[1];
  if (name === undefined) return null;
  const all = parsed(attachments) ?? {};
  const forms = all[decoded(name)] ?? all[name];
  for (const [mime, data] of Object.entries(typeof forms === 'object' && forms !== null ? forms : {})) {
    const text = Array.isArray(data) ? data.join('') : data;
    if (PICTURE.test(mime) && typeof text === 'string') return `data:${mime};base64,${text.replaceAll(/\s/g, '')}`;
  }
  return null;
}

/** A picture that a cell is given. */
export interface Picture {
  readonly name: string;
  readonly mime: string;
  readonly base64: string;
}

/** Characters of all pictures of a cell: with any change they go to the server in one message. */
const MOST = 14_000_000;

/** Whether pictures of so many bytes find room in a cell beside those that it has. */
export function fits(attachments: string | null, bytes: number): boolean {
  return (attachments?.length ?? 0) + (bytes * 4) / 3 <= MOST;
}

/** Gives pictures to a cell, each under a name of its own; returns the Markdown that shows them. */
export function attach(doc: Y.Doc, key: string, pictures: readonly Picture[]): string {
  const all = parsed(otherOf(doc, key, 'attachments')) ?? {};
  const words = pictures.map(({ name: wanted, mime, base64 }) => {
    const name = freeName(wanted, all);
    all[name] = { [mime]: base64 };
    return `![${name}](attachment:${name})`;
  });
  setOther(doc, key, 'attachments', JSON.stringify(all));
  return words.join('\n');
}

/** A name that stands in an address as it is, and that no other has. */
function freeName(wanted: string, all: Readonly<Record<string, unknown>>): string {
  const [, stem = '', end = ''] = /^(.*?)(\.\w+)?$/.exec(wanted.replaceAll(/[^\w.]+/g, '-')) ?? [];
  for (let count = 0; ; count += 1) {
    const name = `${stem || 'picture'}${count === 0 ? '' : `-${count}`}${end}`;
    if (!Object.hasOwn(all, name)) return name;
  }
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
