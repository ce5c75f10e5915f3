// Which failures of a search another try can mend. Pure.
import type { Failure } from '../wire/gen/types';

const PASSING: ReadonlySet<string> = new Set(['offline', 'internal', 'http']);

/** Tells whether it can: a query that is wrong stays wrong. */
export const isPassing = ({ code }: Failure): boolean => PASSING.has(code);
