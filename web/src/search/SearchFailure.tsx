import type { ComponentProps } from 'react';
import { Problem } from '../ui/Note';
import { ReadState } from '../ui/ReadState';

/** Failures that another try can mend. */
const PASSING: ReadonlySet<string> = new Set(['offline', 'internal', 'http']);

/** Why there is no answer. A query that is wrong stays wrong: there is nothing to retry. */
export function SearchFailure(props: ComponentProps<typeof ReadState>) {
  const { failure } = props;
  if (failure && !PASSING.has(failure.code)) return <Problem failure={failure} />;
  return <ReadState {...props} />;
}
