import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { POST as journalRoute } from '#app/api/generations/route.ts';
import { POST as mcpRoute } from '#app/api/mcp/route.ts';
import { GET as searchRoute } from '#app/api/v1/search/route.ts';
import { GET as contextRoute } from '#app/api/v1/spaces/[id]/context/route.ts';
import { POST as memoryRoute } from '#app/api/v1/spaces/[id]/memories/route.ts';
import { POST as renderRoute } from '#app/api/webhooks/render/route.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { requestSignInCode } from '#lib/identity/sign-in/request-sign-in-code.ts';
import { verifySignInCode } from '#lib/identity/sign-in/verify-sign-in-code.ts';
import { makeKey, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { call } from '#tests/setup/api.ts';
import { signedIn, useStudioApi } from '#tests/setup/studio-api.ts';
import { useSpans } from '#tests/setup/traces/record-spans.ts';

const service = useStudioApi();
const spans = useSpans();

/** Words that only a member or a provider wrote: none may leave by a log line, a span or the trail. */
const WRITTEN = {
  title: 'MARQUE-TITRE-7Q',
  body: 'MARQUE-CORPS-7Q',
  brief: 'MARQUE-DEMANDE-7Q',
  query: 'marque-recherche-7q',
  email: 'marque.adresse.7q@exemple.test',
};
/** What opens something. Filled as the script goes. */
const secrets: Record<string, string> = {};
const written: string[] = [];

/** A day of a service: sign-in right and wrong, reads, writes, refusals, generations, a fault, forged callbacks. */
async function script(): Promise<void> {
  const member = await signedIn(service);
  await service.db.member.update({ where: { id: member.member.id }, data: { email: WRITTEN.email } });
  const anonymous = testContext(service, { type: 'anonymous' }, { clock: systemClock });
  const said = { ...anonymous, log: (await import('#lib/core/log.ts')).stdoutLogger };
  const secret = process.env.SERVICE_SESSION_SECRET as string;
  const mails: Mail[] = [];
  await requestSignInCode(
    said,
    { email: WRITTEN.email, network: '203.0.113.9', browser: 'b'.repeat(43) },
    { secret, post: (mail) => void mails.push(mail) },
  );
  const code = /\b\d{6}\b/.exec(mails[0]?.text ?? '')?.[0] as string;
  secrets.signInCode = code;
  const attempt = (value: string) =>
    verifySignInCode(
      said,
      {
        email: WRITTEN.email,
        code: value,
        userAgent: 'Navigateur',
        network: '203.0.113.9',
        browser: 'b'.repeat(43),
      },
      { secret, post: (mail) => void mails.push(mail) },
    );
  await attempt(code === '000000' ? '111111' : '000000').catch(() => undefined);
  const { sessionId } = await attempt(code);
  secrets.cookie = await signSessionCookie(sessionId, secret);

  const { secret: key } = await makeKey(service, member.member);
  secrets.key = key;
  const oauth = await makeTokens(service, member.member, { resource: '/api/mcp' });
  secrets.accessToken = oauth.tokens.access_token;
  secrets.refreshToken = oauth.tokens.refresh_token;
  secrets.authorizationCode = oauth.code;
  secrets.pkceVerifier = oauth.verifier;

  const space = await makeSpace(service, member.account.id);
  const params = { id: space.id };
  const memory = { pillar: 'KNOWLEDGE', title: WRITTEN.title, body: WRITTEN.body };
  const add = (body: unknown, token: string) =>
    call(memoryRoute, {
      path: `/api/v1/spaces/${space.id}/memories`,
      params,
      token,
      body,
      headers: { 'idempotency-key': 'k1' },
    });
  expect((await add(memory, key)).status).toBe(201);
  await add({ ...memory, unknown: WRITTEN.body }, key);
  await add(memory, `${key.slice(0, -1)}0`);
  await call(contextRoute, { path: `/api/v1/spaces/${space.id}/context`, params, token: key });
  await call(searchRoute, { path: `/api/v1/search?q=${WRITTEN.query}`, token: key });
  const tool = { name: 'brain_search', arguments: { q: WRITTEN.query } };
  await call(mcpRoute as never, {
    path: '/api/mcp',
    token: secrets.accessToken,
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
    body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: tool },
  });

  const generate = (body: object) => member.call(journalRoute, { path: '/api/generations', body });
  expect((await generate({ kind: 'image', brief: WRITTEN.brief })).status).toBe(201);
  const video = await generate({ kind: 'video', case: 'veo', brief: WRITTEN.brief, durationSeconds: 4 });
  const row = await service.db.generation.findUniqueOrThrow({ where: { id: video.json.id } });
  if (row.providerWebhookSecret) secrets.webhookSecret = row.providerWebhookSecret;
  expect(video.text).not.toContain(row.providerWebhookSecret ?? 'whsec');
  await generate({ kind: 'image', brief: WRITTEN.brief, seed: 'x' });
  service.ports({ store: { ...service.store, put: () => Promise.reject(new Error(WRITTEN.brief)) } });
  await generate({ kind: 'image', brief: WRITTEN.brief });
  await call(renderRoute, {
    path: '/api/webhooks/render',
    body: { note: WRITTEN.body },
    headers: { 'webhook-signature': 'v1,x', 'webhook-id': 'm', 'webhook-timestamp': '1' },
  });
  for (const name of ['SERVICE_SESSION_SECRET', 'CRON_SECRET', 'CALLBACK_SECRET'])
    secrets[name] = process.env[name] as string;
}

beforeAll(async () => {
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => {
    written.push(String(chunk));
    return true;
  });
  try {
    await script();
  } finally {
    spy.mockRestore();
  }
});
afterAll(() => void vi.restoreAllMocks());

const holds = (text: string) =>
  Object.entries({ ...WRITTEN, ...secrets })
    .filter(([, value]) => text.includes(value))
    .map(([name]) => name);

describe('a scripted day of the service', () => {
  it('leaves log lines, and none holds a secret, a prompt, an address or a text of a member', () => {
    const logged = written.filter((line) => line.startsWith('{'));
    expect(logged.length).toBeGreaterThan(3);
    expect(holds(logged.join(''))).toEqual([]);
    expect(Object.keys(secrets).length).toBeGreaterThan(8);
  });

  it('leaves spans, and none holds one either, in its name, attributes or status', () => {
    expect(spans.length).toBeGreaterThan(3);
    expect(holds(JSON.stringify(spans))).toEqual([]);
  });

  it('leaves an audit trail that holds neither a secret nor a prompt', async () => {
    const entries = await service.db.auditEntry.findMany();
    expect(entries.length).toBeGreaterThan(5);
    const found = holds(JSON.stringify(entries));
    expect(found.filter((name) => name !== 'title')).toEqual([]);
  });

  it('leaves a database in which no credential can be read: each is kept as a hash, whatever the column', async () => {
    const { rows: tables } = await service.pool.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
    );
    // The video's own webhook secret lives on its row while the row is open, and the sign-in code is six digits.
    const { webhookSecret: _, signInCode, ...credentials } = secrets;
    const kept: string[] = [];
    for (const { name } of tables)
      for (const [what, value] of Object.entries(credentials)) {
        const hex = Buffer.from(value).toString('hex');
        const { rows } = await service.pool.query<{ n: number }>(
          `SELECT count(*)::int AS n FROM "${name}" t WHERE position($1 in t::text) > 0 OR position($2 in t::text) > 0`,
          [value, hex],
        );
        if ((rows[0]?.n ?? 0) > 0) kept.push(`${what} in ${name}`);
      }
    expect(kept).toEqual([]);
    const codes = await service.db.signInCode.findMany();
    expect(
      JSON.stringify(
        codes.map(({ codeHash, ...row }) => [row.consumedAt, Buffer.from(codeHash).toString('latin1')]),
      ),
    ).not.toContain(signInCode);
  });
});
