// What goes over the socket of a terminal, as it comes and goes. Pure.
//
//   server -> page    binary: 8 bytes, the number of the first byte, then output; text: a `TerminalServerFrame`
//   page -> server    binary: what is typed; text: how far output was read, how large the pane is
import type { TerminalServerFrame } from '../wire/gen/types';

/** A piece of a terminal's output. */
export interface Output {
  /** The number of its first byte among all that the terminal has put out. */
  readonly seq: number;
  readonly bytes: Uint8Array;
}

/** Reads a binary frame; null if it is none. */
export function outputOf(data: ArrayBuffer): Output | null {
  if (data.byteLength < 8) return null;
  return { seq: Number(new DataView(data).getBigUint64(0)), bytes: new Uint8Array(data, 8) };
}

/** Reads a text frame; null if this version does not know it. */
export function frameOf(text: string): TerminalServerFrame | null {
  try {
    const frame: unknown = JSON.parse(text);
    return typeof frame === 'object' && frame !== null && 'type' in frame ? (frame as TerminalServerFrame) : null;
  } catch {
    return null;
  }
}

/** The most bytes that one frame of typing may have. */
const MOST_TYPED = 64 * 1024;

/** Cuts what is typed or pasted into frames. */
export function* typedFrames(bytes: Uint8Array<ArrayBuffer>, most = MOST_TYPED): Generator<Uint8Array<ArrayBuffer>> {
  for (let at = 0; at < bytes.length; at += most) yield bytes.subarray(at, at + most);
}

/** The bytes of a text in which each character stands for a byte, as mouse reports come. */
export function bytesOfBinary(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0) & 0xff);
}

/** Bytes after which the server hears how far output was read. */
const ACK_EVERY = 64 * 1024;

/** Tells the server how far output was read: seldom while much comes, and always once all was read. */
export class Acknowledgements {
  private said = 0;

  constructor(private readonly say: (seq: number) => void) {}

  /** Begins at a byte. */
  start(seq: number): void {
    this.said = seq;
  }

  /** All before `seq` was read; `idle` says that nothing else has come yet. */
  read(seq: number, idle: boolean): void {
    if (seq <= this.said || (!idle && seq - this.said < ACK_EVERY)) return;
    this.said = seq;
    this.say(seq);
  }
}

/**
 * Answers of a terminal to a program that asks about it: its attributes, its state, its colours, whether it has the
 * keyboard. Old output asks again when it is written again, and nobody waits for that answer any more.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how terminals answer
const ANSWER = /^(?:\x1b\[[?>=]?[\d;]*(?:\$y|[cnRtx])|\x1b\[[IO]|\x1b[P\]][^\x07\x1b]*(?:\x07|\x1b\\))+$/;

/** Tells whether a text that a terminal would send is an answer, and was not typed. */
export function isAnswer(text: string): boolean {
  return ANSWER.test(text);
}
