// Changes of settings by the person: shown at once, then asked of the server, which tells all windows.
import { isGuest } from '../app/session';
import { toastFailure } from '../ui/Toast';
import { submitAction } from '../wire/actions';
import type { Submitted } from '../wire/gen/types';
import { failureOf, RequestFailed } from '../wire/requests';
import { invalidate } from '../wire/resource';
import { type Settings, takeSettings, useSettings } from './values';

/** Sets a setting, or resets it with `null`. A failure is shown, and the value from before is back. */
export async function saveSetting<K extends keyof Settings>(key: K, value: Settings[K] | null): Promise<void> {
  const before = useSettings.getState().set;
  const { [key]: _, ...others } = before;
  takeSettings(value === null ? others : { ...others, [key]: value });
  if (isGuest()) return;
  try {
    check(await submitAction(request(key, value)));
  } catch (error) {
    takeSettings(before);
    toastFailure(failureOf(error));
  }
  invalidate('settings');
}

function request(key: string, value: unknown) {
  if (value === null) return { action_type: 'settings.reset', args: { key } };
  return { action_type: 'settings.set', args: { key, value } };
}

function check({ state, outcome }: Submitted): void {
  if (state === 'done') return;
  const message = 'The setting was not changed: a rule of yours asks first. It is in Waiting for you';
  throw new RequestFailed(
    0,
    outcome && 'failure' in outcome ? outcome.failure : { code: 'not_done', message, data: null },
  );
}
