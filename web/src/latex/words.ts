/** How a build ended, in words. Pure. */
import type { LatexBuild } from '../wire/gen/types';

/** "3 errors", "Built, 2 warnings", "Stopped". */
export function builtWords(build: LatexBuild): string {
  const warnings = build.warnings > 0 ? counted(build.warnings, 'warning') : '';
  switch (build.end) {
    case 'done':
      return warnings ? `Built, ${warnings}` : 'Built';
    case 'failed':
      return build.errors > 0 ? counted(build.errors, 'error') : 'Failed';
    case 'stopped':
      return 'Stopped';
  }
}

/** "in 2.1 s". */
export function tookWords({ duration_ms }: LatexBuild): string {
  return `in ${(duration_ms / 1000).toFixed(1)} s`;
}

/** "1 error", "2 errors". */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
