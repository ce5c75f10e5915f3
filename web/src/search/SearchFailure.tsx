import type { ComponentProps } from 'react';
import { Problem } from '../ui/Note';
import { ReadState } from '../ui/ReadState';
import { isPassing } from './failures';

/** Why there is no answer. A query that is wrong stays wrong: there is nothing to retry. */
export function SearchFailure(props: ComponentProps<typeof ReadState>) {
  const { failure } = props;
  if (failure && !isPassing(failure)) return <Problem failure={failure} />;
  return <ReadState {...props} />;
}
