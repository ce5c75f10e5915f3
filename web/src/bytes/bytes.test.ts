import { describe, expect, it, vi } from 'vitest';
import { hexOf, letterOf, meanings, placeIn, placeWords } from './decode';
import { BytePages } from './pages';

const later = () => new Promise((done) => setTimeout(done));

describe('a file in pages', () => {
  const file = Uint8Array.from({ length: 200_000 }, (_, at) => at % 251);
  const read = vi.fn(async (_: string, from: number, length: number) => ({
    bytes: file.slice(from, from + length),
    size: file.length,
  }));

  it('is read where it is looked at', async () => {
    const pages = new BytePages('a.bin', () => {}, read);
    await later();
    expect([pages.size, pages.at(5)]).toEqual([200_000, 5]);
    expect([pages.at(150_000), pages.at(150_001)]).toEqual([null, null]);
    await later();
    expect([...pages.slice(150_000, 3)]).toEqual([...file.slice(150_000, 150_003)]);
    expect([...pages.slice(199_999, 8)]).toEqual([]);
    await later();
    expect([...pages.slice(199_999, 8)]).toEqual([file[199_999]]);
    expect(pages.at(200_001)).toBeNull();
    expect(read).toHaveBeenCalledTimes(3);
  });

  it('says why it can’t be read', async () => {
    const changed = vi.fn();
    const pages = new BytePages('a.bin', changed, () => Promise.reject(new Error('no')));
    await later();
    expect([changed.mock.calls.length, String(pages.failure)]).toEqual([1, 'Error: no']);
  });
});

describe('bytes', () => {
  it('are written as digits and letters', () => {
    expect([hexOf(10), letterOf(0x41), letterOf(10), letterOf(200)]).toEqual(['0a', 'A', '·', '·']);
    expect([placeWords(31, 100), placeWords(31, 2 ** 40)]).toEqual(['0000001f', '0000000001f'.padStart(11, '0')]);
  });

  it('are found by their place', () => {
    expect(['0x1f', '1Fh', ' 31 '].map((text) => placeIn(text, 100))).toEqual([31, 31, 31]);
    for (const text of ['', '0x', 'zz', '100', '-1', '1.5']) expect(placeIn(text, 100), text).toBeNull();
  });

  it('mean numbers', () => {
    const bytes = new Uint8Array([0xff, 0xfe, 0, 0, 0, 0, 0, 0]);
    expect(Object.fromEntries(meanings(bytes, true))).toMatchObject({ int8: '-1', uint16: '65279', uint32: '65279' });
    expect(Object.fromEntries(meanings(bytes, false))).toMatchObject({ uint16: '65534', int64: '-562949953421312' });
    expect(meanings(new Uint8Array([0xc3, 0xa9]), true).at(-1)).toEqual(['UTF-8', 'é']);
    expect(meanings(new Uint8Array([1]), true)).toHaveLength(3);
  });
});
