// Bytes as people and programs read them. Pure.

/** Bytes in a row. */
export const PER_ROW = 16;

/** A byte as two digits. */
export const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0');

/** A byte as a letter, if it is one that can be seen. */
export const letterOf = (byte: number): string => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·');

/** The place of a row, with as many digits as the last one needs. */
export function placeWords(place: number, size: number): string {
  return place.toString(16).padStart(Math.max(8, size.toString(16).length), '0');
}

/** Reads a place that a person typed: `0x1f`, `1fh` or `31`. Null if it is none, or not in the file. */
export function placeIn(text: string, size: number): number | null {
  const trimmed = text.trim().toLowerCase();
  const hex = /^(?:0x([\da-f]+)|([\da-f]+)h)$/.exec(trimmed);
  const place = hex
    ? Number.parseInt((hex[1] ?? hex[2]) as string, 16)
    : /^\d+$/.test(trimmed)
      ? Number(trimmed)
      : null;
  return place !== null && place < size ? place : null;
}

/** The bytes at a place as numbers and letters; a number that needs more bytes than there are is left out. */
export function meanings(bytes: Uint8Array, little: boolean): [string, string][] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const numbers: [string, number, () => number | bigint][] = [
    ['int8', 1, () => view.getInt8(0)],
    ['uint8', 1, () => view.getUint8(0)],
    ['int16', 2, () => view.getInt16(0, little)],
    ['uint16', 2, () => view.getUint16(0, little)],
    ['int32', 4, () => view.getInt32(0, little)],
    ['uint32', 4, () => view.getUint32(0, little)],
    ['int64', 8, () => view.getBigInt64(0, little)],
    ['uint64', 8, () => view.getBigUint64(0, little)],
    ['float32', 4, () => view.getFloat32(0, little)],
    ['float64', 8, () => view.getFloat64(0, little)],
  ];
  const known = numbers.filter(([, length]) => length <= bytes.length);
  return [...known.map(([name, , read]): [string, string] => [name, String(read())]), ...letter(bytes)];
}

function letter(bytes: Uint8Array): [string, string][] {
  const first = new TextDecoder().decode(bytes.subarray(0, 4));
  const [character] = first;
  return character && character !== '\uFFFD' ? [['UTF-8', character]] : [];
}
