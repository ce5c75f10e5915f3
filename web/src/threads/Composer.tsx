import { lazy, Suspense, useEffect, useId, useRef } from 'react';
import { ModelPicker } from '../models/ModelPicker';
import { useModelOf } from '../models/store';
import { isSendKey } from '../settings/sendKey';
import { Button, IconButton } from '../ui/Button';
import composer from '../ui/Composer.module.css';
import { Icon } from '../ui/Icon';
import { sentence } from '../ui/sentence';
import type { ThreadId } from '../wire/gen/types';
import { AttachedChips } from './AttachedChips';
import styles from './Composer.module.css';
import { ConsentCard } from './ConsentCard';
import { NEW, setDraft, useDrafts } from './drafts';
import { EstimateLine } from './EstimateLine';
import { FocusChip } from './FocusChip';
import { InstructionsChip } from './InstructionsChip';
import { ModeMenu } from './ModeMenu';
import { useOnlyHints } from './onlyHints';
import { QueuedMessages } from './QueuedMessages';
import { queueDraft } from './queued';
import { RunsMenu } from './RunsMenu';
import { Suggestions, suggestionId } from './Suggestions';
import { sendDraft, stop } from './send';
import { useSending } from './sending';
import { useCompletion } from './useCompletion';

const GroupsMenu = lazy(() => import('./GroupsMenu'));
const OtherSubject = lazy(async () => ({ default: (await import('./OtherSubject')).OtherSubject }));

/** Letters of a message from which on it can be told what it is about. */
const TELLING = 40;

/** Where a message is written: what goes along above it, how edits arrive and the model below. */
export function Composer({ thread, running }: { thread: ThreadId | null; running: boolean }) {
  const busy = useSending((state) => state.busy);
  const problem = useSending((state) => (state.problem?.thread === thread ? state.problem.failure : null));
  const draft = useDrafts((state) => state.drafts[thread ?? NEW] ?? '');
  const noModel = useModelOf(thread) === null;
  const onlyHints = useOnlyHints(thread);
  const field = useRef<HTMLTextAreaElement>(null);
  const completion = useCompletion(thread, field);
  const list = useId();
  useTakeOver(field);
  const submit = () => {
    if (busy || noModel) return;
    // A command that was written out is sent with its list still open.
    completion.close();
    if (running && thread) queueDraft(thread);
    else void sendDraft();
    field.current?.focus();
  };
  const halt = () => thread && void stop(thread);
  const onKeyDown = (event: React.KeyboardEvent<HTMLTextAreaElement>) => {
    if (event.nativeEvent.isComposing || completion.press(event)) return;
    if (isSendKey(event)) {
      event.preventDefault();
      if (!event.repeat) submit();
    } else if (event.key === 'Escape' && draft === '' && running) {
      event.preventDefault();
      halt();
    }
  };
  return (
    <div className={composer.composer}>
      <ConsentCard thread={thread} />
      <FocusChip />
      <InstructionsChip thread={thread} />
      <AttachedChips thread={thread} />
      <QueuedMessages thread={thread} running={running} />
      {problem && (
        <div className={composer.problem} role="alert">
          <Icon name="error" />
          <span>
            {sentence(problem.message)} {problem.hint && sentence(problem.hint)}
          </span>
          {draft.trim() !== '' && (
            <Button look="quiet" onClick={submit}>
              Retry
            </Button>
          )}
          <IconButton icon="close" label="Dismiss" onClick={() => useSending.setState({ problem: null })} />
        </div>
      )}
      {thread && !running && draft.length >= TELLING && (
        <Suspense fallback={null}>
          <OtherSubject thread={thread} draft={draft} />
        </Suspense>
      )}
      <Suggestions id={list} completion={completion} />
      <div className={composer.box}>
        <textarea
          ref={field}
          className={`${composer.field} ${styles.field}`}
          aria-label="Message to the assistant"
          placeholder={`${onlyHints ? 'Ask for an explanation or a hint' : 'Ask a question or describe a change'}. / for commands, @ for files and more`}
          rows={2}
          value={draft}
          aria-autocomplete="list"
          aria-controls={completion.offered.length > 0 ? list : undefined}
          aria-activedescendant={completion.offered.length > 0 ? suggestionId(list, completion.at) : undefined}
          onChange={(event) => {
            setDraft(thread ?? NEW, event.target.value);
            completion.look(event.target);
          }}
          onBlur={completion.close}
          onKeyDown={onKeyDown}
          data-first-focus
        />
        <div className={styles.row}>
          {!onlyHints && (
            <>
              <ModeMenu thread={thread} />
              <RunsMenu thread={thread} />
            </>
          )}
          {thread && (
            <Suspense fallback={null}>
              <GroupsMenu thread={thread} />
            </Suspense>
          )}
          <ModelPicker thread={thread} />
          <span className={styles.end}>
            {running && (
              <Button icon="stop" onClick={halt}>
                Stop
              </Button>
            )}
            {(!running || draft.trim() !== '') && (
              <Button look="primary" icon="send" disabled={draft.trim() === '' || busy || noModel} onClick={submit}>
                {running ? 'Queue' : 'Send'}
              </Button>
            )}
          </span>
        </div>
      </div>
      <EstimateLine thread={thread} draft={draft} />
    </div>
  );
}

/** Takes the focus when somebody asks for the composer, such as the palette. */
function useTakeOver(field: React.RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    const take = () => field.current?.focus();
    window.addEventListener('aside:compose', take);
    return () => window.removeEventListener('aside:compose', take);
  }, [field]);
}
