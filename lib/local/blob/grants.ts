import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { isTypeAllowed } from './content-types.ts';
import { refusals } from './errors.ts';
import type { WriteSettings } from './store.ts';

/** The store's own credentials, made once per data folder. */
export type Credentials = {
  storeId: string;
  token: string;
  webhookPrivateKey: string;
  webhookPublicKey: string;
};

/** Where to tell that an upload is complete, and with what signature. */
export type UploadCallback = { url: string; tokenPayload: string | undefined; presigned: boolean };

/** What a caller may do with this request. */
export type Grant =
  | { kind: 'owner' }
  | {
      kind: 'client';
      pathname: string;
      settings: Partial<WriteSettings>;
      callback: UploadCallback | undefined;
    }
  | {
      kind: 'presigned';
      operation: string;
      settings: Partial<WriteSettings>;
      callback: UploadCallback | undefined;
    };

type ClientPayload = Partial<WriteSettings> & {
  pathname?: string;
  validUntil?: number;
  cacheControlMaxAge?: number;
  onUploadCompleted?: { callbackUrl: string; tokenPayload?: string | null };
};

const hmac = (key: string, text: string) => createHmac('sha256', key).update(text);

function equal(a: string, b: string): boolean {
  const [left, right] = [hmac('compare', a).digest(), hmac('compare', b).digest()];
  return timingSafeEqual(left, right);
}

/** The grant of an `Authorization` header: the read-write token, or a client token signed with it. */
export function grantOfToken(headers: IncomingHttpHeaders, credentials: Credentials, nowMs: number): Grant {
  const token = headers.authorization?.replace(/^Bearer /i, '') ?? '';
  if (equal(token, credentials.token)) return { kind: 'owner' };
  const client = token.match(/^vercel_blob_client_([A-Za-z0-9]+)_([A-Za-z0-9+/=]+)$/);
  if (client?.[1] !== credentials.storeId) throw refusals.forbidden();
  const [signature, encoded] = Buffer.from(client[2] ?? '', 'base64')
    .toString()
    .split('.');
  if (!signature || !encoded || !equal(signature, hmac(credentials.token, encoded).digest('hex')))
    throw refusals.forbidden();
  const payload = JSON.parse(Buffer.from(encoded, 'base64').toString()) as ClientPayload;
  if (typeof payload.validUntil === 'number' && payload.validUntil < nowMs) throw refusals.tokenExpired();
  const { onUploadCompleted: callback } = payload;
  return {
    kind: 'client',
    pathname: payload.pathname ?? '',
    settings: settingsOf(payload),
    callback: callback && {
      url: callback.callbackUrl,
      tokenPayload: callback.tokenPayload ?? undefined,
      presigned: false,
    },
  };
}

function settingsOf(payload: ClientPayload): Partial<WriteSettings> {
  return {
    addRandomSuffix: payload.addRandomSuffix ?? false,
    allowOverwrite: payload.allowOverwrite ?? false,
    ...(payload.cacheControlMaxAge === undefined ? {} : { cacheSeconds: payload.cacheControlMaxAge }),
    ifMatch: payload.ifMatch,
    maximumSizeInBytes: payload.maximumSizeInBytes,
    allowedContentTypes: payload.allowedContentTypes,
  };
}

export type Delegation = {
  storeId: string;
  pathname: string;
  operations: string[];
  validUntil: number;
  maximumSizeInBytes?: number;
  allowedContentTypes?: string[];
};

/** Issues what `issueSignedToken` returns: a delegation that this store signed, and the key that signs addresses under it. */
export function issueDelegation(credentials: Credentials, request: Partial<Delegation>, nowMs: number) {
  const delegation: Delegation = {
    storeId: credentials.storeId,
    pathname: request.pathname ?? '*',
    operations: request.operations ?? ['get'],
    validUntil: request.validUntil ?? nowMs + 3_600_000,
    ...(request.maximumSizeInBytes === undefined ? {} : { maximumSizeInBytes: request.maximumSizeInBytes }),
    ...(request.allowedContentTypes === undefined
      ? {}
      : { allowedContentTypes: request.allowedContentTypes }),
  };
  const payload = Buffer.from(JSON.stringify(delegation)).toString('base64url');
  const delegationToken = `${payload}.${hmac(credentials.token, payload).digest('base64url')}`;
  return {
    delegationToken,
    clientSigningToken: signingKey(credentials, delegationToken),
    validUntil: delegation.validUntil,
  };
}

const signingKey = (credentials: Credentials, delegationToken: string) =>
  hmac(credentials.token, `presign ${delegationToken}`).digest('base64url');

const PREFIX = 'vercel-blob-';
const SIGNED_KEYS = [
  'add-random-suffix',
  'allow-overwrite',
  'allowed-content-types',
  'cache-control-max-age',
  'callback-token-payload',
  'callback-url',
  'if-match',
  'maximum-size-in-bytes',
  'valid-until',
];

/** The grant of a presigned address, or undefined when the address carries none. */
export function grantOfAddress(
  query: URLSearchParams,
  credentials: Credentials,
  asked: { operation: 'get' | 'head' | 'put' | 'delete'; pathname: string },
  nowMs: number,
): Grant | undefined {
  const token = query.get(`${PREFIX}delegation`);
  if (token === null) return undefined;
  const delegation = readDelegation(token, credentials);
  const value = (name: string) => query.get(`${PREFIX}${name}`) ?? undefined;
  const lines = SIGNED_KEYS.filter((name) => value(name)).map((name) => `${PREFIX}${name}=${value(name)}`);
  const canonical = [`operation=${asked.operation}`, `pathname=${asked.pathname}`, ...lines]
    .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .join('\n');
  const wanted = hmac(signingKey(credentials, token), canonical).digest('base64url');
  if (!equal(value('signature') ?? '', wanted)) throw refusals.forbidden();
  const validUntil = Math.min(delegation.validUntil, Number(value('valid-until') ?? delegation.validUntil));
  if (validUntil < nowMs) throw refusals.tokenExpired();
  if (!delegation.operations.includes(asked.operation)) throw refusals.forbidden();
  if (delegation.pathname !== '*' && delegation.pathname !== '' && delegation.pathname !== asked.pathname)
    throw refusals.pathnameMismatch();
  const types = value('allowed-content-types')?.split(',');
  const granted = delegation.allowedContentTypes;
  if (types && granted && types.some((type) => !isTypeAllowed(type, granted))) throw refusals.forbidden();
  const maximum = Number(value('maximum-size-in-bytes') ?? delegation.maximumSizeInBytes ?? Number.NaN);
  const cacheSeconds = value('cache-control-max-age');
  const callbackUrl = value('callback-url');
  return {
    kind: 'presigned',
    operation: asked.operation,
    settings: {
      addRandomSuffix: value('add-random-suffix') === 'true',
      allowOverwrite: value('allow-overwrite') === 'true',
      ...(cacheSeconds === undefined ? {} : { cacheSeconds: Number(cacheSeconds) }),
      ifMatch: value('if-match'),
      maximumSizeInBytes: Number.isNaN(maximum)
        ? undefined
        : Math.min(maximum, delegation.maximumSizeInBytes ?? maximum),
      allowedContentTypes: types ?? granted,
    },
    callback: callbackUrl
      ? { url: callbackUrl, tokenPayload: value('callback-token-payload'), presigned: true }
      : undefined,
  };
}

function readDelegation(token: string, credentials: Credentials): Delegation {
  const [payload = '', signature = ''] = token.split('.');
  if (!equal(signature, hmac(credentials.token, payload).digest('base64url'))) throw refusals.forbidden();
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Delegation;
}
