import { useState } from 'react';
import { setDraft } from '../threads/drafts';
import { openThread } from '../threads/openThread';
import { learnThread } from '../threads/store';
import { Button } from '../ui/Button';
import { toastFailure } from '../ui/Toast';
import type { NewThread, Thread } from '../wire/gen/types';
import { failureOf, newKey, request } from '../wire/requests';
import { countSentence } from './countSentence';
import { showQuick } from './quick';
import type { ThreadSeed } from './seed';

/** Turns a quick task into a thread of its own that begins with everything in it. */
export function OpenAsThread({ seed }: { seed(): ThreadSeed }) {
  const [busy, setBusy] = useState(false);
  const open = async () => {
    setBusy(true);
    try {
      const { title, text } = seed();
      const body: NewThread = { title, key: newKey() };
      const thread = await request<Thread>('POST', 'threads', body);
      learnThread(thread);
      countSentence({ way: 'thread' });
      setDraft(thread.id, text);
      showQuick(null);
      openThread(thread.id);
      requestAnimationFrame(() => window.dispatchEvent(new Event('aside:compose')));
    } catch (error) {
      toastFailure(failureOf(error));
      setBusy(false);
    }
  };
  return (
    <Button look="quiet" icon="chat" disabled={busy} onClick={() => void open()}>
      Open as thread
    </Button>
  );
}
