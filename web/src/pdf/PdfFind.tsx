import { Find } from '../ui/Find';
import type { Finding } from './finding';

/** Looks for words on all pages. */
export function PdfFind({ finding, onClose }: { finding: Finding; onClose(): void }) {
  return (
    <Find
      label="Find in PDF"
      value={finding.query}
      said={wordsOf(finding)}
      none={finding.found.length === 0}
      onText={finding.look}
      onGo={finding.go}
      onClose={onClose}
    />
  );
}

function wordsOf({ query, found, at, texts, pages }: Finding): string {
  if (texts.whole && texts.pages.every(({ text }) => text === '')) return 'This PDF has no text';
  if (query.trim() === '') return '';
  const reading = texts.whole ? '' : `, page ${texts.pages.length} of ${pages} read`;
  if (found.length === 0) return texts.whole ? 'No matches' : `Searching${reading}`;
  return `${at + 1} of ${found.length}${reading}`;
}
