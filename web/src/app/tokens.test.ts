// Every colour of text can be read on every background that it may lie on, in both themes.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8');
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w+|rgb\([^)]*\)), (#\w+|rgb\([^)]*\))\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, [colourOf(light), colourOf(dark)] as const],
  ),
);

function colourOf(text: string): Colour {
  const [red = 0, green = 0, blue = 0, alpha = 1] = text.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(text.slice(at, at + 2), 16))
    : (text.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue, alpha];
}

function luminance([red, green, blue]: Colour): number {
  const [r = 0, g = 0, b = 0] = [red, green, blue].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: Colour, two: Colour): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(two)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

/** A colour as it is seen over another. */
function over([red, green, blue, alpha]: Colour, [r, g, b]: Colour): Colour {
  const mixed = (top: number, below: number) => top * alpha + below * (1 - alpha);
  return [mixed(red, r), mixed(green, g), mixed(blue, b), 1];
}

function token(name: string, theme: number): Colour {
  const colour = tokens.get(name)?.[theme];
  if (!colour) throw new Error(`tokens.css has no colour --${name}`);
  return colour;
}

const SYNTAX = ['keyword', 'string', 'number', 'comment', 'definition'].map((name) => `syn-${name}`);
const WORDS = ['fg', 'fg-2', 'accent', 'ok', 'warn', 'err'];
const GROUNDS = ['bg', 'bg-2', 'bg-3', 'add-bg', 'del-bg', 'select-bg'];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('the %s theme', (_, theme) => {
  it.each([...WORDS, ...SYNTAX])('shows %s at 4.5:1 on every background', (name) => {
    const low = GROUNDS.map((ground) => [ground, contrast(token(name, theme), token(ground, theme))] as const);
    expect(low.filter(([, ratio]) => ratio < 4.5)).toEqual([]);
  });

  it('shows code on the line of the cursor', () => {
    const ground = over(token('line-bg', theme), token('bg', theme));
    for (const name of ['fg', 'fg-2', ...SYNTAX]) expect(contrast(token(name, theme), ground)).toBeGreaterThan(4.5);
  });

  it('words on the accent can be read', () => {
    expect(contrast(token('on-accent', theme), token('accent', theme))).toBeGreaterThan(4.5);
    for (const ground of ['bg', 'bg-2', 'bg-3'])
      expect(contrast(token('line-strong', theme), token(ground, theme))).toBeGreaterThan(3);
  });
});
