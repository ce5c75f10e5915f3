import { useEffect } from 'react';
import { openView } from '../frames/store';
import { Button } from '../ui/Button';
import { Notice } from '../ui/Notice';
import { connection } from '../wire/connection';
import type { AssistantState, RestrictedBy } from '../wire/gen/types';
import { invalidate, useResource } from '../wire/resource';

const ROUTE = 'assistant';

const WHO: Record<RestrictedBy, string> = {
  server: 'whoever started this server',
  organisation: 'your organisation',
  user: 'you',
  workspace: 'this folder’s aside-policy.toml',
};

/** Whether AI is off here, and whose word that is; a change is told at once. Null while it is on. */
export function useAiOff(ready: boolean): AssistantState | null {
  const { data } = useResource<AssistantState>(ready ? ROUTE : null);
  useEffect(() => connection.on('assistant', () => invalidate(ROUTE)), []);
  return data?.level === 'off' ? data : null;
}

interface AiOffProps {
  state: AssistantState;
  onChat(): void;
  /** Shows what was said before; nothing new can be asked there. */
  onRead(): void;
}

/** Stands in the place of the assistant while AI is off. */
export function AiOff({ state, onChat, onRead }: AiOffProps) {
  const who = [...new Set(state.because.map(({ by }) => WHO[by]))].join(' and ');
  return (
    <Notice icon="warning" title="AI is off here">
      <p>
        So {who} says{state.until ? `, until ${new Date(state.until).toLocaleString()}` : ''}. Files, the chat and
        everything else work without it.
      </p>
      <Button look="primary" icon="chat" onClick={onChat}>
        Switch to Chat
      </Button>
      <Button onClick={onRead}>Read earlier threads</Button>
      <Button look="quiet" onClick={() => openView({ kind: 'policy' })}>
        The rules
      </Button>
    </Notice>
  );
}
