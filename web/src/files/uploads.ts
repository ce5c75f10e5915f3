/** Uploads files of the person's computer: their bytes first, then an action that puts each in its place. */
import { doAction } from '../app/actionFlow';
import { announce } from '../ui/Announcer';
import { toast, toastFailure } from '../ui/Toast';
import type { Uploaded } from '../wire/gen/types';
import { failureOf, sendBytes } from '../wire/requests';
import { freeNameOf, join } from './names';
import { folderOf, nameOf } from './rows';
import { readFolder, showInTree, useFiles } from './store';

/** Lets the person choose files, and uploads them into a folder. */
export function chooseFiles(folder: string): void {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  input.addEventListener('change', () => void uploadAll([...(input.files ?? [])], folder));
  input.click();
}

/** Uploads files one after the other, and returns their paths. A name that is taken gets a number: nothing is replaced. */
export async function uploadAll(files: readonly File[], folder: string): Promise<string[]> {
  if (files.length === 0) return [];
  await readFolder(folder);
  const done: string[] = [];
  for (const file of files) {
    announce(`Uploading ${file.name}`);
    const path = await upload(file, folder);
    if (path) done.push(path);
  }
  const [first] = done;
  if (!first) return [];
  showInTree(first);
  if (done.length > 1) toast(`Uploaded ${done.length} files to ${folderOf(first) || 'the workspace'}`);
  return done;
}

/** Returns the new file's path, or null after a failure that was shown. */
async function upload(file: File, folder: string): Promise<string | null> {
  try {
    const { blob } = await sendBytes<Uploaded>('files/uploads', file);
    const path = join(folder, freeNameOf(file.name, namesIn(folder)));
    const done = await doAction({ action_type: 'file.upload', args: { path, blob } }, { done: `Uploaded ${path}` });
    await readFolder(folder);
    return done ? path : null;
  } catch (error) {
    const failure = failureOf(error);
    toastFailure({ ...failure, message: `Cannot upload ${file.name}: ${failure.message}` });
    return null;
  }
}

function namesIn(folder: string): string[] {
  return (useFiles.getState().folders.get(folder)?.entries ?? []).map(({ path }) => nameOf(path));
}
