import { type ComponentType, use } from 'react';

/** Milliseconds for which a failure stands, so that it is told; who tries again does so later. */
const SOON = 300;

/** A component that is loaded when it is first shown, or before. */
export type Part<P extends object> = ComponentType<P> & {
  /** Loads it; what is there when it is first shown takes its place at once. */
  preload(): void;
};

/**
 * A component that is loaded when it is first shown. Unlike React's own way, one that could not be loaded is asked for
 * again when somebody tries again; and one that is there needs no second look, which React would put off by a third of a
 * second for each part in another.
 */
export function part<P extends object>(load: () => Promise<{ default: ComponentType<P> }>): Part<P> {
  let loading: Promise<ComponentType<P>> | null = null;
  let ready: ComponentType<P> | null = null;
  const begin = () => {
    loading ??= load().then(
      (module) => {
        ready = module.default;
        return ready;
      },
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
  function Loaded(props: P) {
    const View = ready ?? use(begin());
    return <View {...props} />;
  }
  // What fails is told of where it is shown.
  return Object.assign(Loaded, { preload: () => void begin().catch(() => {}) });
}
