// The bytes of a file, read in pages when they are looked at: a file of any size opens at once.
import type { FilePart } from '../files/bytes';

/** Bytes that are read at a time. */
const PAGE = 64 * 1024;
/** Pages that are kept; the ones that were read first make room. */
const MOST = 64;

/** A file of which parts are read. */
export class BytePages {
  private readonly pages = new Map<number, Uint8Array>();
  private readonly reading = new Set<number>();
  private gone = false;
  /** How long the file is; null until a part was read. */
  size: number | null = null;
  failure: unknown = null;

  constructor(
    private readonly path: string,
    private readonly changed: () => void,
    private readonly read: (path: string, from: number, length: number) => Promise<FilePart>,
  ) {
    void this.load(0);
  }

  /** The byte at a place, if its page is there; else the page is read. */
  at(place: number): number | null {
    const number = Math.floor(place / PAGE);
    const page = this.pages.get(number);
    if (page) return page[place % PAGE] ?? null;
    void this.load(number);
    return null;
  }

  /** Up to `count` bytes after a place, as far as they are there. */
  slice(place: number, count: number): Uint8Array {
    const bytes: number[] = [];
    for (let at = place; at < place + count; at++) {
      const byte = this.at(at);
      if (byte === null) break;
      bytes.push(byte);
    }
    return Uint8Array.from(bytes);
  }

  /** Forgets what was read: the file has changed. */
  refresh(): void {
    this.pages.clear();
    void this.load(0);
  }

  close(): void {
    this.gone = true;
  }

  private async load(number: number): Promise<void> {
    if (this.reading.has(number) || this.gone || (this.size !== null && number > 0 && number * PAGE >= this.size))
      return;
    this.reading.add(number);
    try {
      const { bytes, size } = await this.read(this.path, number * PAGE, PAGE);
      if (this.pages.size >= MOST) this.pages.delete(this.pages.keys().next().value as number);
      this.pages.set(number, bytes);
      [this.size, this.failure] = [size, null];
    } catch (error) {
      this.failure = error;
    }
    this.reading.delete(number);
    if (!this.gone) this.changed();
  }
}
