// Replacing in files: one action, whose preview is a diff for each file.
import { doAction } from '../app/actionFlow';
import { exceptOf } from './findRows';
import { findAgain, findQueryOf, useFind } from './findStore';

/** Asks to replace what is found: in all files, or in one. What was dismissed stays as it is. */
export async function replaceAll(path?: string): Promise<void> {
  const form = useFind.getState();
  const { include: _, ...rest } = findQueryOf(form);
  const except = exceptOf(form.dismissed).filter((each) => path === undefined || each.path === path);
  const args = {
    ...(path === undefined ? findQueryOf(form) : rest),
    replacement: form.replacement,
    ...(path !== undefined && { within: path }),
    ...(except.length > 0 && { except }),
  };
  const done = await doAction(
    { action_type: 'file.replace', args },
    { done: path === undefined ? 'Replaced in all files' : `Replaced in ${path}` },
  );
  if (done) await findAgain();
}
