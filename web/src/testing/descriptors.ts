/** Descriptions of actions for tests. */
import type { Descriptor, RoutedStep } from '../wire/gen/types';

interface Wanted extends Partial<Descriptor> {
  required?: string[];
}

/** An action of the catalog that writes, unless the rest says otherwise. */
export function descriptor(name: string, summary: string, { required = [], ...rest }: Wanted = {}): Descriptor {
  return {
    name,
    summary,
    description: '',
    args_schema: { type: 'object', required },
    preconditions: [],
    effect: 'workspace',
    risks: ['write'],
    grant_needed: { actions: [name], risks: ['write'] },
    places: ['workspace'],
    undo: 'inverse',
    examples: [],
    phrases: [],
    tags: [],
    safety: [],
    label: 'workspace',
    ...rest,
  };
}

/** An action that the fast path understood: it writes, unless the rest says otherwise. */
export function step(action_type: string, rest: Partial<RoutedStep> = {}): RoutedStep {
  return {
    action_type,
    args: {},
    title: action_type,
    detail: '',
    risks: ['write'],
    undo: 'inverse',
    is_gentle: false,
    ...rest,
  };
}
