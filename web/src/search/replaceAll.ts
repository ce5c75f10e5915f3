// Replacing in files: a plan of one action, whose preview is a diff for each file.
import { toggleRegion, useShell } from '../app/shell';
import { propose } from '../ask/perform';
import { exceptOf } from './findRows';
import { findQueryOf, useFind } from './findStore';

/** Proposes to replace what is found: in all files, or in one. What was dismissed stays as it is. */
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
  // The preview lies over the documents, as this panel does in a narrow window.
  if (useShell.getState().width === 'narrow') toggleRegion('nav', false);
  const where = path === undefined ? 'all files' : path;
  await propose(`Replace “${form.text}” with “${form.replacement}” in ${where}`, [
    { action_type: 'file.replace', args },
  ]);
}
