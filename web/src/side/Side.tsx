import { Suspense, useEffect, useId, useState } from 'react';
import { flushSync } from 'react-dom';
import { useShell } from '../app/shell';
import { Assistant } from '../app/slots';
import { readLevel, useAiLevel, useLevelFailure } from '../assistant/level';
import { Badge } from '../chat/Badge';
import { useStanding } from '../chat/standings';
import { useKind } from '../files/kind';
import { Button } from '../ui/Button';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Notice } from '../ui/Notice';
import { part } from '../ui/part';
import { Unread } from '../ui/Unread';
import { AiOff } from './AiOff';
import { type SideMode, setSideMode, useIsGuest, useSideDocument, useSideMode } from './modes';
import styles from './Side.module.css';

const Chat = part(() => import('../chat/Chat'));
const History = part(() => import('../history/Sidebar'));

const NoteOutline = part(() => import('../notes/NoteOutline'));
const Links = part(() => import('../notes/Links'));

const MODES: { mode: SideMode; name: string }[] = [
  { mode: 'assistant', name: 'Assistant' },
  { mode: 'chat', name: 'Chat' },
  { mode: 'history', name: 'History' },
  { mode: 'outline', name: 'Outline' },
  { mode: 'links', name: 'Links' },
];

/** Those that only a note has. */
const OF_NOTES: ReadonlySet<SideMode> = new Set(['outline', 'links']);

/** The parts that can be beside a document. */
function modesOf(guest: boolean, isNote: boolean): typeof MODES {
  const own = guest ? MODES.filter(({ mode }) => mode === 'chat' || mode === 'outline') : MODES;
  return isNote ? own : own.filter(({ mode }) => !OF_NOTES.has(mode));
}

/** What is beside the document: the assistant, what people say, or questions about the AI history. */
export function Side() {
  const path = useSideDocument();
  const full = useShell((state) => state.full);
  const guest = useIsGuest();
  const chosen = useSideMode(path);
  // A thread that has the whole window is the assistant's.
  const isNote = useKind(path ?? '') === 'markdown';
  const fits = isNote || !OF_NOTES.has(chosen) ? chosen : guest ? 'chat' : 'assistant';
  const mode = full && !guest ? 'assistant' : fits;
  const id = useId();
  useComposeHere(mode, path);
  const choose = (next: SideMode) => setSideMode(path, next);
  return (
    <div className={styles.side}>
      {!full && <Head id={id} path={path} mode={mode} onChoose={choose} />}
      {!guest && (
        <Panel id={id} of="assistant" shown={mode === 'assistant'} tabs={!full}>
          <AssistantPart onChat={() => choose('chat')} />
        </Panel>
      )}
      {mode === 'history' && (
        <Panel id={id} of="history" shown tabs={!full}>
          <History />
        </Panel>
      )}
      {mode === 'outline' && path !== null && (
        <Panel id={id} of="outline" shown tabs={!full}>
          <NoteOutline key={path} path={path} />
        </Panel>
      )}
      {mode === 'links' && path !== null && (
        <Panel id={id} of="links" shown tabs={!full}>
          <Links key={path} path={path} />
        </Panel>
      )}
      {mode === 'chat' && (
        <Panel id={id} of="chat" shown tabs={!full}>
          <Chat path={path} />
        </Panel>
      )}
    </div>
  );
}

/** The assistant as far as AI goes here: nothing of it is there before that is known. */
function AssistantPart({ onChat }: { onChat(): void }) {
  const level = useAiLevel();
  const failure = useLevelFailure();
  const [reading, setReading] = useState(false);
  useEffect(() => {
    // Who turns AI off again has to see that it is.
    if (level !== 'off') setReading(false);
  }, [level]);
  if (failure) return <Unread title="The assistant is not ready" failure={failure} onAgain={readLevel} />;
  if (level === undefined) return <div className={styles.wait} aria-busy="true" />;
  if (level === 'off' && !reading) return <AiOff onChat={onChat} onRead={() => setReading(true)} />;
  return <Assistant />;
}

const NAMES: Record<SideMode, string> = {
  assistant: 'The assistant',
  chat: 'The chat',
  history: 'The history',
  outline: 'The outline',
  links: 'The list of links',
};

interface PanelProps {
  id: string;
  of: SideMode;
  shown: boolean;
  tabs: boolean;
  children: React.ReactNode;
}

function Panel({ id, of, shown, tabs, children }: PanelProps) {
  const name = NAMES[of];
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: without tabs it is no panel of one; one element, so that nothing in it begins anew.
    <div
      className={styles.panel}
      hidden={!shown}
      role={tabs ? 'tabpanel' : undefined}
      id={`${id}-panel-${of}`}
      aria-labelledby={tabs ? `${id}-tab-${of}` : undefined}
    >
      <ErrorBoundary name={name}>
        <Suspense fallback={<Waiting name={name} />}>{children}</Suspense>
      </ErrorBoundary>
    </div>
  );
}

/** Milliseconds after which a part that is loaded is said to be late. */
const LATE = 8000;

/**
 * Quiet at first; a part that does not come says so, with the way out. A browser waits for a script that it has asked
 * for, however often it is asked again: only a window that is loaded anew asks anew.
 */
function Waiting({ name }: { name: string }) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE);
    return () => clearTimeout(timer);
  }, []);
  if (!late) return <div className={styles.wait} aria-busy="true" />;
  return (
    <Notice icon="clock" title={`${name} is not ready yet`}>
      <p>Loading takes longer than usual. Your text is kept.</p>
      <Button icon="retry" onClick={() => location.reload()}>
        Reload window
      </Button>
    </Notice>
  );
}

interface HeadProps {
  id: string;
  path: string | null;
  mode: SideMode;
  onChoose(mode: SideMode): void;
}

function Head({ id, path, mode, onChoose }: HeadProps) {
  const guest = useIsGuest();
  const standing = useStanding(path);
  const modes = modesOf(guest, useKind(path ?? '') === 'markdown');
  const onKeyDown = (event: React.KeyboardEvent<HTMLElement>) => {
    const at = modes.findIndex((each) => each.mode === mode);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: modes.length - 1 }[event.key];
    const chosen = next === undefined ? undefined : modes[(next + modes.length) % modes.length];
    if (!chosen) return;
    event.preventDefault();
    flushSync(() => onChoose(chosen.mode));
    document.getElementById(`${id}-tab-${chosen.mode}`)?.focus();
  };
  return (
    <div className={styles.head}>
      <div className={styles.tabs} role="tablist" aria-label="Side panel" onKeyDown={onKeyDown}>
        {modes.map((each) => (
          <button
            key={each.mode}
            type="button"
            role="tab"
            id={`${id}-tab-${each.mode}`}
            className={styles.tab}
            aria-selected={mode === each.mode}
            aria-controls={mode === each.mode ? `${id}-panel-${each.mode}` : undefined}
            tabIndex={mode === each.mode ? 0 : -1}
            onClick={() => onChoose(each.mode)}
          >
            {each.name}
            {each.mode === 'chat' && standing && <Badge unread={standing.unread} mentions={standing.mentions} />}
          </button>
        ))}
      </div>
      <span className={styles.of} title={path ?? undefined}>
        {path === null ? 'No open file' : path.split('/').at(-1)}
      </span>
    </div>
  );
}

/** Whoever wants to write to the assistant gets it, also while the chat is shown. */
function useComposeHere(mode: SideMode, path: string | null): void {
  useEffect(() => {
    if (mode === 'assistant') return;
    const show = () => {
      flushSync(() => setSideMode(path, 'assistant'));
      window.dispatchEvent(new Event('aside:compose'));
    };
    window.addEventListener('aside:compose', show);
    return () => window.removeEventListener('aside:compose', show);
  }, [mode, path]);
}
