import { type ComponentType, use } from 'react';

/** Milliseconds for which a failure stands, so that it is told; who tries again does so later. */
const SOON = 300;

/**
 * A component that is loaded when it is first shown. Unlike React's own way, one that could not be loaded is asked for
 * again when somebody tries again.
 */
export function part<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  const begin = () => {
    loading ??= load().then(
      (module) => module.default,
      (error: unknown) => {
        setTimeout(() => {
          loading = null;
        }, SOON);
        throw error;
      },
    );
    return loading;
  };
  // biome-ignore lint/correctness/noComponentHookFactories: made once a module, as React's own
  return function Part(props: P) {
    const View = use(begin());
    return <View {...props} />;
  };
}
