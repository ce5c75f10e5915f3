import { ErrorBoundary } from '../ui/ErrorBoundary';
import { Entrance } from './Entrance';
import { Shell } from './Shell';
import { useSession } from './session';

/** The window: the shell, or why there is none. */
export function App() {
  const state = useSession((session) => session.state);
  return (
    <ErrorBoundary name="This window">
      {state.phase === 'closed' ? (
        <Entrance reason={state.reason} failure={state.failure} />
      ) : (
        <Shell session={state.phase === 'open' ? state.session : null} />
      )}
    </ErrorBoundary>
  );
}
