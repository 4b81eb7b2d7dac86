import { randomBytes } from 'node:crypto';
import { type HandleUploadBody, handleUpload } from '@vercel/blob/client';
import { sql } from 'kysely';
import { z } from 'zod';
import type { AccountActor, Actor, MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { unstorableText } from '#lib/core/input/storable-text.ts';
import { utf8Json } from '#lib/core/text/utf8.ts';
import { storage as sentences } from '#lib/messages/storage.ts';
import { type FilesContext, requireStore } from '../context.ts';
import {
  CLIP_FORMATS,
  contentTypeOf,
  declaredTypesOf,
  formatOfFileName,
  MEDIA_LIMITS,
  type MediaFormat,
} from '../media/media-types.ts';
import { referenceFolder } from '../pathnames.ts';
import { requireGenerate, requireProduct } from '../refusals.ts';
import { recordStoredUpload, type UploadRecord } from './record-upload.ts';
import type { uploadTokenSchema } from './schemas.ts';
import { holdRoom } from './settle-held-room.ts';

/** Life of the token with which a browser sends one file straight to the store. */
const UPLOAD_TOKEN_MS = 15 * 60_000;

/** What the token carries to the completion callback, under the store's signature. */
const uploader = z.strictObject({
  accountId: z.string(),
  memberId: z.string(),
  productId: z.string(),
});

const clientPayload = z.strictObject({
  productId: z.string().max(60),
  /** How many bytes the file has: room for no more is held, and no more is let in. */
  bytes: z.int().min(1).max(MEDIA_LIMITS.uploadedClipBytes).default(MEDIA_LIMITS.uploadedClipBytes),
});
const WRONG_SIZE = 'Un fichier envoyé ici compte de 1 octet à 50\u00a0Mo (bytes, un nombre entier d’octets).';
const FILE_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,79}\.[A-Za-z0-9]{2,5}$/;

type TokenRequest = { pathname: string; clientPayload: string | null };

/**
 * A client token for one rush or track: 50 MB, six types, 15 minutes, under the account's folder of the product, never over
 * another file. The browser names the file `<folder><name>.<extension>`; the store adds a suffix. Room for it is held before its
 * bytes come. Errors: `forbidden`, `invalid` naming the field, `conflict` (`storage-full`), `rate_limited`.
 */
export async function grantDirectUpload(
  ctx: FilesContext<AccountActor>,
  input: TokenRequest & { callbackUrl: string; request: Request },
): Promise<UploadGrant> {
  requireGenerate(ctx);
  const store = requireStore(ctx);
  const { accountId, memberId } = ctx.actor;
  const { productId, bytes } = readClientPayload(input.clientPayload);
  const product = requireProduct(ctx, productId);
  checkFileName(input.pathname, referenceFolder(accountId, product.id));
  const body: HandleUploadBody = {
    type: 'blob.generate-client-token',
    payload: { pathname: input.pathname, clientPayload: input.clientPayload, multipart: false },
  };
  const expiresAt = new Date(ctx.clock.now().getTime() + UPLOAD_TOKEN_MS);
  if (store.grantWrite) {
    const pathname = withSuffix(input.pathname);
    // Under its very name: whether something came is one question to the store, however many files begin like it.
    await holdRoom(ctx, { stem: pathname, bytes, expiresAt });
    const contentType = contentTypeOf(formatOfFileName(input.pathname) as MediaFormat);
    const granted = await store.grantWrite(pathname, { contentType, bytes, expiresAt });
    return { type: 's3.signed-address', ...granted };
  }
  await holdRoom(ctx, { stem: stemOf(input.pathname), bytes, expiresAt });
  const granted = await handleUpload({
    token: ctx.files.storeToken as string,
    request: input.request,
    body,
    onBeforeGenerateToken: async () => ({
      allowedContentTypes: declaredTypesOf(CLIP_FORMATS),
      maximumSizeInBytes: bytes,
      validUntil: expiresAt.getTime(),
      addRandomSuffix: true,
      allowOverwrite: false,
      callbackUrl: input.callbackUrl,
      tokenPayload: JSON.stringify({ accountId, memberId, productId: product.id }),
    }),
    onUploadCompleted: async () => {},
  });
  if (granted.type !== 'blob.generate-client-token') throw new Error('unexpected answer of the SDK');
  return { type: granted.type, clientToken: granted.clientToken };
}

/** With what a browser sends one file: the token that the Blob store's client takes, or an address of the bucket, to send it with those headers. */
type UploadGrant = z.output<typeof uploadTokenSchema>;

/** What the Blob store does with `addRandomSuffix`: nobody guesses where a file lies, nor writes over another. */
function withSuffix(pathname: string): string {
  const stem = stemOf(pathname);
  return `${stem}-${randomBytes(15).toString('hex')}${pathname.slice(stem.length)}`;
}

/** Folder and limits that a browser needs to ask for a token. */
export function directUploadTarget(ctx: FilesContext<AccountActor>, productId: string) {
  const product = requireProduct(ctx, productId);
  return {
    folder: referenceFolder(ctx.actor.accountId, product.id),
    maxBytes: MEDIA_LIMITS.uploadedClipBytes,
    formats: CLIP_FORMATS,
  };
}

/** The callback cannot be authenticated: absent, wrong or malformed signature, or a payload that our tokens never carry. */
export class CallbackRejected extends Error {
  override readonly name = 'CallbackRejected';
}

/**
 * The store's completion callback: verified by the SDK under the store's secret, then recorded as the confirmation would. A
 * replay records nothing; a refused file, and one whose member lost the right to send it since their token, is deleted and answered
 * null. Throws CallbackRejected when it cannot be believed; a fault of ours throws what it is, and the store calls again (`unavailable`
 * when it does not show the file yet).
 */
export async function completeDirectUpload(
  ctx: FilesContext<Actor>,
  input: { rawBody: Uint8Array; request: Request },
): Promise<UploadRecord | null> {
  const { pathname, ...owner } = await readCompletion(ctx, input);
  const actor: MemberActor = {
    type: 'member',
    sessionId: 'upload-callback',
    operator: false,
    role: 'MEMBER',
    permissions: [],
    accountId: owner.accountId,
    memberId: owner.memberId,
  };
  try {
    return await recordStoredUpload(
      { ...ctx, actor },
      { ...owner, pathname, via: 'client', mayStillSend: () => maySend(ctx, owner) },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // Returned as handled, so that the store does not call again.
    if (['reference-refused', 'forbidden'].includes(error.code) || error.options.detail === 'storage-full')
      return null;
    if (error.options.detail === 'upload-missing')
      throw new ServiceError('unavailable', { ...error.options, retryAfterSeconds: 5, cause: error });
    throw error;
  }
}

/** Whether the member of a token, which lives a quarter of an hour whatever happens to them, may send at this moment. */
async function maySend(
  ctx: FilesContext<Actor>,
  { accountId, memberId }: z.infer<typeof uploader>,
): Promise<boolean> {
  const sender = await ctx.kysely
    .selectFrom('Member as m')
    .innerJoin('Account as a', 'a.id', 'm.accountId')
    .select('m.id')
    .where('m.id', '=', memberId)
    .where('m.accountId', '=', accountId)
    .where('m.status', '=', 'ACTIVE')
    .where('a.closedAt', 'is', null)
    .where((eb) => eb.or([eb('m.role', '=', 'FOUNDER'), sql<boolean>`'generate' = any(m."permissions")`]))
    .executeTakeFirst();
  return sender !== undefined;
}

/** Which file the callback tells of, and whose it is, once its signature and its token's payload are good. */
async function readCompletion(
  ctx: FilesContext<Actor>,
  input: { rawBody: Uint8Array; request: Request },
): Promise<z.infer<typeof uploader> & { pathname: string }> {
  let completed: (z.infer<typeof uploader> & { pathname: string }) | null = null;
  try {
    const body = utf8Json(input.rawBody) as HandleUploadBody;
    const token = ctx.files.storeToken;
    if (!token) throw new Error('no file store');
    if (body?.type !== 'blob.upload-completed') throw new Error('not a completion callback');
    await handleUpload({
      token,
      request: input.request,
      body,
      onBeforeGenerateToken: () => Promise.reject(new Error('not a token request')),
      onUploadCompleted: async ({ blob, tokenPayload }) => {
        completed = { ...uploader.parse(JSON.parse(tokenPayload ?? '')), pathname: blob.pathname };
        if (!completed.pathname.startsWith(referenceFolder(completed.accountId, completed.productId)))
          throw new Error('not in the folder of its token');
      },
    });
    if (!completed) throw new Error('names no file');
    if (unstorableText(completed)) throw new Error('names no text');
    return completed;
  } catch (cause) {
    throw new CallbackRejected(cause instanceof Error ? cause.message : 'unknown', { cause });
  }
}

/** A pathname without its extension: the store puts its suffix there. */
function stemOf(pathname: string): string {
  return pathname.slice(0, pathname.lastIndexOf('.'));
}

function readClientPayload(text: string | null): z.infer<typeof clientPayload> {
  const read = clientPayload.safeParse(jsonOf(text));
  if (read.success) return read.data;
  const isSize = read.error.issues.every(({ path }) => path[0] === 'bytes');
  throw new ServiceError('invalid', {
    detail: isSize ? 'bytes' : 'productId',
    problems: [{ field: 'clientPayload', message: isSize ? WRONG_SIZE : sentences.productUnknown }],
  });
}

function jsonOf(text: string | null): unknown {
  try {
    return JSON.parse(text ?? '{}');
  } catch {
    return null;
  }
}

function checkFileName(pathname: string, folder: string): void {
  const name = pathname.slice(folder.length);
  const format = formatOfFileName(name);
  const isClip = format !== null && (CLIP_FORMATS as readonly string[]).includes(format);
  if (pathname.startsWith(folder) && FILE_NAME.test(name) && isClip) return;
  const message = pathname.startsWith(folder)
    ? sentences.uploadName.replace('{extensions}', CLIP_FORMATS.join(', '))
    : sentences.uploadPath;
  throw new ServiceError('invalid', { detail: 'pathname', problems: [{ field: 'pathname', message }] });
}
