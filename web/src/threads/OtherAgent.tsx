import { Button } from '../ui/Button';
import foot from '../ui/Foot.module.css';
import { Icon } from '../ui/Icon';
import type { FileAgent, ThreadId } from '../wire/gen/types';
import { newestBeside } from './list';
import styles from './OtherAgent.module.css';
import { showOwn, useOtherAgent } from './otherAgent';
import { useThreads } from './state';

/** Says above the composer that the agent of this thread is not the one for the file, and leads to that one. */
export function OtherAgentNote({ thread }: { thread: ThreadId | null }) {
  const other = useOtherAgent(thread);
  const threads = useThreads((state) => state.threads);
  if (other === null) return null;
  const name = other.path.slice(other.path.lastIndexOf('/') + 1);
  const own = newestBeside(threads.values(), other.path);
  const go = () => {
    showOwn(other.path);
    requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
  };
  return (
    <div className={`${foot.foot} ${styles.note}`} role="status">
      <Icon name="hand" />
      <span>
        {WHY[other.wanted]} <strong>{name}</strong> has its own agent.
      </span>
      <Button onClick={go}>{own ? 'Open its latest thread' : 'New thread for this file'}</Button>
    </div>
  );
}

const WHY: Record<FileAgent, string> = {
  notebook: 'This thread uses the agent for text files, which can’t change or run cells.',
  coding: 'This thread uses the notebook agent, which can’t run commands.',
  none: '',
};
