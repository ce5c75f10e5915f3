import { Suspense } from 'react';
import { useIsGuest } from '../side/modes';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import styles from './PaneView.module.css';
import { componentOf, Launcher, useTitle } from './panes';
import { change, useFrames } from './store';
import { TabBar } from './TabBar';
import { activeTab, type Pane, type Tab } from './tree';

/** A pane: its tabs, and what the active one shows. */
export function PaneView({ pane }: { pane: Pane }) {
  const focused = useFrames((state) => state.frames.focused === pane.id);
  const tab = activeTab(pane);
  const title = useTitle(tab?.view);
  const attend = () => change({ type: 'focus', pane: pane.id });
  return (
    <section
      className={styles.pane}
      aria-label={title}
      data-pane={pane.id}
      data-focused={focused}
      onFocus={attend}
      onPointerDown={attend}
    >
      {pane.tabs.length > 0 && <TabBar pane={pane} />}
      {tab ? (
        <Content key={tab.id} tab={tab} focused={focused} />
      ) : (
        <ErrorBoundary name="Launcher">
          <Suspense fallback={null}>
            <Launcher view={{ kind: 'launcher' }} tab={pane.id} focused={focused} />
          </Suspense>
        </ErrorBoundary>
      )}
    </section>
  );
}

function Content({ tab, focused }: { tab: Tab; focused: boolean }) {
  const View = componentOf(tab.view, useIsGuest());
  const name = useTitle(tab.view);
  return (
    <div className={styles.content} role="tabpanel" id={`panel-${tab.id}`} aria-labelledby={tab.id}>
      <ErrorBoundary name={name}>
        <Suspense fallback={null}>
          <View view={tab.view} tab={tab.id} focused={focused} />
        </Suspense>
      </ErrorBoundary>
    </div>
  );
}
