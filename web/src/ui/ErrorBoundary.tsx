import { Component, type ReactNode } from 'react';
import { announce } from './Announcer';
import { Button } from './Button';
import { Notice } from './Notice';

interface Props {
  /** What is in here, as in "… could not be shown". */
  name: string;
  children: ReactNode;
}

interface State {
  error: unknown;
  /** Somebody tried again. */
  tried: boolean;
}

/**
 * Keeps a mistake in one part of the screen from taking the rest with it. What fails once more may need the window loaded
 * again: some browsers don't ask twice for a part that they did not get.
 */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, tried: false };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(): void {
    announce(`${this.props.name} could not be shown`, 'assertive');
  }

  override render() {
    const { error, tried } = this.state;
    if (error === null) return this.props.children;
    return (
      <Notice icon="error" title={`${this.props.name} could not be shown`}>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <p>Nothing you wrote is lost.</p>
        <Button onClick={() => this.setState({ error: null, tried: true })} icon="retry">
          Retry
        </Button>
        {tried && <Button onClick={() => location.reload()}>Reload window</Button>}
      </Notice>
    );
  }
}
