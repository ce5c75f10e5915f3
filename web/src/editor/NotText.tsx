import { Words } from '../actions/Words';
import { closeTab } from '../frames/store';
import { Button } from '../ui/Button';
import type { IconName } from '../ui/Icon';
import { Notice } from '../ui/Notice';
import type { Failure } from '../wire/gen/types';

const TITLES: Record<string, string> = {
  binary: 'is not a text file',
  not_utf8: 'is not in UTF-8',
  too_large: 'is too large to edit',
  not_found: 'is not there',
  is_folder: 'is a folder',
  outside: 'is outside the workspace',
};

/** Says why a file can't be shown as text. */
export function NotText({ path, failure, tab }: { path: string; failure: Failure; tab: string }) {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const icon: IconName = failure.code === 'not_found' ? 'search' : 'file';
  return (
    <Notice icon={icon} title={`${name} ${TITLES[failure.code] ?? 'can’t be opened'}`}>
      <p>
        <Words text={failure.message} />
      </p>
      {failure.hint && (
        <p>
          <Words text={failure.hint} />
        </p>
      )}
      <Button onClick={() => closeTab(tab)}>Close the tab</Button>
    </Notice>
  );
}
