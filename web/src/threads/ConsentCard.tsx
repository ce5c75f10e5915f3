import { useState } from 'react';
import { useFocus } from '../editor/focus';
import { allow } from '../models/consent';
import type { Asked } from '../models/found';
import { pickModel } from '../models/picking';
import { useModels } from '../models/store';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { Problem } from '../ui/Note';
import parts from '../ui/Parts.module.css';
import type { Failure, ThreadId } from '../wire/gen/types';
import { failureOf } from '../wire/requests';
import { useAttached } from './attached';
import styles from './ConsentCard.module.css';
import { attachedLabel } from './completion';
import { NEW, useDrafts } from './drafts';
import { withScope } from './focusWords';
import { goingOut } from './goingOut';
import { sendDraft } from './send';
import { useSending } from './sending';
import { useThreads } from './state';
import { useThreadView } from './store';

/** Before anything goes to a service for the first time: where to, what, and a person's yes. */
export function ConsentCard({ thread }: { thread: ThreadId | null }) {
  const held = useSending((state) => state.held);
  const models = useModels().data;
  if (held === null || held.thread !== thread) return null;
  // It was allowed elsewhere, such as on the page of models: Send sends.
  const provider = models?.providers.find(({ id }) => id === held.asked.provider);
  if (provider?.consent === 'given') return null;
  return <Card thread={thread} asked={held.asked} />;
}

function Card({ thread, asked }: { thread: ThreadId | null; asked: Asked }) {
  const [failure, setFailure] = useState<Failure | null>(null);
  const draft = useDrafts((state) => state.drafts[thread ?? NEW] ?? '');
  const { focus, size } = useFocus();
  const scope = useSending((state) => state.scope);
  const threads = useThreads((state) => state.threads);
  const along = useAttached(thread).map((each) => attachedLabel(each, threads));
  const pieces = goingOut(draft.trim(), { focus: withScope(focus, scope), size }, useThreadView(thread), along);
  const yes = async () => {
    try {
      await allow(asked);
      useSending.setState({ held: null });
      await sendDraft({ allowed: true });
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <section className={styles.card} data-card aria-label={`Allow ${asked.name}?`}>
      <h3>
        <Icon name="cloud" /> Nothing sent yet
      </h3>
      <p>
        {asked.name} runs on another computer. To answer, it receives the data below at <b>{asked.host}</b>. Aside asks
        once for this service; you can revoke your approval under Models.
      </p>
      <ul className={styles.pieces} aria-label="Data to send">
        {pieces.map(({ what, size }) => (
          <li key={what}>
            {what} <span>{size}</span>
          </li>
        ))}
      </ul>
      {failure && <Problem failure={failure} />}
      <div className={parts.buttons}>
        <Button data-intent="accept" look="primary" onClick={() => void yes()}>
          Allow {asked.name} and send
        </Button>
        <Button onClick={() => pickModel()}>Choose another model</Button>
        <Button data-intent="reject" look="quiet" onClick={() => useSending.setState({ held: null })}>
          Not now
        </Button>
      </div>
    </section>
  );
}
