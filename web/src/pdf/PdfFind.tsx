import type { KeyboardEvent } from 'react';
import { IconButton } from '../ui/Button';
import { Input } from '../ui/Field';
import type { Finding } from './finding';
import styles from './PdfView.module.css';

/** Looks for words on all pages. */
export function PdfFind({ finding, onClose }: { finding: Finding; onClose(): void }) {
  const { query, found, go } = finding;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && event.key !== 'Enter') return;
    if (event.key === 'Enter' && event.target instanceof HTMLButtonElement) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
    else go(event.shiftKey ? -1 : 1);
  };
  const none = found.length === 0;
  return (
    <search className={styles.find} onKeyDown={onKeyDown}>
      <Input
        aria-label="Find on the pages"
        placeholder="Find"
        ref={takeFocus}
        value={query}
        onChange={(event) => finding.look(event.target.value)}
      />
      <span className={styles.found} role="status">
        {wordsOf(finding)}
      </span>
      <IconButton icon="chevronUp" label="Found before" disabled={none} onClick={() => go(-1)} />
      <IconButton icon="chevronDown" label="Found next" disabled={none} onClick={() => go(1)} />
      <IconButton icon="close" label="Close find" onClick={onClose} />
    </search>
  );
}

function wordsOf({ query, found, at, texts, pages }: Finding): string {
  if (texts.whole && texts.pages.every(({ text }) => text === '')) return 'The pages hold no text';
  if (query.trim() === '') return '';
  const reading = texts.whole ? '' : `, page ${texts.pages.length} of ${pages} read`;
  if (found.length === 0) return texts.whole ? 'Not found' : `Looking${reading}`;
  return `${at + 1} of ${found.length}${reading}`;
}

function takeFocus(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
