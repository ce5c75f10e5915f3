// The bytes of a text as UTF-8, whatever it is written in. Pure.

/** A text as UTF-8, and what it was. */
export interface Decoded {
  readonly bytes: Uint8Array;
  readonly encoding: 'UTF-8' | 'UTF-16' | 'Windows-1252';
}

/** Returns a text as UTF-8 without its byte order mark. Bytes that are no UTF-8 are read as Windows-1252. */
export function toUtf8(bytes: Uint8Array): Decoded {
  if (bytes[0] === 0xff && bytes[1] === 0xfe)
    return { bytes: recoded(bytes.subarray(2), 'utf-16le'), encoding: 'UTF-16' };
  if (bytes[0] === 0xfe && bytes[1] === 0xff)
    return { bytes: recoded(bytes.subarray(2), 'utf-16be'), encoding: 'UTF-16' };
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const text = marked ? bytes.subarray(3) : bytes;
  if (isUtf8(text)) return { bytes: text, encoding: 'UTF-8' };
  return { bytes: recoded(text, 'windows-1252'), encoding: 'Windows-1252' };
}

/** Bytes that are checked at a time: what is decoded is thrown away, and need not all be there at once. */
const PART = 1 << 20;

function isUtf8(bytes: Uint8Array): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for (let at = 0; at < bytes.length; at += PART) {
      decoder.decode(bytes.subarray(at, at + PART), { stream: at + PART < bytes.length });
    }
    return true;
  } catch {
    return false;
  }
}

function recoded(bytes: Uint8Array, encoding: string): Uint8Array {
  return new TextEncoder().encode(new TextDecoder(encoding).decode(bytes));
}
