// Pictures that a Markdown cell brings along, as the format keeps them: name -> MIME type -> base64. Pure.
import { parsed } from './cells';

const PICTURE = /^image\/(png|jpeg|gif|webp|bmp|svg\+xml)$/;

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

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
