import { useEffect, useRef } from 'react';
import { TextBlock } from '../ui/TextBlock';
import type { ActionId } from '../wire/gen/types';
import styles from './ActionCard.module.css';
import { useOutput } from './output';
import { Plain } from './Plain';

/** The end of what a running action puts out, following it unless somebody has scrolled up. */
export function LiveOutput({ action }: { action: ActionId }) {
  const output = useOutput(action);
  const element = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: more has come.
  useEffect(() => {
    if (element.current && follows.current) element.current.scrollTop = element.current.scrollHeight;
  }, [output]);
  if (!output) return null;
  const onScroll = ({ currentTarget: { scrollTop, scrollHeight, clientHeight } }: React.UIEvent<HTMLPreElement>) => {
    follows.current = scrollHeight - scrollTop - clientHeight < 24;
  };
  return (
    <TextBlock ref={element} onScroll={onScroll}>
      {output.from > 0 && <span className={styles.earlier}>Earlier output appears in the result.{'\n'}</span>}
      <Plain text={output.text} />
    </TextBlock>
  );
}
