// Markdown as a file: front matter is YAML, and `[[links]]` are links.
import { markdown, markdownLanguage } from '@codemirror/lang-markdown';
import { yamlFrontmatter } from '@codemirror/lang-yaml';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

const [BANG, OPEN, CLOSE] = [33, 91, 93];

/** `[[page]]`, `[[page#heading|words]]`, `![[picture.png]]`. */
const wikiLinks: NonNullable<Parameters<typeof markdown>[0]>['extensions'] = {
  defineNodes: [
    { name: 'WikiLink', style: tags.link },
    { name: 'WikiLinkMark', style: tags.processingInstruction },
  ],
  parseInline: [
    {
      name: 'WikiLink',
      before: 'Link',
      parse(context, next, at) {
        const start = next === BANG ? at + 1 : at;
        if (context.char(start) !== OPEN || context.char(start + 1) !== OPEN) return -1;
        for (let end = start + 2; end < context.end; end++) {
          const char = context.char(end);
          if (char === OPEN || char === 10) return -1;
          if (char !== CLOSE) continue;
          if (context.char(end + 1) !== CLOSE || end === start + 2) return -1;
          const mark = (from: number) => context.elt('WikiLinkMark', from, from + 2);
          return context.addElement(context.elt('WikiLink', at, end + 2, [mark(start), mark(end)]));
        }
        return -1;
      },
    },
  ],
};

/** The language of a Markdown file. */
export function markdownSource(): Extension {
  return yamlFrontmatter({ content: markdown({ base: markdownLanguage, extensions: wikiLinks }) });
}
