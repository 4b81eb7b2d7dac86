import { BlobClientTokenExpiredError } from '@vercel/blob';
import { afterEach, expect, test, vi } from 'vitest';
import { StoreRefused } from '#app/_cockpit/sending/put-file.ts';
import { AttachRefusal, attachRefusalOf, LOST } from '#app/_studio/composer/fields/attach-refusal.ts';
import { askGrant } from '#app/_studio/composer/fields/send-to-bucket.ts';
import { storage as sentences } from '#lib/messages/storage.ts';

afterEach(() => vi.unstubAllGlobals());

const clip = new File([new Uint8Array(12)], 'plan.mp4', { type: 'video/mp4' });
const asked = () =>
  askGrant(clip, { pathname: 'references/plan.mp4', productId: 'libre' }).catch(attachRefusalOf);

test('a clip that the service does not let in is told in the service’s words, not as a lost connection', async () => {
  const fetched = vi.fn(async (_path: string, _init: RequestInit) =>
    Response.json({ error: { code: 'conflict', message: sentences.tooManySending } }, { status: 409 }),
  );
  vi.stubGlobal('fetch', fetched);
  expect(await asked()).toMatchObject({ message: sentences.tooManySending });
  const [path, init] = fetched.mock.calls[0] ?? [];
  expect(path).toBe('/api/references/upload');
  expect(JSON.parse(String(init?.body))).toEqual({
    type: 'blob.generate-client-token',
    payload: {
      pathname: 'references/plan.mp4',
      multipart: false,
      clientPayload: JSON.stringify({ productId: 'libre', bytes: 12 }),
    },
  });
});

test('a connection that ends is told as one, and a refusal that was worded already as it is', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')));
  expect(await asked()).toMatchObject({ message: LOST });
  expect(attachRefusalOf(new AttachRefusal('Trop lourd.')).message).toBe('Trop lourd.');
});

test('a store that refuses a file is told as one, not as a lost connection', () => {
  for (const error of [new StoreRefused('the store answered 403'), new BlobClientTokenExpiredError()])
    expect(attachRefusalOf(error).message).toMatch(/^Le stockage a refusé ce fichier\./);
});
