/** The types of `aside`, as the server writes them. */
import { basePath } from '../app/base';

/** Reads the text of `aside.d.ts`; throws if it can't be read. */
export async function readTypes(): Promise<string> {
  const answer = await fetch(`${basePath}api/v1/scripts/types`, { credentials: 'same-origin' });
  if (!answer.ok) throw new Error(`The server responded with status ${answer.status}.`);
  return answer.text();
}
