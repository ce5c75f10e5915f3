// Files that a person gives to a control, as the kernel's library wants them: what they are as JSON, and their bytes beside it.
// Pure but for reading the files.
import { sizeWords } from '../../notebook/words';
import { base64Of } from '../../ui/dataUrl';
import type { WidgetBuffer } from '../../wire/gen/types';

/** Bytes of the files that a control takes at once: they travel in one message, and the kernel holds them in memory. */
export const MOST = 32_000_000;

/** A file that a control has. */
export interface Held {
  readonly name: string;
  readonly size: number;
}

/** What is told to the kernel. */
interface Told {
  readonly state: Record<string, unknown>;
  readonly buffers: WidgetBuffer[];
}

/** Says why a control can't take files; null if it can. */
export function refused(files: readonly Held[]): string | null {
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (size <= MOST) return null;
  const what =
    files.length === 1 ? `“${files[0]?.name}” has ${sizeWords(size)}` : `These files have ${sizeWords(size)}`;
  return `${what}; the limit is ${sizeWords(MOST)}. Copy the data into the folder and open it from code.`;
}

/** The files that a control has been given, as its state names them. */
export function heldIn(state: Record<string, unknown>): Held[] {
  const all = isOfVersion7(state) ? state.metadata : state.value;
  return Array.isArray(all) ? all.flatMap(heldOf) : [];
}

function heldOf(value: unknown): Held[] {
  const { name, size } = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  return typeof name === 'string' ? [{ name, size: typeof size === 'number' ? size : 0 }] : [];
}

/** Reads files for a control that has this state. */
export async function toldOf(state: Record<string, unknown>, files: readonly File[]): Promise<Told> {
  const contents = await Promise.all(files.map(read));
  const about = files.map(({ name, type, size }) => ({ name, type, size }));
  if (isOfVersion7(state)) {
    const metadata = files.map((file, at) => ({ ...about[at], lastModified: file.lastModified }));
    const counted = { metadata, data: files.map(() => null), _counter: files.length, error: '' };
    return { state: counted, buffers: contents.map((base64, at) => ({ path: ['data', `${at}`], base64 })) };
  }
  const value = files.map((file, at) => ({ ...about[at], last_modified: file.lastModified }));
  const buffers = contents.map((base64, at) => ({ path: ['value', `${at}`, 'content'], base64 }));
  return { state: { value, error: '' }, buffers };
}

/** Before version 8 of the library what files are and what is in them stood apart, and were counted. */
const isOfVersion7 = (state: Record<string, unknown>): boolean => '_counter' in state;

function read(file: File): Promise<string> {
  return base64Of(file).catch(() => Promise.reject(new Error(`Couldn’t read “${file.name}”.`)));
}
