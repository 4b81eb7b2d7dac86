import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeAll, expect, test, vi } from 'vitest';
import { createId } from '#lib/core/ids.ts';
import { type DeclaredHandler, declarationOf } from '#lib/http/routes/declaration.ts';
import { signConsentTicket } from '#lib/oauth/protocol/consent-ticket.ts';
import { signGatewayBody } from '#lib/providers/gateway/signature.ts';
import { partPath } from '#lib/storage/offboarding/exports.ts';
import { referenceFolder } from '#lib/storage/pathnames.ts';
import { createShare } from '#lib/storage/shares/create-share.ts';
import { signCallback } from '#lib/studio/renders/render-signature.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import { memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeCode, makeTokens, pkce, REDIRECT } from '#tests/factories/oauth.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { TEST_CONFIG } from '#tests/factories/studio.ts';
import { ORIGIN } from '#tests/setup/api.ts';
import { answered } from '#tests/setup/declared-answer.ts';
import { modern } from '#tests/setup/mcp.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';
import { useStudioApi } from '#tests/setup/studio-api.ts';
import { PIXEL } from '#tests/simulation/outside.ts';
import { callRoute, discoverRoutes, type Route, type RouteCall } from '../hostile/routes.ts';

vi.mock('next/server', () => ({ after: () => undefined }));

const service = useStudioApi();
const blob = useBlobStore();
const CLIP = readFileSync(new URL('../../fixtures/media/clip.mp4', import.meta.url));

let routes: Map<string, Route>;
let own: PopulatedAccount;
let cookie = '';

beforeAll(async () => {
  const all = (await discoverRoutes()).filter((route) => declarationOf(route.handler));
  routes = new Map(all.map((route) => [(route.handler as DeclaredHandler).declaration.id, route]));
  own = await populatedAccount(service, { marker: 'ZQRÉELZQ' });
  const { accountId } = own;
  cookie = await sessionCookie(service, { id: own.ids.member?.[0] as string, accountId });
});

/** One call by the operation's identifier; what it answers is held against its declaration by `callRoute`. */
async function ask(id: string, status: number, call: RouteCall = {}) {
  const route = routes.get(id);
  if (!route) throw new Error(`No route declares ${id}.`);
  const answer = await callRoute(route, call);
  expect(answer.status, `${id}: ${answer.text.slice(0, 500)}`).toBe(status);
  return { ...answer, json: () => JSON.parse(answer.text) };
}

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
});
const form = (values: Record<string, string>, headers: Record<string, string> = {}) => ({
  body: new URLSearchParams(values).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
});
const session = () => ({ cookie, origin: ORIGIN });
const key = () => ({ authorization: `Bearer ${own.keySecret}` });
const first = (kind: string) => own.ids[kind]?.[0] as string;

async function contextApi() {
  const headers = key();
  const params = { id: first('space') };
  await ask('listSpaces', 200, { headers });
  for (const id of ['getSpace', 'getContext']) {
    const etag = (await ask(id, 200, { headers, params })).headers.get('etag') as string;
    await ask(id, 304, { headers: { ...headers, 'if-none-match': etag }, params });
  }
  await ask('search', 200, { headers, query: '?q=bougie' });
  await ask('getMemory', 200, { headers, params: { id: first('memory') } });
  await ask('getQuota', 200, { headers });
  await ask('listProjects', 200, { headers });
  const memory = json(
    { pillar: 'ITEMS', title: 'Titre', body: 'Corps' },
    { ...headers, 'idempotency-key': 'k' },
  );
  await ask('addMemory', 201, { ...memory, params });
  await ask('addMemory', 200, { ...memory, params });
  await ask('readContextApiDocument', 200);
}

async function byKey() {
  service.ports({ store: blob.store });
  const headers = key();
  const image = { kind: 'image', brief: 'Une bougie par clé' };
  const made = json(image, { ...headers, 'idempotency-key': 'key-i' });
  const { id } = (await ask('createStudioGeneration', 201, made)).json();
  await ask('createStudioGeneration', 200, made);
  const video = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
  await ask('createStudioGeneration', 202, json(video, { ...headers, 'idempotency-key': 'key-v' }));
  const { data } = (await ask('listFiles', 200, { headers })).json();
  const file = { id: data[0].id };
  for (const [operation, params] of [
    ['listStudioGenerations', {}],
    ['getStudioGeneration', { id }],
    ['getWallet', {}],
    ['listFiles', {}],
    ['getFile', file],
    ['downloadFile', file],
  ] as const) {
    const etag = (await ask(operation, 200, { headers, params })).headers.get('etag') as string;
    await ask(operation, 304, { headers: { ...headers, 'if-none-match': etag }, params });
  }
  await ask('downloadFile', 206, { headers: { ...headers, range: 'bytes=0-3' }, params: file });
  await ask('downloadFile', 416, { headers: { ...headers, range: 'bytes=99999999-' }, params: file });
  service.ports({});
  await ask('readStudioApiDocument', 200);
}

async function cockpit() {
  const headers = session();
  const space = { params: { id: first('space') }, headers };
  const memory = { params: { id: first('memory') }, headers };
  await ask('getMemoryDetail', 200, memory);
  await ask('listRevisions', 200, memory);
  await ask('getRevision', 200, { params: { ...memory.params, version: '2' }, headers });
  await ask('copyContext', 200, space);
  await ask('findAnything', 200, { headers, query: '?q=racine' });
  await ask('findAnything', 200, { headers, query: `?recent=${first('memory')}` });
  await ask('exportSpace', 200, { ...space, query: '?format=json' });
  await ask('exportSpace', 200, { ...space, query: '?format=markdown' });
  const files = new FormData();
  files.set('files', new File(['# Titre\n\nCorps'], 'note.md', { type: 'text/markdown' }));
  const { id } = (await ask('importFiles', 202, { ...space, body: files })).json();
  await ask('getImport', 200, { params: { id }, headers });
  await directImport(space, files);
  await ask('exportAudit', 200, { headers });
  await accountExport(headers);
  await ask('exportStatement', 200, { headers });
  await ask('readWallet', 200, { headers });
}

async function directImport(space: RouteCall, files: FormData) {
  const encoded = new Response(files);
  const contentType = encoded.headers.get('content-type') ?? '';
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const asked = { ...space, ...json({ bytes: bytes.length }, session()) };
  const { pathname } = (await ask('grantImportUpload', 200, asked)).json();
  await blob.store.put(pathname, bytes, { contentType: 'application/octet-stream' });
  await ask('importUploadedFiles', 202, { ...space, ...json({ pathname, contentType }, session()) });
}

async function accountExport(headers: Record<string, string>) {
  const params = { id: first('accountExport') };
  const part = partPath(own.accountId, params.id, 0);
  await blob.store.put(part, Buffer.from('zip'), { contentType: 'application/octet-stream' });
  await ask('readAccountExport', 200, { headers, params });
  await ask('readAccountExport', 206, { headers: { ...headers, range: 'bytes=1-1' }, params });
  await ask('readAccountExport', 416, { headers: { ...headers, range: 'bytes=9-' }, params });
}

async function studio() {
  const headers = session();
  const send = (body: unknown, idempotencyKey: string) =>
    json(body, { ...headers, 'idempotency-key': idempotencyKey });
  const image = { kind: 'image', brief: 'Une bougie sur une table' };
  const video = { kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 };
  for (const id of ['createGeneration', 'playGeneration']) {
    await ask(id, 201, send(image, `${id}-i`));
    await ask(id, 200, send(image, `${id}-i`));
    await ask(id, 202, send(video, `${id}-v`));
  }
  await ask('previewGeneration', 200, json(image, headers));
  await ask('previewGeneration', 200, json({ kind: 'image', brief: '' }, headers));
  await ask('previewGeneration', 200, json({ kind: 'video' }, headers));
  const two = { request: image, variants: 2 };
  await ask('createVariants', 201, send(two, 'two'));
  await ask('createVariants', 200, send(two, 'two'));
  await ask('createVariants', 202, send({ request: video, variants: 2 }, 'two-v'));
  await ask('listSentGenerations', 200, { headers, query: '?key=two' });
  const { generations } = (await ask('listGenerations', 200, { headers })).json();
  for (const { id } of generations.slice(0, 3)) await ask('getGeneration', 200, { params: { id }, headers });

  const voice = { kind: 'voice', text: 'Bonjour à tous.', voiceId: 'Camille0Recorded0001' };
  const said = (await ask('createGeneration', 201, send(voice, 'voice'))).json();
  await ask('readCaptions', 200, { params: { id: said.id }, headers });

  const template = findTemplate('quote-card');
  if (!template) throw new Error('quote-card is gone');
  const params = { id: template.id };
  const size = template.sizes[0]?.id;
  const fields = exampleFields(template);
  await ask('listTemplates', 200, { headers });
  await ask('drawTemplateExample', 200, { params, headers });
  await ask('checkTemplate', 200, { ...json({ fields, productId: 'libre' }, headers), params });
  await ask('drawTemplatePreview', 200, { ...json({ fields, productId: 'libre', size }, headers), params });
  const render = (
    await ask('createGeneration', 202, send({ kind: 'render', template: template.id, size, fields }, 'r'))
  ).json();
  await callbacks({ render, video: (await ask('createGeneration', 202, send(video, 'w'))).json() });
  await ask('relaunchGeneration', 202, { ...send({}, 'again'), params: { id: render.id } });
  await ask('relaunchGeneration', 200, { ...send({}, 'again'), params: { id: render.id } });
  await ask('readVoiceDesk', 200, { headers });
  service.ports({ config: { ...TEST_CONFIG, defaultVoiceId: 'Camille0Recorded0001' } });
  const { voices } = (await ask('readVoiceDesk', 200, { headers })).json();
  await ask('readVoicePreview', 200, { params: { voiceId: voices[0].id }, headers });
}

type Row = { id: string; providerJobId: string; params: { workflowRunId?: string } };

async function callbacks({ render, video }: { render: Row; video: Row }) {
  const body = JSON.stringify({
    generationId: render.id,
    runId: render.params.workflowRunId,
    status: 'failure',
    files: [],
    durationMs: 1_000,
  });
  const secret = process.env.CALLBACK_SECRET ?? '';
  const signed = signCallback(body, { id: 'msg_1', secret, sentAt: new Date() });
  await ask('receiveRenderCallback', 200, {
    body,
    headers: { 'content-type': 'application/json', ...signed },
  });
  const done = JSON.stringify({
    type: 'video.completed',
    data: { jobId: video.providerJobId, status: 'completed' },
  });
  const stored = await service.db.generation.findUniqueOrThrow({ where: { id: video.id } });
  const headers = {
    'x-ai-gateway-signature': signGatewayBody(done, stored.providerWebhookSecret ?? '', new Date()),
  };
  await ask('receiveVideoWebhook', 204, { params: { generationId: video.id }, body: done, headers });
}

async function files() {
  const { accountId } = own;
  const memberId = first('member');
  const pathname = 'generations/gen_reelle/image-1.png';
  const { etag } = await blob.store.put(pathname, PIXEL, { contentType: 'image/png' });
  const at = { createdAt: new Date(), updatedAt: new Date() };
  await service.db.asset.create({
    data: {
      id: createId('asset'),
      accountId,
      memberId,
      productId: 'libre',
      type: 'IMAGE',
      contentType: 'image/png',
      pathname,
      bytes: BigInt(PIXEL.length),
      etag,
      ...at,
    },
  });
  const read = (status: number, more: Record<string, string> = {}) =>
    ask('readFile', status, { params: { pathname }, headers: { cookie, ...more } });
  const whole = await read(200);
  await read(206, { range: 'bytes=0-3' });
  await read(416, { range: 'bytes=999999-' });
  await read(304, { 'if-none-match': whole.headers.get('etag') as string });

  const kept = await service.db.asset.findUniqueOrThrow({ where: { pathname } });
  const member = await service.db.member.findUniqueOrThrow({ where: { id: memberId } });
  const sharing = testContext(service, memberActor(member));
  const { token } = await createShare(sharing, { target: { kind: 'file', assetId: kept.id }, days: 1 });
  const params = { token };
  await ask('showShare', 200, { params });
  await ask('showShare', 404, { params: { token: 'inconnu' } });
  for (const [status, headers] of [
    [200, {}],
    [206, { range: 'bytes=0-3' }],
    [304, { 'if-none-match': whole.headers.get('etag') as string }],
  ] as const)
    await ask('readSharedFile', status, { params, headers });

  const delivered = await service.db.asset.findFirstOrThrow({
    where: { accountId, generationId: { not: null }, deletedAt: null },
  });
  await ask('downloadGenerations', 200, {
    query: `?ids=${delivered.generationId}`,
    headers: { cookie },
  });

  await ask('exportJournal', 200, { query: '?kind=image', headers: { cookie } });

  const image = { ...session(), 'content-type': 'image/png' };
  await ask('uploadImage', 201, { body: PIXEL as BodyInit, headers: image });

  const clip = `${referenceFolder(accountId, 'libre')}rush.mp4`;
  const clientPayload = JSON.stringify({ productId: 'libre' });
  const payload = { pathname: clip, multipart: false, clientPayload };
  await ask('uploadReference', 200, json({ type: 'blob.generate-client-token', payload }, session()));
  await blob.store.put(clip, CLIP, { contentType: 'video/mp4' });
  const announcement = {
    type: 'blob.upload-completed',
    payload: {
      blob: { pathname: clip, url: `https://x/${clip}`, contentType: 'video/mp4', etag: 'e' },
      tokenPayload: JSON.stringify({ accountId, memberId, productId: 'libre' }),
    },
  };
  const signature = createHmac('sha256', blob.server.token)
    .update(JSON.stringify(announcement))
    .digest('hex');
  await ask('uploadReference', 200, json(announcement, { 'x-vercel-signature': signature }));
}

async function documentation() {
  for (const [id, params] of [
    ['readDocumentation', { slug: 'api' }],
    ['readLlmsIndex', {}],
    ['readLlmsFull', {}],
    ['readDocsSitemap', {}],
  ] as const) {
    const etag = (await ask(id, 200, { params })).headers.get('etag') as string;
    await ask(id, 304, { params, headers: { 'if-none-match': etag } });
  }
}

async function serviceRoutes() {
  const headers = { authorization: `Bearer ${process.env.CRON_SECRET}` };
  await ask('sweepGenerations', 200, { headers });
  await ask('runRetention', 200, { headers });
  await ask('deliverWebhooks', 200, { headers });
  await ask('readConstant', 200);
  await ask('readHealth', 200);
  await ask('readReadiness', 200);
}

async function oauth() {
  const member = await service.db.member.findUniqueOrThrow({ where: { id: first('member') } });
  await ask('readAuthorizationServer', 200);
  await ask('readProtectedResource', 200, { params: { path: 'api/mcp' } });
  const registered = await ask(
    'registerClient',
    201,
    json({ client_name: 'Assistant', redirect_uris: [REDIRECT] }),
  );
  const authorization = new URLSearchParams({
    response_type: 'code',
    client_id: registered.json().client_id,
    redirect_uri: REDIRECT,
    state: 's',
    resource: `${ORIGIN}/api/mcp`,
    code_challenge: pkce().challenge,
    code_challenge_method: 'S256',
  }).toString();
  await ask('authorize', 303, { query: `?${authorization}` });
  const shown = await service.db.session.findFirstOrThrow({
    where: { memberId: member.id },
    orderBy: { createdAt: 'desc' },
  });
  const secret = process.env.SERVICE_SESSION_SECRET as string;
  const about = { sessionId: shown.id, memberId: member.id, query: authorization };
  const ticket = signConsentTicket(about, new Date(), secret);
  await ask('answerConsent', 200, form({ request: authorization, ticket, decision: 'refuse' }, session()));
  await ask('answerConsent', 303, form({ request: authorization, ticket, decision: 'accept' }, session()));
  const { client, code, verifier, redirectUri } = await makeCode(service, member, {
    client: await makeClient(service),
  });
  const granted = await ask(
    'grantToken',
    200,
    form({
      grant_type: 'authorization_code',
      client_id: client.id,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      resource: `${ORIGIN}/api/mcp`,
    }),
  );
  const { access_token: token, refresh_token } = granted.json();
  await ask('grantToken', 200, form({ grant_type: 'refresh_token', client_id: client.id, refresh_token }));
  await ask('revokeToken', 200, form({ client_id: client.id, token }));
  const { tokens } = await makeTokens(service, member);
  const protocol = {
    accept: 'application/json, text/event-stream',
    authorization: `Bearer ${tokens.access_token}`,
    host: '127.0.0.1',
  };
  const modernHeaders = { ...protocol, 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
  await ask('callTool', 200, json(modern('tools/list'), modernHeaders));
  const legacy = { ...protocol, 'mcp-protocol-version': '2025-11-25' };
  await ask('callTool', 202, json({ jsonrpc: '2.0', method: 'notifications/initialized' }, legacy));
}

test('every answer that a route declares is given, and parses as declared: nothing missing, nothing more', async () => {
  await contextApi();
  await cockpit();
  await studio();
  await byKey();
  await files();
  await serviceRoutes();
  await documentation();
  await oauth();
  const missing: string[] = [];
  for (const [id, route] of routes)
    for (const status of Object.keys((route.handler as DeclaredHandler).declaration.answers).map(Number))
      if (status < 400 && !answered.get(id)?.has(status)) missing.push(`${id} ${status}`);
  expect(missing).toEqual([]);
  expect(answered.size).toBeGreaterThan(45);
});
