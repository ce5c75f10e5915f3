/** The bytes of a file as the server has it. */
import { basePath } from '../app/base';
import { RequestFailed } from '../wire/requests';

/** A file's bytes, and what tells them from another version. */
export interface Fetched {
  data: ArrayBuffer;
  tag: string | null;
}

/** Gets a file's bytes; null if it is still the version with that tag. */
export async function fetchBytes(path: string, tag: string | null): Promise<Fetched | null> {
  const headers: Record<string, string> = tag ? { 'If-None-Match': tag } : {};
  const answer = await fetch(bytesUrl(path), { headers, credentials: 'same-origin', cache: 'no-store' });
  if (answer.status === 304) return null;
  if (!answer.ok) {
    const missing = answer.status === 404;
    const message = missing ? `${path} was not found.` : `The server responded with status ${answer.status}.`;
    throw new RequestFailed(answer.status, { code: missing ? 'not_found' : 'http', message, data: null });
  }
  return { data: await answer.arrayBuffer(), tag: answer.headers.get('ETag') };
}

/** A part of a file, and how long all of it is. */
export interface FilePart {
  bytes: Uint8Array;
  size: number;
}

/** Reads a part of a file; it is shorter at the end. */
export async function readRange(path: string, from: number, length: number): Promise<FilePart> {
  const headers = { Range: `bytes=${from}-${from + length - 1}` };
  const answer = await fetch(bytesUrl(path), { headers, credentials: 'same-origin', cache: 'no-store' });
  const size = Number(/\/(\d+)$/.exec(answer.headers.get('Content-Range') ?? '')?.[1] ?? 0);
  if (answer.status === 416) return { bytes: new Uint8Array(), size };
  if (answer.status !== 206) {
    const missing = answer.status === 404;
    const message = missing ? `${path} was not found.` : `The server responded with status ${answer.status}.`;
    throw new RequestFailed(answer.status, { code: missing ? 'not_found' : 'http', message, data: null });
  }
  return { bytes: new Uint8Array(await answer.arrayBuffer()), size };
}

/** Gets a file as text. */
export async function fetchText(path: string): Promise<string> {
  const fetched = await fetchBytes(path, null);
  return new TextDecoder().decode(fetched?.data ?? new ArrayBuffer(0));
}

/** Where a file's bytes are. */
export function bytesUrl(path: string): string {
  return `${basePath}api/v1/files/bytes?${new URLSearchParams({ path })}`;
}

/** Saves a file on the person's computer. */
export function download(path: string): void {
  const link = document.createElement('a');
  link.href = bytesUrl(path);
  link.download = path.slice(path.lastIndexOf('/') + 1);
  link.click();
}
