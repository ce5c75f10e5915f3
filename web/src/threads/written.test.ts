import { describe, expect, it } from 'vitest';
import { askedFor, type Piece, pieces, type Written } from './written';

const blocks = (text: string) => pieces(text).filter((piece): piece is Written => piece.kind === 'block');
const told = (piece: Piece) => (piece.kind === 'prose' ? piece.text : `[${piece.keyword} ${piece.about}]`);

describe('a block of a model without tools', () => {
  it('is prose and blocks, in order', () => {
    const text =
      'Both change.\n\n<<<SEARCH model.py\ndef ht():\n>>>REPLACE\ndef height():\n<<<END\n<<<EDIT notes.md lines 1-2\nSee.\n<<<END\nThat is all.';
    expect(pieces(text).map(told)).toEqual([
      'Both change.\n',
      '[search model.py]',
      '[edit notes.md lines 1-2]',
      'That is all.',
    ]);
    expect(blocks(text)[0]?.text).toBe('<<<SEARCH model.py\ndef ht():\n>>>REPLACE\ndef height():\n<<<END');
  });

  it('may stand in one line, any case', () => {
    expect(pieces('<<<show a.py lines 1-9 <<<end\nLet me look.').map(told)).toEqual([
      '[show a.py lines 1-9]',
      'Let me look.',
    ]);
    expect(blocks('<<<<CREATE a.md\n<<<END\nis text\n<<<<END')[0]?.text).toContain('is text');
  });

  it('keeps prose after an unfinished block', () => {
    expect(pieces('<<<SHOW a.py lines 1-9\nLet me look.').map(told)).toEqual(['[show a.py lines 1-9]', 'Let me look.']);
  });

  it('is open while its end has not come', () => {
    const [block] = blocks('<<<CREATE notes/new.md\n# New');
    expect(block?.open).toBe(true);
    expect(askedFor(block as Written, true)).toBe('Writing a new file');
    expect(askedFor(block as Written, false)).toBe('Wrote a new file');
    expect(blocks('<<<EDIT lines 1-1\na\n<<<EDIT lines 2-2\nb\n<<<END').map(({ open }) => open)).toEqual([true, false]);
  });

  it('is prose in code fences', () => {
    for (const text of ['```\n<<<EDIT lines 1-1\n<<<END\n```', 'git writes <<<<<<< HEAD', '<<<EDITED', 'a <<<EDIT b']) {
      expect(pieces(text)).toEqual([{ kind: 'prose', text }]);
    }
    expect(pieces('~~~\nx\n~~~\n<<<DELETE lines 1-1 <<<END').map(told)).toEqual(['~~~\nx\n~~~', '[delete lines 1-1]']);
  });

  it('keeps every line', () => {
    const text = 'a\n<<<EDIT lines 1-1\nb\n<<<END\n\nc\n```\n<<<SHOW\n```\n<<<ACTION doc.read\n{}\n<<<END';
    const all = pieces(text).map(({ text }) => text);
    expect(all.join('\n').split('\n').filter(Boolean)).toEqual(text.split('\n').filter(Boolean));
  });
});
