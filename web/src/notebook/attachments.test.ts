import { describe, expect, it } from 'vitest';
import * as Y from 'yjs';
import { attach, fits, pictureIn } from './attachments';
import { emptyCell, insertCell, otherOf } from './cells';

describe('pictures of a Markdown cell', () => {
  it('are those that it brings along, and no others', () => {
    const attachments = '{"a b.png":{"image/png":"QUJD\\n"},"x.html":{"text/html":"PGI+"}}';
    expect(pictureIn(attachments, 'attachment:a%20b.png')).toBe('data:image/png;base64,QUJD');
    for (const url of ['attachment:x.html', 'attachment:gone.png', 'http://else/a.png', 'data:text/html,x', 'a.png']) {
      expect(pictureIn(attachments, url)).toBeNull();
    }
    expect(pictureIn(null, 'data:image/png;base64,QUJD')).toBe('data:image/png;base64,QUJD');
    expect(pictureIn('[1', 'attachment:a')).toBeNull();
  });

  it('are given to it under names of their own, which stand in the text', () => {
    const doc = new Y.Doc();
    const key = insertCell(doc, emptyCell('markdown'), null);
    const picture = { name: 'a (1).png', mime: 'image/png', base64: 'QUJD' };
    const words = attach(doc, key, [picture, { ...picture, name: '' }, { ...picture, base64: 'REVG' }]);
    expect(words.match(/attachment:[^)]*/g)).toEqual([
      'attachment:a-1-.png',
      'attachment:picture',
      'attachment:a-1--1.png',
    ]);
    expect(pictureIn(otherOf(doc, key, 'attachments'), 'attachment:a-1--1.png')).toBe('data:image/png;base64,REVG');
  });

  it('find room in it as long as all of them go in one message', () => {
    expect([fits(null, 10_000_000), fits(null, 11_000_000)]).toEqual([true, false]);
    expect([fits('x'.repeat(1_000_000), 9_000_000), fits('x'.repeat(1_000_000), 10_000_000)]).toEqual([true, false]);
  });
});
