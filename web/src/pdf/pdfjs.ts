/** pdf.js, held to what an untrusted file may do: no scripts, no forms, no requests of its own. */
import { getDocument, type PDFDocumentProxy, PDFWorker } from 'pdfjs-dist';
import workerUrl from 'pdfjs-dist/build/pdf.worker.min.mjs?worker&url';

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
