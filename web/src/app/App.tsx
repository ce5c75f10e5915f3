import { Suspense } from 'react';
import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Shell } from './Shell';
import { useSession } from './session';
import { Entrance } from './slots';

/** The window: the shell, or why there is none. */
export function App() {
  const state = useSession((session) => session.state);
  return (
    <ErrorBoundary name="This window">
      {state.phase === 'closed' ? (
        <Suspense fallback={null}>
          <Entrance reason={state.reason} failure={state.failure} />
        </Suspense>
      ) : (
        <Shell session={state.phase === 'open' ? state.session : null} />
      )}
    </ErrorBoundary>
  );
}
