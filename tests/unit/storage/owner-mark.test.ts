import { expect, it } from 'vitest';
import { markOf, ownershipBy } from '#lib/storage/owner-mark.ts';
import { OWNER_MARK } from '#lib/storage/pathnames.ts';
import { configuredStore } from '#lib/storage/stores/configured-store.ts';
import { ownedStore } from '#lib/storage/stores/owned-store.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';

const OWN = { database: 'a1', origin: 'https://atelier.exemple' };
const NOWHERE = { database: 'a1', origin: null };

it.each([
  ['nobody’s without a mark', null, OWN, 'unmarked'],
  ['ours by our own mark', markOf(OWN), OWN, 'own'],
  ['ours by our own mark, at no address', markOf(NOWHERE), NOWHERE, 'own'],
  ['ours by a mark that tells no address', markOf(NOWHERE), OWN, 'unaddressed'],
  ['that of a service at another address', markOf({ ...OWN, origin: 'https://essai.exemple' }), OWN, 'copy'],
  ['that of a service at an address, for one at none', markOf(OWN), NOWHERE, 'copy'],
  ['another database’s', markOf({ ...OWN, database: 'b2' }), OWN, 'other'],
  ['another’s by what is no mark', 'atelier', OWN, 'other'],
  ['another’s by a mark of another form', '{"database":1}', OWN, 'other'],
] as const)('a store is %s', (_, mark, owner, ownership) => {
  expect(ownershipBy(mark, owner)).toBe(ownership);
});

it('a mark holds the identifier of the database and the address of its service, and nothing else', () => {
  expect(JSON.parse(markOf(OWN))).toEqual(OWN);
  // As written by versions that did not know the address.
  expect(markOf(NOWHERE)).toBe('{"database":"a1"}');
});

it('the address of a service is one, however its variable is written', () => {
  const originOf = (SERVICE_PUBLIC_URL?: string) => configuredStore({ SERVICE_PUBLIC_URL }).origin;
  for (const written of ['https://atelier.exemple', ' https://Atelier.exemple:443/ '])
    expect(originOf(written)).toBe('https://atelier.exemple');
  for (const none of [undefined, '', 'atelier', 'localhost:3000']) expect(originOf(none)).toBeNull();
});

it('the embedded store knows its service at whatever address it is reached today; no other store does', () => {
  const originAt = (VERCEL_BLOB_API_URL?: string) =>
    configuredStore({
      SERVICE_PUBLIC_URL: 'https://tunnel.exemple',
      BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_secret',
      VERCEL_BLOB_API_URL,
    }).origin;
  expect(originAt('http://127.0.0.1:40123/api/blob')).toBeNull();
  for (const api of [undefined, '', 'https://blob.exemple/api'])
    expect(originAt(api)).toBe('https://tunnel.exemple');
});

it('to delete no file nobody is asked whose the store is: what has nothing to delete ends on a copy too, and where the mark cannot be read', async () => {
  const none = memoryStore();
  none.ownerMark = OWNER_MARK;
  const kysely = () => {
    throw new Error('asked');
  };
  const store = ownedStore(none, { kysely, origin: null });
  expect(await store.delete([])).toBe('deleted');
  await expect(store.delete(['generations/gen_a/image-1.png'])).rejects.toThrow('asked');
});
