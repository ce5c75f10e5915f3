import { describe, expect, it } from 'vitest';
import { pictureIn } from './attachments';

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
});
