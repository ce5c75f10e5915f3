/** pdf.js, held to what an untrusted file may do: no scripts, no forms, no requests of its own. */
import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url';
import { basePath } from '../app/base';
import { RequestFailed } from '../wire/requests';

let worker: PDFWorker | null = null;

/** Reads a PDF. */
export function readPdf(data: ArrayBuffer): Promise<PDFDocumentProxy> {
  worker ??= PDFWorker.create({ port: startWorker() });
  return getDocument({ data, worker, enableXfa: false, useWasm: false, useWorkerFetch: false }).promise;
}

/** The one script that the page may start by its address; the server's content policy names this rule. */
function startWorker(): Worker {
  const createScriptURL = (url: string) => {
    if (url !== workerUrl) throw new TypeError('not our worker');
    return url;
  };
  const { trustedTypes } = window as { trustedTypes?: Policies };
  const rule = trustedTypes?.createPolicy('aside-pdf', { createScriptURL }) ?? { createScriptURL };
  return new Worker(rule.createScriptURL(workerUrl) as string, { type: 'module' });
}

/** What of Trusted Types is used; not every browser has them. */
interface Policies {
  createPolicy(name: string, rules: Rule): { createScriptURL(url: string): unknown };
}

interface Rule {
  createScriptURL(url: string): string;
}

/** A file as the server has it, and what tells it from another version. */
export interface Fetched {
  data: ArrayBuffer;
  tag: string | null;
}

/** Gets a file's bytes; null if it is still the version with that tag. */
export async function fetchPdf(path: string, tag: string | null): Promise<Fetched | null> {
  const headers: Record<string, string> = tag ? { 'If-None-Match': tag } : {};
  const answer = await fetch(bytesUrl(path), { headers, credentials: 'same-origin', cache: 'no-store' });
  if (answer.status === 304) return null;
  if (!answer.ok) {
    const missing = answer.status === 404;
    const message = missing ? `There is no ${path}.` : `The server answered ${answer.status}.`;
    throw new RequestFailed(answer.status, { code: missing ? 'not_found' : 'http', message, data: null });
  }
  return { data: await answer.arrayBuffer(), tag: answer.headers.get('ETag') };
}

/** Where a file's bytes are. */
export function bytesUrl(path: string): string {
  return `${basePath}api/v1/files/bytes?${new URLSearchParams({ path })}`;
}
