import { Words } from '../actions/Words';
import { useIcon, useKind } from '../files/kind';
import { closeTab } from '../frames/store';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import type { Failure, FileKind } from '../wire/gen/types';

const TITLES: Record<string, string> = {
  not_utf8: 'is not UTF-8 text',
  too_large: 'is too large to edit',
  not_found: 'was not found',
  is_folder: 'is a folder',
  outside: 'is outside the workspace',
};

/** What holds bytes that are not text, by its kind. */
const KINDS: Partial<Record<FileKind, string>> = { pdf: 'is a PDF', binary: 'is a binary file' };

interface NotTextProps {
  path: string;
  failure: Failure;
  tab: string;
  /** Shows its bytes instead. */
  onBytes?: (() => void) | undefined;
}

/** Says why a file can't be shown as text. */
export function NotText({ path, failure, tab, onBytes }: NotTextProps) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const kind = useKind(path);
  const fileIcon = useIcon(path);
  const icon = failure.code === 'not_found' ? 'search' : fileIcon;
  const title = failure.code === 'binary' ? (KINDS[kind] ?? 'is not text') : TITLES[failure.code];
  return (
    <Notice icon={icon} title={`${name} ${title ?? 'can’t be opened'}`}>
      <p>
        <Words text={failure.message} />
      </p>
      {failure.hint && (
        <p>
          <Words text={failure.hint} />
        </p>
      )}
      {onBytes && <Button onClick={onBytes}>Show the bytes</Button>}
      <Button onClick={() => closeTab(tab)}>Close tab</Button>
    </Notice>
  );
}
