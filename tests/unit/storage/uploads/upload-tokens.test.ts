import { createHmac } from 'node:crypto';
import { getPayloadFromClientToken } from '@vercel/blob/client';
import { describe, expect, test } from 'vitest';
import type { MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { Database } from '#lib/db/types.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { CLIP_FORMATS, declaredTypesOf, MEDIA_LIMITS } from '#lib/storage/media/media-types.ts';
import {
  CallbackRejected,
  completeDirectUpload,
  directUploadTarget,
  grantDirectUpload,
} from '#lib/storage/uploads/direct-upload.ts';
import { grantImportUpload, takeImportUpload } from '#lib/storage/uploads/import-upload.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { answeredQueries } from '#tests/factories/statements/answered-queries.ts';
import type { Statement } from '#tests/factories/statements/intercepted-queries.ts';

const NOW = new Date('2026-11-21T10:00:00Z');
const MINUTE_MS = 60_000;
const inMinutes = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE_MS);
const TOKEN = 'vercel_blob_rw_Store1_secretOfTheTests';
const MEMBER: MemberActor = {
  type: 'member',
  accountId: 'acc_1',
  memberId: 'mbr_1',
  sessionId: 'ses_1',
  operator: false,
  role: 'MEMBER',
  permissions: ['generate', 'brain.write'],
};
const ROOM = {
  storedBytes: 0n,
  binnedBytes: 0n,
  heldBytes: 0n,
  quotaBytes: 10n ** 12n,
  sending: 0,
  nextFreeAt: null,
};
const FIND_HOLD =
  'select "id", "createdAt", "expiresAt" from "StorageHold" where "accountId" = $1 and "memberId" = $2 and "stem" = $3 and "expiresAt" > $4';
const TAKE_HOLD = 'update "StorageHold" set "expiresAt" = $1 where "id" = $2 and "expiresAt" = $3';
const GIVE_HOLD_BACK = 'update "StorageHold" set "expiresAt" = $1 where "id" = $2';
const FIND_SENDER =
  'select "m"."id" from "Member" as "m" inner join "Account" as "a" on "a"."id" = "m"."accountId" where "m"."id" = $1 and "m"."accountId" = $2 and "m"."status" = $3 and "a"."closedAt" is null and ("m"."role" = $4 or \'generate\' = any(m."permissions"))';
type Written = { pathname: string; options: Parameters<NonNullable<FileStore['grantWrite']>>[1] };

/**
 * A member who uploads to a store in memory; `isBucket`: to one that signs addresses. `held`, `uploads`: existing rows; `isTaken`: another upload
 * takes the hold meanwhile. `senders`: whether the member of a token may still send; `fault`: what looking for a recorded upload meets.
 */
function scene(
  one: {
    actor?: Partial<MemberActor>;
    isBucket?: boolean;
    held?: readonly object[];
    isTaken?: boolean;
    uploads?: readonly object[];
    senders?: readonly object[];
    fault?: Error;
  } = {},
) {
  const sent: Statement[] = [];
  const lines: LogLine[] = [];
  const written: Written[] = [];
  const kysely = answeredQueries((statement) => {
    sent.push(statement);
    if (statement.label === 'storage.use') return { rows: [ROOM] };
    if (statement.text === FIND_HOLD) return { rows: one.held ?? [] };
    if (statement.text === TAKE_HOLD) return { affected: one.isTaken ? 0 : 1 };
    if (statement.text === FIND_SENDER) return { rows: one.senders ?? [{ id: 'mbr_1' }] };
    if (!/from "Upload"/.test(statement.text)) return undefined;
    if (one.fault) throw one.fault;
    return { rows: one.uploads ?? [] };
  });
  const store: ReturnType<typeof memoryStore> = memoryStore(() => NOW);
  if (one.isBucket)
    store.grantWrite = async (pathname, options) => {
      written.push({ pathname, options });
      return { url: 'https://bucket.exemple/signed', headers: { 'content-type': options.contentType } };
    };
  const actor = { ...MEMBER, ...one.actor } as MemberActor;
  const ctx = testContext({ db: {} as Database, kysely }, actor, { clock: manualClock(NOW), lines });
  const files = { store: store as FileStore, storeToken: TOKEN, storeApiUrl: 'https://blob.exemple' };
  const holds = () => sent.filter(({ text }) => text.startsWith('insert into "StorageHold"'));
  return { sent, lines, written, store, holds, ctx: { ...ctx, files } };
}
type Scene = ReturnType<typeof scene>;

const FOLDER = 'references/libre/acc_1/';
const callbackUrl = 'https://atelier.exemple/api/references/upload';
const request = new Request(callbackUrl, { method: 'POST' });
const grant = (
  s: Scene,
  pathname: string,
  clientPayload: string | null = '{"productId":"libre","bytes":7}',
) => grantDirectUpload(s.ctx, { pathname, clientPayload, callbackUrl, request });
const refusalOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, options }: ServiceError) => [code, options.detail, options.problems],
  );

describe('the token of a rush or a track', () => {
  test('lets in that one name, the six types, so many bytes, for a quarter of an hour, over no other file', async () => {
    const s = scene();
    const granted = await grant(s, `${FOLDER}rush-1.mp4`);
    if (granted.type !== 'blob.generate-client-token') throw new Error('not a token');
    const tokenPayload = JSON.stringify({ accountId: 'acc_1', memberId: 'mbr_1', productId: 'libre' });
    expect(getPayloadFromClientToken(granted.clientToken)).toMatchObject({
      pathname: `${FOLDER}rush-1.mp4`,
      allowedContentTypes: declaredTypesOf(CLIP_FORMATS),
      maximumSizeInBytes: 7,
      validUntil: inMinutes(15).getTime(),
      addRandomSuffix: true,
      allowOverwrite: false,
      onUploadCompleted: { callbackUrl, tokenPayload },
    });
    // Room is held under the name without its extension, because the store adds a suffix there.
    expect(s.holds().map(({ parameters }) => parameters.slice(1))).toEqual([
      ['acc_1', 'mbr_1', `${FOLDER}rush-1`, 7n, NOW, inMinutes(15)],
    ]);
  });

  test('is an address of the bucket where the store signs them, under a name that nobody guesses', async () => {
    const s = scene({ isBucket: true });
    for (const name of ['a.mp4', 'a.mp4', 'piste.MP3'])
      expect(await grant(s, FOLDER + name)).toEqual({
        type: 's3.signed-address',
        url: 'https://bucket.exemple/signed',
        headers: { 'content-type': name === 'a.mp4' ? 'video/mp4' : 'audio/mpeg' },
      });
    const names = s.written.map(({ pathname }) => pathname);
    expect(new Set(names).size).toBe(3);
    for (const name of names)
      expect(name).toMatch(/^references\/libre\/acc_1\/(?:a-[0-9a-f]{30}\.mp4|piste-[0-9a-f]{30}\.MP3)$/);
    // Room is held under these exact names.
    expect(s.holds().map(({ parameters }) => parameters[3])).toEqual(names);
    expect(s.written.map(({ options }) => [options.bytes, options.expiresAt])).toEqual(
      names.map(() => [7, inMinutes(15)]),
    );
  });

  test.each([
    ['another account’s folder', 'references/libre/acc_2/rush.mp4', 'Cet emplacement n’est pas celui'],
    ['a name with a space', `${FOLDER}mon rush.mp4`, 'Le nom du fichier doit tenir'],
    ['a folder within', `${FOLDER}a/rush.mp4`, 'Le nom du fichier doit tenir'],
    ['a picture', `${FOLDER}image.png`, 'Le nom du fichier doit tenir'],
    ['no known type', `${FOLDER}archive.zip`, 'Le nom du fichier doit tenir'],
    ['no extension', `${FOLDER}rush`, 'Le nom du fichier doit tenir'],
  ])('is refused to %s, and no room is held', async (_, pathname, message) => {
    const s = scene();
    expect(await refusalOf(grant(s, pathname))).toEqual([
      'invalid',
      'pathname',
      [{ field: 'pathname', message: expect.stringContaining(message) }],
    ]);
    expect(s.sent).toEqual([]);
  });

  test('names the extensions that it takes', async () => {
    const refusal = await refusalOf(grant(scene(), `${FOLDER}image.png`));
    expect(JSON.stringify(refusal)).toContain('mp4, mov, webm, mp3, wav, m4a.');
  });

  test('is of one byte at least and of 50 MiB at most, which is what nothing said means', async () => {
    const most = MEDIA_LIMITS.uploadedClipBytes;
    const held = async (payload: object) => {
      const s = scene();
      const refusal = await refusalOf(grant(s, `${FOLDER}rush.mp4`, JSON.stringify(payload)));
      return refusal ?? s.holds().map(({ parameters }) => parameters[4]);
    };
    expect(await held({ productId: 'libre', bytes: 1 })).toEqual([1n]);
    expect(await held({ productId: 'libre', bytes: most })).toEqual([BigInt(most)]);
    expect(await held({ productId: 'libre' })).toEqual([BigInt(most)]);
    const refused = [
      'invalid',
      'productId',
      [{ field: 'clientPayload', message: 'Ce produit n’existe pas dans ce compte.' }],
    ];
    for (const bytes of [0, most + 1, 1.5, '7'])
      expect(await held({ productId: 'libre', bytes })).toEqual([
        'invalid',
        'bytes',
        [{ field: 'clientPayload', message: expect.stringContaining('de 1 octet à 50\u00a0Mo') }],
      ]);
    for (const payload of [{}, { productId: 'libre', more: 1 }, { productId: 'p'.repeat(61) }])
      expect(await held(payload)).toEqual(refused);
    for (const text of [null, '{', 'null'])
      expect(await refusalOf(grant(scene(), `${FOLDER}rush.mp4`, text))).toEqual(refused);
  });

  test('is for a product of the account and a member who may generate', async () => {
    const stranger = grant(scene(), `${FOLDER}rush.mp4`, '{"productId":"lumen-bougies"}');
    expect(await refusalOf(stranger)).toMatchObject(['invalid', 'productId', [{ field: 'productId' }]]);
    const reader = scene({ actor: { permissions: ['brain.write'] } });
    expect((await refusalOf(grant(reader, `${FOLDER}rush.mp4`)))?.[0]).toBe('forbidden');
  });

  test('is asked for with the folder and the limits that it has', () => {
    expect(directUploadTarget(scene().ctx, 'libre')).toEqual({
      folder: FOLDER,
      maxBytes: 52_428_800,
      formats: ['mp4', 'mov', 'webm', 'mp3', 'wav', 'm4a'],
    });
  });
});

describe('the store’s word that a file is there', () => {
  const owner = { accountId: 'acc_1', memberId: 'mbr_1', productId: 'libre' };
  const body = (pathname = `${FOLDER}rush-x.mp4`, tokenPayload: string | null = JSON.stringify(owner)) => ({
    type: 'blob.upload-completed',
    payload: { blob: { pathname }, tokenPayload },
  });
  const signatureOf = (one: unknown) => createHmac('sha256', TOKEN).update(JSON.stringify(one)).digest('hex');
  const complete = (s: Scene, one: unknown = body(), signature: string | null = signatureOf(one)) =>
    completeDirectUpload(s.ctx, {
      rawBody: Buffer.from(JSON.stringify(one)),
      request: new Request(callbackUrl, {
        method: 'POST',
        headers: signature === null ? {} : { 'x-vercel-signature': signature },
      }),
    });
  const row = { ...owner, id: 'upl_1', pathname: `${FOLDER}rush-x.mp4`, bytes: 12n };

  test('is believed under its signature: what is recorded already is told again', async () => {
    const s = scene({ uploads: [row] });
    expect(await complete(s)).toMatchObject({ id: 'upl_1', bytes: 12 });
    expect(s.sent.map(({ parameters }) => parameters)).toEqual([[row.pathname]]);
  });

  test.each([
    ['no signature', body(), null],
    ['another signature', body(), signatureOf({})],
    ['another kind of message', { ...body(), type: 'blob.generate-client-token' }, undefined],
    ['no kind', { payload: body().payload }, undefined],
    ['nothing', null, undefined],
    ['a token of nobody', body(undefined, null), undefined],
    ['a token that says more', body(undefined, JSON.stringify({ ...owner, role: 'FOUNDER' })), undefined],
    ['a token that is no JSON', body(undefined, '{'), undefined],
    ['a file of another account', body('references/libre/acc_2/rush.mp4'), undefined],
    ['a file of another product', body('references/autre/acc_1/rush.mp4'), undefined],
    ['a name that no text may have', body(`${FOLDER}a\u0000.mp4`), undefined],
  ])('is not believed with %s', async (_, one, signature) => {
    const s = scene({ uploads: [row] });
    await expect(complete(s, one, signature)).rejects.toBeInstanceOf(CallbackRejected);
    expect(s.sent).toEqual([]);
  });

  test('is not believed where there is no store, nor when it is no text', async () => {
    const { ctx } = scene({ uploads: [row] });
    const input = { rawBody: Buffer.from(JSON.stringify(body())), request };
    const rejected = (work: Promise<unknown>) => expect(work).rejects.toThrow(CallbackRejected);
    await rejected(completeDirectUpload({ ...ctx, files: { ...ctx.files, storeToken: null } }, input));
    await rejected(completeDirectUpload(ctx, { ...input, rawBody: Buffer.from([0xff]) }));
    const error = await completeDirectUpload(ctx, { ...input, rawBody: Buffer.from('{') }).catch(
      (one) => one,
    );
    expect([error.name, error.cause instanceof SyntaxError]).toEqual(['CallbackRejected', true]);
  });

  /** Whether each hold that ended has the reason of a refusal. */
  const haveReasons = (s: Scene) =>
    s.sent.flatMap(({ text }) => (/^update "StorageHold"/.test(text) ? [text.includes('"refused" = ')] : []));

  test('comes again while the store does not show the file, and no more once the file is refused', async () => {
    const s = scene();
    await expect(complete(s)).rejects.toMatchObject({
      code: 'unavailable',
      options: { detail: 'upload-missing', retryAfterSeconds: 5 },
    });
    await s.store.put(row.pathname, new Uint8Array(1), { contentType: 'video/mp4' });
    const stored = s.store.files.get(row.pathname);
    if (stored) stored.bytes = MEDIA_LIMITS.uploadedClipBytes + 1;
    expect(await complete(s)).toBeNull();
    expect([s.store.files.size, haveReasons(s)]).toEqual([0, [true]]);
  });

  test('is asked of a member at that moment: a founder, or who may generate, active, of an open account', async () => {
    const s = scene({ senders: [] });
    await s.store.put(row.pathname, new Uint8Array(1), { contentType: 'video/mp4' });
    expect(await complete(s)).toBeNull();
    expect(s.store.files.size).toBe(0);
    const asked = s.sent.filter(({ text }) => text === FIND_SENDER);
    expect(asked.map(({ parameters }) => parameters)).toEqual([['mbr_1', 'acc_1', 'ACTIVE', 'FOUNDER']]);
    expect(haveReasons(s)).toEqual([false]);
  });

  test.each([
    ['storage-full', new ServiceError('conflict', { detail: 'storage-full' })],
    ['reference-refused', new ServiceError('reference-refused', { detail: 'too-large' })],
    ['forbidden', new ServiceError('forbidden')],
  ])('is handled once its file is refused (%s)', async (_, fault) => {
    expect(await complete(scene({ fault }))).toBeNull();
  });

  test('that is a fault of ours stays one, and so does any other refusal', async () => {
    const conflict = new ServiceError('conflict', { detail: 'another' });
    await expect(complete(scene({ fault: conflict }))).rejects.toBe(conflict);
    const s = scene();
    const fault = new TypeError('the store is silent');
    s.store.head = () => Promise.reject(fault);
    await expect(complete(s)).rejects.toBe(fault);
    const late = scene();
    await late.store.put(row.pathname, new Uint8Array(1), { contentType: 'video/mp4' });
    const stored = late.store.files.get(row.pathname);
    if (stored) stored.uploadedAt = new Date(NOW.getTime() - 86_400_001);
    await expect(complete(late)).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'upload-stale' },
    });
  });
});

describe('the token of an import', () => {
  const NAME = /^imports\/acc_1\/mbr_1\/[0-9a-f]{40}$/;

  test('lets in one form of so many bytes for a quarter of an hour, and room is held for an hour', async () => {
    const s = scene();
    const granted = await grantImportUpload(s.ctx, { bytes: 9 });
    if (granted.type !== 'blob.client-token') throw new Error('not a token');
    expect(granted.pathname).toMatch(NAME);
    expect(granted.storeApiUrl).toBe('https://blob.exemple');
    expect(getPayloadFromClientToken(granted.clientToken)).toEqual({
      pathname: granted.pathname,
      maximumSizeInBytes: 9,
      allowedContentTypes: ['application/octet-stream'],
      validUntil: inMinutes(15).getTime(),
      addRandomSuffix: false,
      allowOverwrite: false,
    });
    expect(s.holds().map(({ parameters }) => parameters.slice(1))).toEqual([
      ['acc_1', 'mbr_1', granted.pathname, 9n, NOW, inMinutes(60)],
    ]);
  });

  test('is an address of the bucket where the store signs them', async () => {
    const s = scene({ isBucket: true });
    const granted = await grantImportUpload(s.ctx, { bytes: 9 });
    expect(granted).toEqual({
      type: 's3.signed-address',
      pathname: expect.stringMatching(NAME),
      url: 'https://bucket.exemple/signed',
      headers: { 'content-type': 'application/octet-stream' },
    });
    expect(s.written).toEqual([
      {
        pathname: granted.pathname,
        options: { contentType: 'application/octet-stream', bytes: 9, expiresAt: inMinutes(15) },
      },
    ]);
  });

  test('is for who may write', async () => {
    const reader = scene({ actor: { permissions: ['generate'] } });
    expect((await refusalOf(grantImportUpload(reader.ctx, { bytes: 9 })))?.[0]).toBe('forbidden');
    const take = takeImportUpload(reader.ctx, { pathname: 'x' }, async () => 'read');
    expect((await refusalOf(take))?.[0]).toBe('forbidden');
    expect(reader.sent).toEqual([]);
  });
});

describe('the form of an import that was sent', () => {
  const pathname = `imports/acc_1/mbr_1/${'a'.repeat(40)}`;
  const hold = { id: 'hld_1', createdAt: inMinutes(-1), expiresAt: inMinutes(60) };
  const arrived = async (held: readonly object[] = [hold]) => {
    const s = scene({ held });
    await s.store.put(pathname, new Uint8Array(9), { contentType: 'application/octet-stream' });
    return s;
  };
  const gone = {
    code: 'not_found',
    options: { message: expect.stringMatching(/^Cet envoi n’est pas arrivé/) },
  };
  const givenBack = (s: Scene) =>
    s.sent.flatMap(({ text, parameters }) => (text === GIVE_HOLD_BACK ? [parameters] : []));

  test('is read once and deleted, under the hold of its very name, whose room stays taken until the store was asked', async () => {
    const s = await arrived();
    expect(await takeImportUpload(s.ctx, { pathname }, async ({ bytes }) => bytes)).toBe(9);
    expect([s.store.files.size, givenBack(s)]).toEqual([0, []]);
    expect(s.sent.map(({ text, parameters }) => [text, ...parameters])).toEqual([
      [FIND_HOLD, 'acc_1', 'mbr_1', pathname, NOW],
      [TAKE_HOLD, inMinutes(-1), 'hld_1', inMinutes(60)],
    ]);
  });

  test.each([
    ['in another member’s folder', `imports/acc_1/mbr_2/${'a'.repeat(40)}`],
    ['in another folder of the same length', `imports/acc_2/mbr_1/${'a'.repeat(40)}`],
    ['under a name that is none of ours', `imports/acc_1/mbr_1/${'a'.repeat(39)}`],
    ['under a longer name', `${pathname}0`],
  ])('is not looked for %s', async (_, other) => {
    const s = await arrived();
    await expect(takeImportUpload(s.ctx, { pathname: other }, async () => 'read')).rejects.toMatchObject(
      gone,
    );
    expect(s.sent).toEqual([]);
  });

  test('is not there once another has taken its hold, nor when nothing was sent', async () => {
    const taken = await arrived([]);
    await expect(takeImportUpload(taken.ctx, { pathname }, async () => 'read')).rejects.toMatchObject(gone);
    expect(taken.store.files.size).toBe(1);
    const beaten = scene({ held: [hold], isTaken: true });
    await beaten.store.put(pathname, new Uint8Array(9), { contentType: 'application/octet-stream' });
    await expect(takeImportUpload(beaten.ctx, { pathname }, async () => 'read')).rejects.toMatchObject(gone);
    expect([beaten.store.files.size, givenBack(beaten)]).toEqual([1, []]);
    const empty = scene({ held: [hold] });
    await expect(takeImportUpload(empty.ctx, { pathname }, async () => 'read')).rejects.toMatchObject(gone);
    expect(givenBack(empty)).toEqual([]);
  });

  test('goes when what it holds is refused for good, and stays, hold and all, when it could not be read now', async () => {
    const refused = new ServiceError('invalid');
    const busy = new ServiceError('rate_limited', { retryAfterSeconds: 3 });
    const fault = new TypeError('a fault of ours');
    for (const [thrown, left] of [
      [refused, 0],
      [busy, 1],
      [fault, 1],
    ] as const) {
      const s = await arrived();
      await expect(takeImportUpload(s.ctx, { pathname }, () => Promise.reject(thrown))).rejects.toBe(thrown);
      expect([s.store.files.size, givenBack(s).length]).toEqual([left, left]);
      if (left > 0) expect(givenBack(s)).toEqual([[inMinutes(60), 'hld_1']]);
    }
  });

  test('gives its hold back when the store does not open it', async () => {
    const s = await arrived();
    const fault = new TypeError('the store is silent');
    s.store.open = () => Promise.reject(fault);
    await expect(takeImportUpload(s.ctx, { pathname }, async () => 'read')).rejects.toBe(fault);
    expect(givenBack(s)).toHaveLength(1);
  });

  test('that the store does not delete was read all the same, and is logged', async () => {
    const s = await arrived();
    s.store.delete = () => Promise.reject(new TypeError('the store is silent'));
    expect(await takeImportUpload(s.ctx, { pathname }, async () => 'read')).toBe('read');
    expect(s.lines).toMatchObject([
      { level: 'warn', event: 'files.delete_failed', subject: 'import', error: 'TypeError' },
    ]);
  });
});
