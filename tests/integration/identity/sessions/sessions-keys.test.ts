import { describe, expect, it } from 'vitest';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { listKeys } from '#lib/identity/keys/list-keys.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { updateMember } from '#lib/identity/members/update-member.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { listSessions, SESSIONS_SHOWN } from '#lib/identity/sessions/list-sessions.ts';
import { openSession, openSessionFor } from '#lib/identity/sessions/open-session.ts';
import { revokeAllSessions, revokeSession } from '#lib/identity/sessions/revoke-session.ts';
import {
  readSessionCookie,
  sessionCookie,
  signSessionCookie,
} from '#lib/identity/sessions/session-cookie.ts';
import { grantConsent } from '#lib/oauth/grant-consent.ts';
import { createShare } from '#lib/storage/shares/create-share.ts';
import { openShare } from '#lib/storage/shares/open-share.ts';
import { withdrawShare } from '#lib/storage/shares/withdraw-share.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { ISSUER, makeClient, makeTokens, pkce, REDIRECT } from '#tests/factories/oauth.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 12 });
const DAY_MS = 86_400_000;
const SECRET = 'session-secret-of-the-tests-0123456789';

async function scene() {
  const clock = manualClock('2026-11-21T10:00:00Z');
  const { account, member, actor } = await makeAccount(service, { now: clock.now() });
  const open = () =>
    openSession({ clock, kysely: service.kysely }, { accountId: account.id, memberId: member.id });
  const live = async (id: string) =>
    (await authenticateSession({ kysely: service.kysely, clock }, id)) !== null;
  const works = async (secret: string) =>
    (await authenticateKey({ kysely: service.kysely, clock }, secret, { isWrite: false })) !== null;
  return { clock, account, member, actor, ctx: testContext(service, actor, { clock }), open, live, works };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'done',
    (error: ServiceError) => error.code,
  );

describe('sessions', () => {
  it('ends thirty days after the last visit, not before', async () => {
    const { clock, open, live } = await scene();
    const { sessionId } = await open();
    clock.advance(29 * DAY_MS);
    expect(await live(sessionId)).toBe(true);
    clock.advance(29 * DAY_MS);
    expect(await live(sessionId)).toBe(true);
    clock.advance(30 * DAY_MS);
    expect(await live(sessionId)).toBe(false);
  });

  it('one’s list shows one’s open sessions alone, this one first', async () => {
    const { clock, account, actor, open } = await scene();
    const first = await open();
    clock.advance(1000);
    const second = await open();
    const neighbour = await makeMember(service, account.id);
    await openSession({ clock, kysely: service.kysely }, { accountId: account.id, memberId: neighbour.id });
    const mine = await listSessions(
      testContext(service, { ...actor, sessionId: first.sessionId }, { clock }),
    );
    expect(mine.map((session) => [session.id, session.isCurrent])).toEqual([
      [first.sessionId, true],
      [second.sessionId, false],
    ]);
    // The first is visited on; the second, left alone, ends by itself.
    clock.advance(30 * DAY_MS - 2_000);
    await authenticateSession({ kysely: service.kysely, clock }, first.sessionId);
    clock.advance(2_000);
    const left = await listSessions(
      testContext(service, { ...actor, sessionId: first.sessionId }, { clock }),
    );
    expect(left.map(({ id }) => id)).toEqual([first.sessionId]);
  });

  it('of more sessions than the page shows, one’s list has one more, by which the page says that there are others', async () => {
    const { clock, actor, open } = await scene();
    const [first] = await Promise.all(Array.from({ length: 120 }, open));
    const ctx = testContext(service, { ...actor, sessionId: first?.sessionId ?? '' }, { clock });
    expect(await listSessions(ctx)).toHaveLength(SESSIONS_SHOWN + 1);
  });

  it('the shell opens none for who was removed, and one for whom it names else', async () => {
    const { account, member, clock } = await scene();
    const shell = testContext(service, { type: 'admin' as const }, { clock });
    const open = (memberId: string) =>
      codeOf(openSessionFor(shell, { accountId: account.id, memberId, userAgent: 'admin' }));
    const gone = await makeMember(service, account.id);
    await service.db.member.update({
      where: { id: gone.id },
      data: { status: 'REMOVED', email: null, personId: null },
    });
    expect([await open(gone.id), await open(member.id)]).toEqual(['not_found', 'done']);
    expect(await service.db.session.count({ where: { memberId: gone.id } })).toBe(0);
  });

  it('keeps of a browser’s name what a list can show, and no more', async () => {
    const { account, member, clock } = await scene();
    const from = { accountId: account.id, memberId: member.id, userAgent: 'x'.repeat(5_000) };
    const { sessionId } = await openSession({ clock, kysely: service.kysely }, from);
    const { userAgent } = await service.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    expect(userAgent).toHaveLength(300);
  });

  it('a revoked session is refused at its next request; another member’s cannot be revoked', async () => {
    const { account, clock, ctx, open, live } = await scene();
    const { sessionId } = await open();
    const neighbour = testContext(service, memberActor(await makeMember(service, account.id)), { clock });
    expect(await codeOf(revokeSession(neighbour, { sessionId }))).toBe('not_found');
    expect(await live(sessionId)).toBe(true);
    await revokeSession(ctx, { sessionId });
    await revokeSession(ctx, { sessionId });
    expect(await live(sessionId)).toBe(false);
    expect(
      await service.db.auditEntry.count({ where: { accountId: account.id, action: 'session.revoked' } }),
    ).toBe(1);
  });

  it('a session, a key and a link that two end in one moment are ended once, by the first: the audit names nobody else', async () => {
    const { account, clock, ctx, member, open } = await scene();
    const colleague = testContext(service, memberActor(await makeMember(service, account.id)), { clock });
    const accountId = account.id;
    const ended = (action: string) =>
      service.db.auditEntry.findMany({ where: { accountId, action }, select: { actor: true } });
    const once = async (action: string, end: (by: typeof ctx) => Promise<void>, other = colleague) => {
      const both = [() => end(ctx), () => end(other)] as const;
      expect(await oneBeforeAnother(service, ...both)).toEqual(['done', 'done']);
      expect(await ended(action)).toEqual([{ actor: `member:${member.id}` }]);
    };
    const { sessionId } = await open();
    // A session is ended by its person alone, in two browsers.
    await once('session.revoked', (by) => revokeSession(by, { sessionId }), ctx);
    const { key } = await makeKey(service, member);
    await once('key.revoked', (by) => revokeKey(by, { accountId, keyId: key.id }));
    const space = await makeSpace(service, accountId);
    const { id: shareId } = await createShare(ctx, {
      target: { kind: 'space', spaceId: space.id },
      days: 7,
    });
    await once('share.withdrawn', (by) => withdrawShare(by, { shareId }));
  });

  it('signing out everywhere ends, when asked, what an intruder left: keys and applications in every account, nobody else’s', async () => {
    const { account, ctx, member, works } = await scene();
    const elsewhere = (await makeAccount(service)).account;
    const twin = await makeMember(service, elsewhere.id);
    await service.db.member.update({ where: { id: twin.id }, data: { personId: member.personId } });
    const neighbour = await makeMember(service, account.id);
    const [mine, other, theirs] = await Promise.all(
      [member, twin, neighbour].map(async (one) => (await makeKey(service, one)).secret),
    );
    await makeTokens(service, member);
    const grants = () => service.db.oAuthGrant.count({ where: { memberId: member.id, revokedAt: null } });
    const keys = () => Promise.all([mine, other, theirs].map((secret) => works(secret ?? '')));
    await revokeAllSessions(ctx);
    expect([await keys(), await grants()]).toEqual([[true, true, true], 1]);
    await revokeAllSessions(ctx, { withCredentials: true });
    expect(await keys()).toEqual([false, false, true]);
    expect(await grants()).toBe(0);
    const told = (accountId: string) =>
      service.db.auditEntry.count({ where: { accountId, action: { in: ['key.revoked', 'oauth.revoked'] } } });
    expect([await told(account.id), await told(elsewhere.id)]).toEqual([2, 1]);
  });

  it('signing out everywhere withdraws, when asked, the links that were left too, in every account, nobody else’s', async () => {
    const { account, clock, ctx, member } = await scene();
    const elsewhere = (await makeAccount(service)).account;
    const twin = await makeMember(service, elsewhere.id);
    await service.db.member.update({ where: { id: twin.id }, data: { personId: member.personId } });
    const neighbour = await makeMember(service, account.id);
    const share = async (by: Parameters<typeof memberActor>[0]) => {
      const { id: spaceId } = await makeSpace(service, by.accountId);
      const as = testContext(service, memberActor(by), { clock });
      return (await createShare(as, { target: { kind: 'space', spaceId }, days: 90 })).token;
    };
    const links = [await share(member), await share(twin), await share(neighbour)];
    const stranger = testContext(service, { type: 'anonymous' as const }, { clock });
    const opens = () =>
      Promise.all(
        links.map((token) =>
          openShare(stranger, { token, network: 'réseau', wants: 'page' }).then(
            () => true,
            () => false,
          ),
        ),
      );
    await revokeAllSessions(ctx);
    expect(await opens()).toEqual([true, true, true]);
    await revokeAllSessions(ctx, { withCredentials: true });
    expect(await opens()).toEqual([false, false, true]);
    const told = (accountId: string) =>
      service.db.auditEntry.count({ where: { accountId, action: 'share.withdrawn' } });
    expect([await told(account.id), await told(elsewhere.id)]).toEqual([1, 1]);
    const again = await share(member);
    expect(await openShare(stranger, { token: again, network: 'réseau', wants: 'page' })).toBeDefined();
  });

  it('signing out everywhere stops, when asked, what is sent to addresses that were subscribed too, in every account, nobody else’s', async () => {
    const { account, clock, ctx, member } = await scene();
    const elsewhere = (await makeAccount(service)).account;
    const twin = await makeMember(service, elsewhere.id);
    await service.db.member.update({ where: { id: twin.id }, data: { personId: member.personId } });
    const neighbour = await makeMember(service, account.id);
    const at = clock.now();
    const subscribe = async ({ id: createdById, accountId }: { id: string; accountId: string }) => {
      const id = createId('webhookEndpoint', at);
      await service.db.webhookEndpoint.create({
        data: {
          id,
          accountId,
          createdById,
          url: 'https://intrus.exemple/evenements',
          events: ['memory.added'],
          secret: Buffer.from('scellé'),
          createdAt: at,
          updatedAt: at,
        },
      });
      await service.db.webhookDelivery.create({
        data: {
          id: createId('webhookDelivery', at),
          accountId,
          endpointId: id,
          type: 'memory.added',
          subjectId: 'mem_x',
          data: {},
          at,
          dueAt: at,
          endsAt: new Date(at.getTime() + DAY_MS),
        },
      });
      return id;
    };
    const ids = [await subscribe(member), await subscribe(twin), await subscribe(neighbour)];
    const sent = () =>
      Promise.all(
        ids.map(async (id) => {
          const { disabledAt } = await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id } });
          const where = { endpointId: id, state: 'PENDING' as const };
          return [disabledAt === null, await service.db.webhookDelivery.count({ where })];
        }),
      );
    const living = [true, 1];
    await revokeAllSessions(ctx);
    expect(await sent()).toEqual([living, living, living]);
    await revokeAllSessions(ctx, { withCredentials: true });
    expect(await sent()).toEqual([[false, 0], [false, 0], living]);
    const told = (accountId: string) =>
      service.db.auditEntry.count({ where: { accountId, action: 'webhook.disabled' } });
    expect([await told(account.id), await told(elsewhere.id)]).toEqual([1, 1]);
  });

  it('signing out everywhere ends every session of the member and of nobody else', async () => {
    const { account, clock, ctx, open, live } = await scene();
    const mine = [await open(), await open()];
    const neighbour = await makeMember(service, account.id);
    const theirs = await openSession(
      { clock, kysely: service.kysely },
      { accountId: account.id, memberId: neighbour.id },
    );
    expect(await revokeAllSessions(ctx)).toBe(2);
    expect(await Promise.all([...mine, theirs].map(({ sessionId }) => live(sessionId)))).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('the cookie is out of reach of scripts and other sites, and bound to the host over https', () => {
    expect(sessionCookie('v', true)).toMatchObject({
      name: '__Host-atelier',
      httpOnly: true,
      sameSite: 'lax',
      secure: true,
      path: '/',
    });
    expect(sessionCookie('v', true)).not.toHaveProperty('domain');
    expect(sessionCookie('v', false)).toMatchObject({ name: 'atelier', httpOnly: true, secure: false });
    expect(sessionCookie('', true).maxAge).toBe(0);
  });

  it('a cookie that was altered, unsigned or signed by another secret names no session', async () => {
    const cookie = await signSessionCookie('ses_1', SECRET);
    expect(await readSessionCookie(cookie, SECRET)).toBe('ses_1');
    const [header, payload, signature] = cookie.split('.') as [string, string, string];
    const forged = Buffer.from(JSON.stringify({ sub: 'ses_2', aud: 'atelier:session' })).toString(
      'base64url',
    );
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const tampered = [
      `${header}.${forged}.${signature}`,
      `${none}.${payload}.`,
      `${header}.${payload}.${signature.slice(0, -2)}AA`,
      'ses_1',
      '',
      await signSessionCookie('ses_1', 'another-secret-0123456789-0123456789'),
    ];
    expect(await Promise.all(tampered.map((value) => readSessionCookie(value, SECRET)))).toEqual(
      tampered.map(() => null),
    );
  });
});

it('a member is told by mail of a key or an application made in their name, and founders of a new one', async () => {
  const { account, clock, ctx, member } = await scene();
  const box: Mail[] = [];
  const post = (mail: Mail) => void box.push(mail);
  const made = await createKey(
    ctx,
    { accountId: account.id, memberId: member.id, name: 'Site', expiresInDays: 30 },
    post,
  );
  // Named before names had to stand on one line.
  await service.db.developerKey.update({ where: { id: made.id }, data: { name: 'Site\nBcc' } });
  await rotateKey(ctx, { accountId: account.id, keyId: made.id, overlapDays: 0 }, post);
  expect(box.map(({ to, subject }) => [to, subject])).toEqual([
    [member.email, 'Nouvelle clé Atelier en votre nom'],
    [member.email, 'Nouvelle clé Atelier en votre nom'],
  ]);
  expect(box[0]?.text).toContain('«\u00a0Site\u00a0»');
  expect(box[1]?.text).toContain('«\u00a0Site Bcc\u00a0»');
  expect(box[0]?.text).not.toContain(made.secret.slice(4));
  const next = await makeMember(service, account.id, { role: 'MEMBER', now: clock.now() });
  const change = { accountId: account.id, memberId: next.id, name: next.name, permissions: [] };
  await updateMember(ctx, { ...change, role: 'FOUNDER' }, post);
  await updateMember(ctx, { ...change, role: 'FOUNDER' }, post);
  expect(new Set(box.slice(2).map(({ to }) => to))).toEqual(new Set([member.email, next.email]));
  expect(box).toHaveLength(4);
});

it('a member is told by mail of the application that they let in, once it acts in their name', async () => {
  const { ctx, member } = await scene();
  const box: Mail[] = [];
  const client = await makeClient(service, { name: 'Assistant\r\nBcc: tous@exemple.test' });
  const { challenge } = pkce();
  const request = { client, redirectUri: REDIRECT, state: null, resource: '/api/v1' as const, challenge };
  const consent = { issuer: ISSUER, request: { ...request, scopes: ['brain:read' as const] } };
  await grantConsent(ctx, consent, (mail) => void box.push(mail));
  expect(box.map(({ to, subject }) => [to, subject])).toEqual([
    [member.email, 'Nouvelle application Atelier en votre nom'],
  ]);
  expect(box[0]?.text).toContain('«\u00a0Assistant Bcc: tous@exemple.test\u00a0»');
  expect(box[0]?.text).toContain('déconnectez-la dans «\u00a0Applications\u00a0»');
});

describe('developer keys', () => {
  it('a member manages their own keys, a founder sees and ends all of the account’s', async () => {
    const { account, clock, ctx, member } = await scene();
    const other = await makeMember(service, account.id, { role: 'MEMBER' });
    const otherCtx = testContext(service, memberActor(other), { clock });
    const { key } = await makeKey(service, member);
    const own = await createKey(otherCtx, {
      accountId: account.id,
      memberId: other.id,
      name: 'Site',
      expiresInDays: 30,
    });
    expect((await listKeys(otherCtx, { accountId: account.id })).map((one) => one.id)).toEqual([own.id]);
    expect(await listKeys(ctx, { accountId: account.id })).toHaveLength(2);
    // Not even its own: a key that leaked tells of no other.
    const byKey = testContext(service, (await makeKey(service, other)).actor, { clock });
    expect(await codeOf(listKeys(byKey, { accountId: account.id }))).toBe('forbidden');
    expect(await codeOf(revokeKey(byKey, { accountId: account.id, keyId: own.id }))).toBe('forbidden');
    expect(await codeOf(revokeKey(otherCtx, { accountId: account.id, keyId: key.id }))).toBe('not_found');
    const forFounder = { accountId: account.id, memberId: member.id, name: 'x', expiresInDays: 30 } as const;
    expect(await codeOf(createKey(otherCtx, forFounder))).toBe('conflict');
    expect(await codeOf(revokeKey(ctx, { accountId: account.id, keyId: own.id }))).toBe('done');
  });

  it('carries the scopes that were ticked and no other; when none was said, those that read the Brain and the projects', async () => {
    const { account, clock, ctx, member } = await scene();
    const input = { accountId: account.id, memberId: member.id, name: 'Site', expiresInDays: 30 } as const;
    const carried = async ({ secret }: { secret: string }) =>
      (await authenticateKey({ kysely: service.kysely, clock }, secret, { isWrite: false }))?.actor.scopes;
    expect(await carried(await createKey(ctx, input))).toEqual(['brain:read', 'projects:read']);
    expect(await carried(await createKey(ctx, { ...input, scopes: ['brain:write'] }))).toEqual([
      'brain:write',
    ]);
    expect(await codeOf(createKey(ctx, { ...input, scopes: [] }))).toBe('invalid_request');
  });

  it('of another member is ended by a founder, who never receives its secret, nor one made in their name', async () => {
    const { account, clock, ctx, works } = await scene();
    const other = await makeMember(service, account.id, { role: 'MEMBER' });
    const { key, secret } = await makeKey(service, other, { now: clock.now() });
    const theirs = { accountId: account.id, memberId: other.id };
    expect(await codeOf(rotateKey(ctx, { ...theirs, keyId: key.id, overlapDays: 0 }))).toBe('conflict');
    expect(await codeOf(createKey(ctx, { ...theirs, name: 'Site', expiresInDays: 30 }))).toBe('conflict');
    expect([await works(secret), await service.db.developerKey.count({ where: theirs })]).toEqual([true, 1]);
    // The victim of the attack loses nothing; the founder's own means still works.
    const own = testContext(service, memberActor(other), { clock });
    const next = await rotateKey(own, { ...theirs, keyId: key.id, overlapDays: 1 });
    expect(await codeOf(revokeKey(ctx, { ...theirs, keyId: next.id }))).toBe('done');
    expect(await works(next.secret)).toBe(false);
  });

  it('that replaces another may do the same, and no more', async () => {
    const { account, member, clock, ctx } = await scene();
    const accountId = account.id;
    const made = await createKey(ctx, {
      accountId,
      memberId: member.id,
      name: 'Site',
      expiresInDays: 30,
      scopes: ['projects:read', 'brain:write', 'projects:read'],
    });
    expect(made.scopes).toEqual(['projects:read', 'brain:write']);
    const next = await rotateKey(ctx, { accountId, keyId: made.id, overlapDays: 1 });
    expect(next).toMatchObject({ name: 'Site', scopes: made.scopes });
    const deps = { kysely: service.kysely, clock };
    const found = await authenticateKey(deps, next.secret, { isWrite: false });
    expect(found?.actor.scopes).toEqual(made.scopes);
  });

  it('keeps its end through rotations: replacing it never makes it live longer, nor a lasting one end', async () => {
    const { account, clock, ctx, member, works } = await scene();
    const end = new Date(clock.now().getTime() + 10 * DAY_MS);
    for (const expiresAt of [end, null]) {
      let { id } = (await makeKey(service, member, { now: clock.now(), expiresAt })).key;
      for (let again = 0; again < 3; again += 1) {
        const next = await rotateKey(ctx, { accountId: account.id, keyId: id, overlapDays: 7 });
        expect(next.expiresAt).toEqual(expiresAt);
        id = next.id;
      }
    }
    const ending = await makeKey(service, member, { now: clock.now(), expiresAt: end });
    const next = await rotateKey(ctx, { accountId: account.id, keyId: ending.key.id, overlapDays: 1 });
    clock.advance(10 * DAY_MS);
    expect(await works(next.secret)).toBe(false);
  });

  it('lives thirty, ninety or three hundred and sixty-five days, to the millisecond, or without end', async () => {
    for (const expiresInDays of [30, 90, 365, null] as const) {
      const { account, clock, ctx, member, works } = await scene();
      const { secret } = await createKey(ctx, {
        accountId: account.id,
        memberId: member.id,
        name: 'Site',
        expiresInDays,
      });
      clock.advance((expiresInDays ?? 3_650) * DAY_MS - 1);
      expect(await works(secret)).toBe(true);
      clock.advance(1);
      expect(await works(secret)).toBe(expiresInDays === null);
    }
    const { account, ctx, member } = await scene();
    for (const days of [0, 29, 31, 366]) {
      const input = { accountId: account.id, memberId: member.id, name: 'Site' };
      expect(await codeOf(createKey(ctx, { ...input, expiresInDays: days as 30 }))).toBe('invalid_request');
    }
  });

  it('after a rotation both keys work until the chosen day, then the new one alone', async () => {
    const { account, clock, ctx, member, works } = await scene();
    const old = await makeKey(service, member, { now: clock.now() });
    const input = { accountId: account.id, keyId: old.key.id, overlapDays: 3 };
    const next = await rotateKey(ctx, input);
    expect(next).toMatchObject({ name: old.key.name, scopes: old.key.scopes });
    expect([await works(old.secret), await works(next.secret)]).toEqual([true, true]);
    clock.advance(3 * DAY_MS);
    expect([await works(old.secret), await works(next.secret)]).toEqual([false, true]);
    expect(await codeOf(rotateKey(ctx, input))).toBe('conflict');
  });

  it('an overlap never lengthens the old key’s life, and none ends it at once', async () => {
    const { account, clock, ctx, member, works } = await scene();
    const soon = new Date(clock.now().getTime() + DAY_MS);
    const ending = await makeKey(service, member, { now: clock.now(), expiresAt: soon });
    const base = { accountId: account.id };
    const next = await rotateKey(ctx, { ...base, keyId: ending.key.id, overlapDays: 7 });
    expect(next.previousEndsAt).toEqual(soon);
    const leaked = await makeKey(service, member, { now: clock.now() });
    await rotateKey(ctx, { ...base, keyId: leaked.key.id, overlapDays: 0 });
    expect(await works(leaked.secret)).toBe(false);
  });

  it('ten rotations of one key at once make one successor', async () => {
    const { account, ctx, member } = await scene();
    const old = await makeKey(service, member);
    const input = { accountId: account.id, keyId: old.key.id, overlapDays: 1 };
    const codes = await Promise.all(Array.from({ length: 10 }, () => codeOf(rotateKey(ctx, input))));
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(await service.db.developerKey.count({ where: { accountId: account.id } })).toBe(2);
  });

  it('a revoked or foreign key cannot be rotated, nor with an overlap of more than seven days', async () => {
    const { account, ctx, member } = await scene();
    const stranger = await scene();
    const foreign = await makeKey(service, stranger.member);
    const dead = await makeKey(service, member, { revokedAt: new Date() });
    const living = await makeKey(service, member);
    const rotate = (keyId: string, overlapDays: number) =>
      codeOf(rotateKey(ctx, { accountId: account.id, keyId, overlapDays }));
    expect(await rotate(foreign.key.id, 1)).toBe('not_found');
    expect(await rotate(dead.key.id, 1)).toBe('conflict');
    expect(await rotate(living.key.id, 8)).toBe('invalid_request');
  });
});
