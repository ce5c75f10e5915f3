import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { fetchBytes } from '../files/bytes';
import { connection } from '../wire/connection';
import type { Failure } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { readPdf } from './pdfjs';

/** The size of a page, in points. */
export interface PageSize {
  width: number;
  height: number;
}

interface Read {
  pdf: PDFDocumentProxy | null;
  /** That of the first page, which stands for those that nobody has looked at. */
  size: PageSize | null;
  failure: Failure | null;
}

/** Milliseconds that an old version is kept: its pages show until those of the new one are drawn. */
const KEPT = 5000;

/** Reads a PDF, and again when its file changes; what was read before shows until then. */
export function usePdf(path: string): Read & { again(): void } {
  const [read, setRead] = useState<Read>({ pdf: null, size: null, failure: null });
  const [asked, setAsked] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asking again reads again
  useEffect(() => follow(path, setRead), [path, asked]);
  return { ...read, again: () => setAsked(asked + 1) };
}

function follow(path: string, know: (change: (before: Read) => Read) => void): () => void {
  let gone = false;
  let tag: string | null = null;
  let held: PDFDocumentProxy | null = null;
  const readIt = async () => {
    try {
      const fetched = await fetchBytes(path, tag);
      if (!fetched || gone) return;
      const pdf = await readPdf(fetched.data);
      const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
      if (gone) return void pdf.loadingTask.destroy();
      const old = held;
      [held, tag] = [pdf, fetched.tag];
      know(() => ({ pdf, size: { width, height }, failure: null }));
      setTimeout(() => void old?.loadingTask.destroy(), KEPT);
    } catch (error) {
      if (!gone) know((before) => ({ ...before, failure: failureOf(error) }));
    }
  };
  let [looks, onceMore] = [false, false];
  // One at a time: a version that was asked for earlier never comes after a later one.
  const look = async () => {
    onceMore = looks;
    if (looks) return;
    looks = true;
    await readIt();
    looks = false;
    if (onceMore && !gone) void look();
  };
  void look();
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '';
  const stops = [
    connection.on('files_changed', ({ folders }) => {
      if (folders.some((one) => one === folder || one === '')) void look();
    }),
    connection.on('latex_changed', () => void look()),
    connection.on('hello', () => void look()),
  ];
  return () => {
    gone = true;
    for (const stop of stops) stop();
    void held?.loadingTask.destroy();
  };
}
