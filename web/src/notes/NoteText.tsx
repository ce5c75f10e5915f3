import { useMemo } from 'react';
import { openFile } from '../frames/store';
import { DocumentContext } from '../markdown/document';
import Markdown from '../markdown/Markdown';
import { frontMatterOf } from '../markdown/noteSyntax';
import { LinkContext } from '../markdown/places';
import { pictureFile } from '../markdown/rules';

interface NoteTextProps {
  path: string;
  /** All of it, or a part. */
  text: string;
  depth?: number;
  toggle?: ((at: number) => void) | null;
}

/** The text of a note as it is read. */
export default function NoteText({ path, text, depth = 0, toggle = null }: NoteTextProps) {
  const document = useMemo(
    () => ({
      picture: () => null,
      file: (url: string) => pictureFile(url, path),
      note: { path, toggle, depth },
    }),
    [path, toggle, depth],
  );
  const place = useMemo(() => ({ from: path, goTo: (heading: string) => openFile(path, { heading }) }), [path]);
  return (
    <LinkContext value={place}>
      <DocumentContext value={document}>
        <Markdown text={text.slice(frontMatterOf(text)?.end ?? 0)} />
      </DocumentContext>
    </LinkContext>
  );
}
