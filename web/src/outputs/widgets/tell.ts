// Tells the kernel what a person did to a control: one message after the other, and of what follows quickly the latest.
import { useEffect, useRef, useState } from 'react';
import { isGuest } from '../../app/session';
import { useNotebook } from '../../notebook/view';
import { toastFailure } from '../../ui/Toast';
import type { TellWidget } from '../../wire/gen/types';
import { failureOf, request } from '../../wire/requests';
import type { OutputPlace } from '../Outputs';
import { followersOf } from './links';
import type { Widget } from './model';

type Told = Pick<TellWidget, 'state' | 'custom'> & Partial<Pick<TellWidget, 'buffers'>>;

const waiting = new Map<string, { state: Record<string, unknown>; sending: boolean }>();

/** Sets parts of a control's state; what is set while a message is on its way goes with the next. */
async function set(at: OutputPlace, id: string, state: Record<string, unknown>): Promise<void> {
  const entry = waiting.get(id) ?? { state: {}, sending: false };
  waiting.set(id, entry);
  Object.assign(entry.state, state);
  if (entry.sending) return;
  entry.sending = true;
  while (Object.keys(entry.state).length > 0) {
    const next = entry.state;
    entry.state = {};
    if (!(await tell(at, id, { state: next, custom: null }))) break;
  }
  waiting.delete(id);
}

/** Says to the kernel what was done to a control; a failure is for the caller. */
export async function say({ path, cell }: OutputPlace, widget: string, told: Told): Promise<void> {
  await request('POST', 'notebooks/widgets', { path, cell, widget, buffers: [], ...told } satisfies TellWidget);
}

async function tell(at: OutputPlace, widget: string, told: Told): Promise<boolean> {
  try {
    await say(at, widget, told);
    return true;
  } catch (error) {
    toastFailure(failureOf(error));
    return false;
  }
}

/** What a control shows and what can be done to it. */
export interface Control<T> {
  value: T;
  set(value: T): void;
  press(): void;
  disabled: boolean;
}

/** Nothing can be done to it: its kernel is gone, its code says so, or only the owner may. */
export const isShut = ({ live, state }: Widget): boolean => !live || state.disabled === true || isGuest();

/** Milliseconds after which what the kernel says counts again, if it says otherwise. */
const OWN = 600;

/** A part of a widget's state that a person changes. What they do is shown at once, and what the kernel makes of it after. */
export function useControl<T>(at: OutputPlace, widget: Widget, name: string, read: (value: unknown) => T): Control<T> {
  const { runs } = useNotebook();
  const said = widget.state[name];
  const [own, setOwn] = useState<{ value: T } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return {
    value: own ? own.value : read(said),
    disabled: isShut(widget),
    set: (value) => {
      setOwn({ value });
      clearTimeout(timer.current);
      for (const end of followersOf(runs.getState().widgets, { widget: widget.id, name })) {
        void set(at, end.widget, { [end.name]: value });
      }
      void set(at, widget.id, { [name]: value }).then(() => {
        timer.current = setTimeout(() => setOwn(null), OWN);
      });
    },
    press: () => void tell(at, widget.id, { state: null, custom: { event: 'click' } }),
  };
}
