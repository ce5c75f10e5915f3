import type { ReactNode } from 'react';
import { Words } from '../actions/Words';
import type { Failure } from '../wire/gen/types';
import { Button } from './Button';
import { Notice } from './Notice';

interface UnreadProps {
  /** What is not there: "Couldn’t load the messages". */
  title: string;
  failure: Failure;
  onAgain(): void;
  /** More ways out. */
  children?: ReactNode;
}

/** Stands in a panel that has nothing to show because it could not be read: why, and the way out. */
export function Unread({ title, failure, onAgain, children }: UnreadProps) {
  return (
    <div role="alert">
      <Notice icon="error" title={title}>
        <p>
          <Words text={failure.message} /> {failure.hint && <Words text={failure.hint} />}
        </p>
        <Button icon="retry" onClick={onAgain}>
          Retry
        </Button>
        {children}
      </Notice>
    </div>
  );
}
