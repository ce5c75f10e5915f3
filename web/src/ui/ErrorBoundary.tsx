import { Component, type ReactNode } from 'react';
import { announce } from './Announcer';
import { Button } from './Button';
import { Notice } from './Notice';

interface Props {
  /** What is in here, as in "… could not be shown". */
  name: string;
  children: ReactNode;
}

/** Keeps a mistake in one part of the screen from taking the rest with it. */
export class ErrorBoundary extends Component<Props, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override componentDidCatch(): void {
    announce(`${this.props.name} could not be shown`, 'assertive');
  }

  override render() {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <Notice icon="error" title={`${this.props.name} could not be shown`}>
        <p>{error instanceof Error ? error.message : String(error)}</p>
        <p>Nothing you wrote is lost.</p>
        <Button onClick={() => this.setState({ error: null })} icon="retry">
          Try again
        </Button>
      </Notice>
    );
  }
}
