// A saved version of a text, which the server describes as changes of the file.
import { submitAction } from '../wire/actions';
import type { FileDiff, SubmitAction } from '../wire/gen/types';
import { RequestFailed } from '../wire/requests';
import type { Compared } from './compared';
import { withHunks } from './texts';

/** Returns a saved version of a text; null while the file on disk is behind the editor. */
export async function versionText({ path, version }: Required<Compared>, now: string): Promise<string | null> {
  const restore: SubmitAction = { action_type: 'doc.restore', args: { path, version }, dry_run: true };
  const { record, outcome } = await submitAction(restore);
  if (outcome && 'failure' in outcome) throw new RequestFailed(409, outcome.failure);
  const { preview } = record;
  const files = preview?.body.kind === 'diff' ? preview.body.files : [];
  if (preview?.completeness !== 'full' || files.some(isNoText)) throw notShown(path);
  return withHunks(
    now,
    files.flatMap(({ hunks }) => hunks),
  );
}

const isNoText = ({ cell, note }: FileDiff): boolean => cell !== undefined || Boolean(note);

function notShown(path: string): RequestFailed {
  const message = `This version of ${path} can’t be compared here.`;
  return new RequestFailed(409, { code: 'not_shown', message, hint: 'Open its version history.', data: null });
}
