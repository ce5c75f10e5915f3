/** The keys of services: where each is from, setting and forgetting. A key goes to the server and never comes back. */
import { useConnection } from '../wire/connection';
import type { KeySource, KeyStatus, SetKey } from '../wire/gen/types';
import { request } from '../wire/requests';
import { invalidate, type Resource, useResource } from '../wire/resource';

/** Where the key of each service is from. */
export function useKeys(): Resource<KeyStatus[]> {
  const online = useConnection((state) => state.status === 'online');
  return useResource<KeyStatus[]>(online ? 'models/keys' : null);
}

/** Keeps a key, in place of the one that was kept before. Throws if that is not done. */
export async function setKey(service: string, key: string): Promise<void> {
  await request('PUT', pathOf(service), { key } satisfies SetKey);
  again();
}

/** Forgets the key that was kept. Throws if that is not done. */
export async function forgetKey(service: string): Promise<void> {
  await request('DELETE', pathOf(service));
  again();
}

/** Where a key is, in words. */
export function keyWords(key: KeySource, place: string | null): string {
  switch (key) {
    case 'none':
      return 'No key';
    case 'environment':
      return `Key from ${place ?? 'the environment'}`;
    case 'keyring':
      return 'Key in this computer’s keyring';
    case 'file':
      return `Key in ${place ?? 'a file that only you can read'}`;
  }
}

function pathOf(service: string): string {
  return `models/keys/${encodeURIComponent(service)}`;
}

function again(): void {
  invalidate('models/keys');
  invalidate('models');
}
