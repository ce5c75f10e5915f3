import { useEffect } from 'react';
import { useActions, waitingRecords } from '../actions/store';
import { startActions } from '../actions/sync';
import { useAiLevel } from '../assistant/level';
import { AiOff, AiPartial } from '../assistant/Restricted';
import { ModelWarning } from '../models/ModelWarning';
import styles from './Assistant.module.css';
import { Composer } from './Composer';
import { registerThreadCommands } from './commands';
import { AutoApplyBanner } from './ModeMenu';
import { NeedsYou } from './NeedsYou';
import { NoAgent, useAgentless } from './NoAgent';
import { OtherAgentNote } from './OtherAgent';
import { useTurnToFile } from './otherAgent';
import { startQueues } from './queued';
import { RunOnBanner } from './RunsMenu';
import { useThreads } from './state';
import { startThreads, useRunning } from './store';
import { ThreadLog } from './ThreadLog';
import { ThreadSwitcher } from './ThreadSwitcher';

/** The side of the window where the assistant is: one thread, and the way to the others. */
export default function Assistant() {
  const current = useThreads((state) => state.current);
  const running = useRunning(current);
  const agentless = useAgentless();
  const waiting = useActions((state) => waitingRecords(state.records).length);
  const off = useAiLevel() === 'off' && !running;
  useTurnToFile(current, running);
  useEffect(() => {
    startActions();
    startThreads();
    startQueues();
    return registerThreadCommands();
  }, []);
  return (
    <div className={styles.assistant}>
      <ThreadSwitcher current={current} />
      {waiting > 0 && <NeedsYou current={current} />}
      <ThreadLog thread={current} />
      <AutoApplyBanner thread={current} />
      <RunOnBanner thread={current} />
      <ModelWarning thread={current} />
      <AiPartial />
      {!off && <OtherAgentNote thread={current} />}
      {off ? (
        <AiOff />
      ) : agentless !== null && !running ? (
        <NoAgent path={agentless} thread={current} />
      ) : (
        <Composer thread={current} running={running} />
      )}
    </div>
  );
}
