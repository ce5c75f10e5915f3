import { Suspense, useEffect } from 'react';
import { useQuick } from '../ask/quick';
import { useFollowChats } from '../chat/standings';
import { useVersionsOf } from '../files/versions';
import { Frames } from '../frames/Frames';
import { showSide, useIsGuest, useSideDocument, useSideMode } from '../side/modes';
import { Announcer } from '../ui/Announcer';
import { IconButton } from '../ui/Button';
import { Dialog } from '../ui/Dialog';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import type { IconName } from '../ui/Icon';
import { Splitter } from '../ui/Splitter';
import { Toasts } from '../ui/Toast';
import type { Session } from '../wire/gen/types';
import { useAsked } from './actionFlow';
import { registerShellCommands } from './commandList';
import { runKey } from './commands';
import { Nav, Rail } from './Nav';
import { OfflineBanner } from './OfflineBanner';
import { PaletteDialog } from './PaletteDialog';
import { rememberFocus } from './regions';
import styles from './Shell.module.css';
import { StatusBar } from './StatusBar';
import { isGuest, useSession } from './session';
import { NAV_SIZE, resizeRegion, SIDE_SIZE, toggleRegion, useShell } from './shell';
import { AskName, ConfirmDialog, KeysHelp, preloadPalette, QuickPanel, Side, VersionsDialog } from './slots';
import { TopBar } from './TopBar';
import { useWorkspace } from './workspace';

/** The window: its regions in reading order, and what lies over them. No session yet: the same shapes, empty. */
export function Shell({ session }: { session: Session | null }) {
  useGlobalKeys();
  useWorkspace(session);
  useFollowChats(session !== null);
  return (
    <div className={styles.shell}>
      <SkipLinks />
      <TopBar session={session} />
      <OfflineBanner />
      <div className={styles.middle}>
        <NavRegion ready={session !== null} />
        <Documents />
        <SideRegion />
      </div>
      <StatusBar />
      <Overlays />
      <Toasts />
      <Announcer />
    </div>
  );
}

function Documents() {
  const behind = useShell((state) => state.full && state.side && state.width !== 'narrow');
  return (
    <main className={styles.main} hidden={behind} data-region="main" id="main" tabIndex={-1} aria-label="Documents">
      <ErrorBoundary name="Documents">
        <Frames />
      </ErrorBoundary>
    </main>
  );
}

function SkipLinks() {
  const side = useShell((state) => state.side && state.width !== 'narrow');
  const full = useShell((state) => state.full);
  const guest = useIsGuest();
  return (
    <div className={styles.skip}>
      {!(side && full) && <a href="#main">Skip to documents</a>}
      {side && <a href="#side">{guest ? 'Skip to chat' : 'Skip to assistant'}</a>}
    </div>
  );
}

function NavRegion({ ready }: { ready: boolean }) {
  const { width, nav, navSize } = useShell();
  if (width === 'narrow') {
    return nav ? (
      <Dialog title="Workspace" look="drawer" onClose={() => toggleRegion('nav', false)}>
        <Nav ready={ready} />
        <Rail />
      </Dialog>
    ) : null;
  }
  return (
    <nav className={styles.nav} aria-label="Workspace" data-region="nav">
      <Rail />
      {nav && (
        <>
          <div className={styles.explorer} style={{ width: navSize }}>
            <Nav ready={ready} />
          </div>
          <Splitter
            label="Explorer width"
            value={navSize}
            {...NAV_SIZE}
            onChange={(size) => resizeRegion('nav', size)}
            onCollapse={() => toggleRegion('nav', false)}
          />
        </>
      )}
    </nav>
  );
}

function SideRegion() {
  const { width, side, full, sideSize } = useShell();
  const mode = useSideMode(useSideDocument());
  const name = full
    ? 'Assistant'
    : { assistant: 'Assistant', chat: 'Chat', history: 'AI history', outline: 'Outline', links: 'Links' }[mode];
  if (!side) return width === 'medium' ? <SideRail /> : null;
  if (width === 'narrow') {
    return (
      <Dialog title={name} look="panel" onClose={() => toggleRegion('side', false)}>
        <SideContent />
      </Dialog>
    );
  }
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it has one of two roles; one element, so that nothing in it begins anew.
    <div
      role={full ? 'main' : 'complementary'}
      className={full ? `${styles.side} ${styles.full}` : styles.side}
      style={full ? undefined : { width: sideSize }}
      aria-label={name}
      data-region="side"
      id="side"
      tabIndex={-1}
    >
      {!full && (
        <Splitter
          label={`${name} width`}
          value={sideSize}
          {...SIDE_SIZE}
          reversed
          onChange={(size) => resizeRegion('side', size)}
          onCollapse={() => toggleRegion('side', false)}
        />
      )}
      <div className={styles.sideContent}>
        <h2 className="visually-hidden">{name}</h2>
        <SideContent />
      </div>
    </div>
  );
}

/** What can be beside the document, where there is no room for it unasked. */
function SideRail() {
  const modes = useIsGuest() ? (['chat'] as const) : (['assistant', 'chat', 'history'] as const);
  return (
    <nav className={styles.sideRail} aria-label="Side panel">
      {modes.map((mode) => (
        <IconButton
          key={mode}
          icon={{ assistant: 'sidebar', chat: 'chat', history: 'clock' }[mode] as IconName}
          label={`Open ${{ assistant: 'the assistant', chat: 'the chat', history: 'the AI history' }[mode]}`}
          onClick={() => showSide(mode)}
        />
      ))}
    </nav>
  );
}

function SideContent() {
  return (
    <ErrorBoundary name="Side panel">
      <Suspense fallback={null}>
        <Side />
      </Suspense>
    </ErrorBoundary>
  );
}

function Overlays() {
  const { palette, help } = useShell();
  const quick = useQuick((state) => state.quick !== null);
  const asked = useAsked((state) => state.asked);
  const versions = useVersionsOf((state) => state.path !== null);
  const unnamed = useSession(({ state }) => isGuest(state) && state.phase === 'open' && !state.session.person.named);
  return (
    <>
      {palette && (
        <ErrorBoundary name="Command palette">
          <PaletteDialog mode={palette} onClose={() => useShell.setState({ palette: null })} />
        </ErrorBoundary>
      )}
      {quick && (
        <Suspense fallback={null}>
          <QuickPanel />
        </Suspense>
      )}
      {asked && (
        <Suspense fallback={null}>
          <ConfirmDialog asked={asked} />
        </Suspense>
      )}
      {unnamed && (
        <Suspense fallback={null}>
          <AskName />
        </Suspense>
      )}
      {versions && (
        <Suspense fallback={null}>
          <VersionsDialog />
        </Suspense>
      )}
      {help && (
        <Suspense fallback={null}>
          <KeysHelp onClose={() => useShell.setState({ help: false })} />
        </Suspense>
      )}
    </>
  );
}

function useGlobalKeys(): void {
  useEffect(() => {
    const unregister = registerShellCommands();
    preloadPalette();
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing) return;
      if (runKey(event)) event.preventDefault();
    };
    const onFocus = (event: FocusEvent) => rememberFocus(event.target);
    document.addEventListener('keydown', onKey);
    document.addEventListener('focusin', onFocus);
    return () => {
      unregister();
      document.removeEventListener('keydown', onKey);
      document.removeEventListener('focusin', onFocus);
    };
  }, []);
}
