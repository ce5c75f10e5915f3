import { describe, expect, it } from 'vitest';
import { forSeeds } from '../testing/random';
import { linesOf, paletteColour, plainText } from './terminal';

const ESC = '\u001b';

describe('printed text', () => {
  it('is rewritten by carriage returns and backspaces', () => {
    expect(plainText('10%\r 50%\r100%\ndone')).toBe('100%\ndone');
    expect(plainText('long line\rshort')).toBe('shortline');
    expect(plainText('abc\b\bX')).toBe('aXc');
    expect(plainText('one\r\ntwo\r\n')).toBe('one\ntwo\n');
    expect(plainText(`bar 1/2\r${ESC}[Kbar`)).toBe('bar');
    expect(plainText(`ab${ESC}[2Dc${ESC}[3Cd`)).toBe('cb  d');
    expect(plainText(`gone${ESC}[2K\rhere`)).toBe('here');
  });

  it('goes to lines above, as several progress bars do', () => {
    const bars = (share: string) => `a ${share}\nb ${share}\n`;
    expect(plainText(`${bars('10%')}${ESC}[2A${bars('100%')}`)).toBe('a 100%\nb 100%\n');
    expect(plainText(`one\ntwo\nthree${ESC}[FTWO`)).toBe('one\nTWO\nthree');
    expect(plainText(`one\ntwo${ESC}[A!${ESC}[E2`)).toBe('one!\n2wo');
    expect(plainText(`one\n${ESC}[99A1${ESC}[99B-`)).toBe('1ne\n -');
    expect(plainText(`one${ESC}[A\rOne${ESC}[B`)).toBe('One');
  });

  it('has the colours of a terminal', () => {
    expect(linesOf(`${ESC}[1;31mbad${ESC}[0m ok`)).toEqual([
      [
        { text: 'bad', style: { bold: true, fg: 1 } },
        { text: ' ok', style: {} },
      ],
    ]);
    expect(linesOf(`${ESC}[38;5;208ma${ESC}[48;2;1;2;255;4mb${ESC}[39mc`)[0]?.map(({ style }) => style)).toEqual([
      { fg: 208 },
      { fg: 208, bg: '#0102ff', underline: true },
      { fg: undefined, bg: '#0102ff', underline: true },
    ]);
    expect([paletteColour(208), paletteColour(16), paletteColour(255)]).toEqual(['#ff8700', '#000000', '#eeeeee']);
  });

  it('leaves out what only a terminal understands', () => {
    expect(plainText(`${ESC}]0;title\u0007a${ESC}[?25lb${ESC}(Bc${ESC}]8;;http://x${ESC}\\d\u0000\u0007${ESC}`)).toBe(
      'abcd',
    );
    expect(plainText(`${ESC}[999999999Cx`).length).toBeLessThan(1100);
  });

  it('is read whatever it is, and plain text stays as it is', () => {
    const parts = [
      'a',
      'ü😀',
      '\r',
      '\b',
      '\n',
      ESC,
      `${ESC}[`,
      '31',
      'm',
      'K',
      `${ESC}[5G`,
      `${ESC}[1K`,
      ';',
      'C',
      'é',
    ];
    forSeeds(200, (random) => {
      const text = Array.from({ length: 60 }, () => random.pick(parts)).join('');
      expect(linesOf(text).length).toBe(text.split('\n').length);
      const plain = text.replaceAll(/[^a-z\n]/g, '');
      expect(plainText(plain)).toBe(plain);
    });
  });

  it('takes a million characters with rewritten lines in a moment', () => {
    const text = Array.from({ length: 20_000 }, (_, at) => `${ESC}[3${at % 8}m${at}\r${'='.repeat(40)}\n`).join('');
    expect(linesOf(text)).toHaveLength(20_001);
  });
});
