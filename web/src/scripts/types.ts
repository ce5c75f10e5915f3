/** The types of `aside`, as the server writes them. */
import { requestText } from '../wire/requests';

/** Reads the text of `aside.d.ts`. */
export function readTypes(): Promise<string> {
  return requestText('scripts/types');
}
