/** What a person says of where content may go. */
import type { GiveConsent } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidate } from '../wire/resource';
import type { Asked } from './found';

/** Lets content go to a provider, as it was shown. Throws if that is not taken. */
export async function allow({ provider, host }: Asked): Promise<void> {
  try {
    await request('PUT', `models/consent/${encodeURIComponent(provider)}`, { host } satisfies GiveConsent);
  } finally {
    invalidate('models');
  }
}

/** Takes it back: nothing more goes there. */
export async function takeBack(provider: string): Promise<void> {
  try {
    await request('DELETE', `models/consent/${encodeURIComponent(provider)}`);
  } finally {
    invalidate('models');
  }
}
