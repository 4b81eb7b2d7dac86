import { describe, expect, it, test } from 'vitest';
import { eraseNow } from '#lib/brain/bin/erase.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import { transaction } from '#lib/db/transaction.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { setKeyCap } from '#lib/identity/keys/set-key-cap.ts';
import { eraseMember } from '#lib/identity/members/erase-member.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { resendInvitation } from '#lib/identity/members/resend-invitation.ts';
import { reactivateMember, updateMember } from '#lib/identity/members/update-member.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { newBrowserToken } from '#lib/identity/sign-in/browser.ts';
import { markVerified } from '#lib/identity/verification/mark-verified.ts';
import { sendVerificationCode, verifyByCode } from '#lib/identity/verification/verify-by-code.ts';
import { giveToAccount } from '#lib/ledger/budget/give-to-account.ts';
import { setCeiling } from '#lib/ledger/budget/set-ceiling.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { grantConsent } from '#lib/oauth/grant-consent.ts';
import type { OAuthScope } from '#lib/oauth/protocol/config.ts';
import { eraseBinned } from '#lib/storage/bin/erase-binned.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import type { WebhookPorts } from '#lib/webhooks/context.ts';
import { changeEndpointEvents, deleteEndpoint } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { createEndpoint } from '#lib/webhooks/endpoints/create-endpoint.ts';
import { rotateSecret } from '#lib/webhooks/endpoints/rotate-secret.ts';
import { sealer } from '#lib/webhooks/secrets.ts';
import { makeAccount, makeKey, makeMember, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { ISSUER, makeClient, pkce, REDIRECT } from '#tests/factories/oauth.ts';
import { untilBlocked } from '#tests/factories/statements/until-blocked.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const secret = 'session-secret-of-the-tests-0123456789';
let networks = 0;

/** The founder of the operator's account, signed in at ten o'clock, and a colleague with caps and no right. */
async function scene() {
  const clock = manualClock('2026-11-22T10:00:00Z');
  const { account, member } = await makeAccount(service, { now: clock.now(), operator: true });
  const colleague = await makeMember(service, account.id, { role: 'MEMBER', now: clock.now() });
  const { sessionId } = await openSession({ clock, kysely: service.kysely }, owner(account.id, member.id));
  /** As the next request finds the session. */
  const appear = async (): Promise<Context<MemberActor>> => {
    const found = await authenticateSession({ kysely: service.kysely, clock }, sessionId);
    if (!found) throw new Error('the session has ended');
    return testContext(service, found.actor, { clock });
  };
  const first = await appear();
  await setCaps(first, { memberId: colleague.id, perGenerationCapMicros: 10n, monthlyCapMicros: 100n });
  await setCeiling(first, { accountId: account.id, monthlyCeilingMicros: 1_000n });
  const { key } = await makeKey(service, member, { now: clock.now() });
  const capped = await createKey(first, {
    ...owner(account.id, member.id),
    name: 'Programme du studio',
    scopes: ['studio:generate'],
    expiresInDays: 30,
    monthlyCapMicros: 10n,
  });
  const deletionId = await binned(account.id, clock.now());
  const posted: Mail[] = [];
  const deps = { secret, post: (mail: Mail) => posted.push(mail) };
  networks += 1;
  const browser = newBrowserToken();
  const from = { network: `203.0.113.${networks}`, browser };
  const verify = async (over: { code?: string; wrong?: true; browser?: string } = {}) => {
    // Codes of one instant have no order: the newest is the one that opens.
    clock.advance(1_000);
    await sendVerificationCode(await appear(), from, deps);
    const sent = /\b\d{6}\b/.exec(posted.at(-1)?.text ?? '')?.[0] ?? '';
    const other = sent === '000000' ? '111111' : '000000';
    const code = over.wrong ? other : (over.code ?? sent);
    await verifyByCode(await appear(), { ...from, userAgent: 'test', ...over, code }, deps);
  };
  const audits = () => service.db.auditEntry.count({ where: { accountId: account.id } });
  return {
    clock,
    account,
    member,
    colleague,
    key,
    capped,
    deletionId,
    appear,
    verify,
    posted,
    audits,
    sessionId,
  };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const owner = (accountId: string, memberId: string) => ({ accountId, memberId });

async function binned(accountId: string, at: Date): Promise<string> {
  const space = await makeSpace(service, accountId, { now: at });
  const deletionId = createId('deletion', at);
  await service.db.memory.create({
    data: {
      id: createId('memory', at),
      accountId,
      spaceId: space.id,
      role: 'KNOWLEDGE',
      kind: 'NOTE',
      title: 'Secret',
      body: 'Collé par erreur',
      source: 'MANUAL',
      cu: 1,
      createdAt: at,
      updatedAt: at,
      deletedAt: at,
      deletionId,
    },
  });
  return deletionId;
}

const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
  );

const newKey = { name: 'Programme', expiresInDays: 30 } as const;

const ADDRESS = 'https://a.boutique.fr/evenements';
const webhooks: WebhookPorts = {
  post: async () => ({ status: 200 }),
  checkAddress: async () => undefined,
  sealer: sealer(['a key of the test, long enough to be one']),
  chance: () => 0,
  mail: async () => undefined,
};

/** An address for events of this member, made before their session was stolen. */
async function endpointOf(accountId: string, createdById: string, at: Date): Promise<string> {
  const id = createId('webhookEndpoint', at);
  await service.db.webhookEndpoint.create({
    data: {
      id,
      accountId,
      createdById,
      url: ADDRESS,
      events: ['memory.added'],
      secret: webhooks.sealer.seal('whsec_former', id),
      createdAt: at,
      updatedAt: at,
    },
  });
  return id;
}

/** What a stolen session must not do, and what it answers once it was proved who is there. */
const GRAVE: Record<string, (ctx: Context<MemberActor>, at: Scene) => Promise<unknown>> = {
  'creating a key': (ctx, { account, member }) =>
    createKey(ctx, { ...owner(account.id, member.id), ...newKey }),
  'replacing a key': (ctx, { account, key }) =>
    rotateKey(ctx, { accountId: account.id, keyId: key.id, overlapDays: 0 }),
  'raising a key’s cap': (ctx, { account, capped }) =>
    setKeyCap(ctx, { accountId: account.id, keyId: capped.id, monthlyCapMicros: 11n }),
  'changing rights': (ctx, { account, colleague }) =>
    updateMember(ctx, {
      ...owner(account.id, colleague.id),
      name: colleague.name,
      role: 'MEMBER',
      permissions: ['generate'],
    }),
  'inviting a founder': (ctx, { account }) =>
    inviteMember(ctx, {
      accountId: account.id,
      email: `${createId('member')}@exemple.test`,
      name: 'Agnès Roy',
      role: 'FOUNDER',
      permissions: [],
    }),
  'sending a founder’s invitation again': async (ctx, { account }) => {
    const { id } = await makeMember(service, account.id);
    await service.db.member.update({ where: { id }, data: { status: 'INVITED', personId: null } });
    await resendInvitation(ctx, owner(account.id, id));
  },
  'letting a suspended founder back in': async (ctx, { account }) => {
    const { id } = await makeMember(service, account.id);
    await service.db.member.update({ where: { id }, data: { status: 'SUSPENDED' } });
    await reactivateMember(ctx, owner(account.id, id));
  },
  'giving a member credit': (ctx, { colleague }) =>
    grantCredit(ctx, { memberId: colleague.id, amountMicros: 1_000_000n }),
  'giving an account credit': (ctx, { account }) =>
    giveToAccount(ctx, { accountId: account.id, amountMicros: 1_000_000n }),
  'raising a member’s cap': (ctx, { colleague }) =>
    setCaps(ctx, { memberId: colleague.id, perGenerationCapMicros: 11n, monthlyCapMicros: 100n }),
  'taking a member’s cap away': (ctx, { colleague }) =>
    setCaps(ctx, { memberId: colleague.id, perGenerationCapMicros: 10n, monthlyCapMicros: null }),
  'raising an account’s ceiling': (ctx, { account }) =>
    setCeiling(ctx, { accountId: account.id, monthlyCeilingMicros: 1_001n }),
  'letting an application write': async (ctx) =>
    grantConsent(ctx, { issuer: ISSUER, request: await request(['brain:read', 'brain:write']) }),
  'letting an application propose': async (ctx) =>
    grantConsent(ctx, { issuer: ISSUER, request: await request(['brain:read', 'brain:propose']) }),
  'letting an application spend': async (ctx) =>
    grantConsent(ctx, { issuer: ISSUER, request: await request(['studio:read', 'studio:generate']) }),
  'erasing for good': (ctx, { deletionId }) => eraseNow(ctx, { deletionId }),
  'erasing a member': (ctx, { account, colleague }) => eraseMember(ctx, owner(account.id, colleague.id)),
  'making an address for events': (ctx) =>
    createEndpoint({ ...ctx, webhooks }, { url: ADDRESS, events: ['memory.added'] }),
  'replacing the secret of such an address': async (ctx, { account, member }) => {
    const endpointId = await endpointOf(account.id, member.id, ctx.clock.now());
    await rotateSecret({ ...ctx, webhooks }, { endpointId, overlapHours: 0 });
  },
};

async function request(scopes: OAuthScope[]) {
  const client = await makeClient(service);
  const { challenge } = pkce();
  return { client, redirectUri: REDIRECT, state: null, scopes, resource: '/api/v1' as const, challenge };
}

describe('what asks for a proof of the last ten minutes', () => {
  test.each(Object.entries(GRAVE))(
    '%s: refused and not done, then done once it was proved who is there',
    async (_, act) => {
      const at = await scene();
      at.clock.advance(10 * 60_000 + 1_000);
      const before = await at.audits();
      expect(await codeOf(act(await at.appear(), at))).toBe('verification_required');
      expect(await at.audits()).toBe(before);
      await at.verify();
      expect(await codeOf(act(await at.appear(), at))).toBe('done');
      expect(await at.audits()).toBe(before + 2);
    },
  );

  it.each<[string, (ctx: FilesContext<MemberActor>) => Promise<unknown>]>([
    ['a purge', (ctx) => purgeProductBlobs(ctx, 'ancien')],
    ['erasing a file of the bin', (ctx) => eraseBinned(ctx, { kind: 'upload', id: createId('upload') })],
  ])('%s asks before it looks for anything', async (_, act) => {
    const at = await scene();
    at.clock.advance(10 * 60_000 + 1_000);
    const files = { store: null, storeToken: null, storeApiUrl: null };
    const answer = async () => codeOf(act({ ...(await at.appear()), files }));
    expect(await answer()).toBe('verification_required');
    await at.verify();
    expect(await answer()).toBe('not_configured');
  });

  it('closing an account asks for one too, of its founder as of the operator’s; opening it again does not', async () => {
    const at = await scene();
    at.clock.advance(10 * 60_000 + 1_000);
    const tenant = await makeAccount(service, { now: at.clock.now() });
    const { id: accountId, name } = tenant.account;
    const verifiedAt = new Date(at.clock.now().getTime() - 10 * 60_000 - 1);
    const founder = testContext(service, { ...tenant.actor, verifiedAt }, { clock: at.clock });
    const closedAt = async () =>
      (await service.db.account.findUniqueOrThrow({ where: { id: accountId } })).closedAt;
    for (const ctx of [founder, await at.appear()])
      expect(await codeOf(closeAccount(ctx, { accountId, name }))).toBe('verification_required');
    expect(await closedAt()).toBeNull();
    await at.verify();
    expect(await codeOf(closeAccount(await at.appear(), { accountId, name }))).toBe('done');
    expect(await closedAt()).not.toBeNull();
    expect(await codeOf(reopenAccount(founder, { accountId }))).toBe('done');
    expect(await closedAt()).toBeNull();
  });

  it('a sign-in is such a proof for exactly ten minutes', async () => {
    const at = await scene();
    at.clock.advance(10 * 60_000);
    const create = async () =>
      codeOf(createKey(await at.appear(), { ...owner(at.account.id, at.member.id), ...newKey }));
    expect(await create()).toBe('done');
    at.clock.advance(1);
    expect(await create()).toBe('verification_required');
  });

  it('what takes nothing more asks for nothing: lowering, renaming, inviting a member, letting read', async () => {
    const at = await scene();
    at.clock.advance(3_600_000);
    const ctx = await at.appear();
    const { account, colleague } = at;
    await setCaps(ctx, { memberId: colleague.id, perGenerationCapMicros: 9n, monthlyCapMicros: 100n });
    await setCeiling(ctx, { accountId: account.id, monthlyCeilingMicros: 999n });
    const same = { role: 'MEMBER' as const, permissions: [] };
    await updateMember(ctx, { ...owner(account.id, colleague.id), name: 'Camille Roy', ...same });
    await inviteMember(ctx, {
      accountId: account.id,
      email: `${createId('member')}@exemple.test`,
      name: 'Paul Roy',
      ...same,
    });
    await grantConsent(ctx, { issuer: ISSUER, request: await request(['brain:read']) });
    const endpointId = await endpointOf(account.id, at.member.id, at.clock.now());
    await changeEndpointEvents({ ...ctx, webhooks }, { endpointId, events: ['memory.changed'] });
    await deleteEndpoint({ ...ctx, webhooks }, { endpointId });
  });

  it.each<[string, string, (ctx: Context<MemberActor>, at: Scene) => Promise<unknown>]>([
    [
      'cap',
      'update "Wallet" set "monthlyCapMicros" = 50 where "memberId" = $1',
      (ctx, { colleague }) => setCaps(ctx, { memberId: colleague.id, monthlyCapMicros: 99n }),
    ],
    [
      'ceiling',
      'update "Budget" set "monthlyCeilingMicros" = 50 where "accountId" = (select "accountId" from "Member" where "id" = $1)',
      (ctx, { account }) => setCeiling(ctx, { accountId: account.id, monthlyCeilingMicros: 99n }),
    ],
  ])(
    'a %s that another founder has just lowered further is raised by proof alone',
    async (_, lower, change) => {
      const at = await scene();
      at.clock.advance(3_600_000);
      const ctx = await at.appear();
      const gate = await service.pool.connect();
      await gate.query('begin');
      await gate.query(lower, [at.colleague.id]);
      const answer = codeOf(change(ctx, at));
      await untilBlocked(service);
      await gate.query('commit');
      gate.release();
      expect(await answer).toBe('verification_required');
    },
  );

  it('the shell and a key are not asked', async () => {
    const at = await scene();
    at.clock.advance(3_600_000);
    const shell = testContext(service, { type: 'admin' as const }, { clock: at.clock });
    await expect(
      createKey(shell, { ...owner(at.account.id, at.member.id), ...newKey }),
    ).resolves.toBeDefined();
    await grantCredit(shell, { memberId: at.colleague.id, amountMicros: 1n });
  });
});

describe('the mailed code', () => {
  it('says what it is for, proves in the browser that asked alone, and once', async () => {
    const at = await scene();
    at.clock.advance(3_600_000);
    expect(await codeOf(at.verify({ browser: newBrowserToken() }))).toBe('unauthenticated');
    expect((await at.appear()).actor.verifiedAt).toEqual(new Date('2026-11-22T10:00:00Z'));
    await at.verify();
    expect(at.posted.at(-2)?.subject).toMatch(/code de confirmation à Atelier$/);
    // A browser that was not known proved it: its owner is told.
    expect(at.posted.at(-1)?.subject).toBe('Nouvelle connexion à Atelier');
    expect((await at.appear()).actor.verifiedAt).toEqual(at.clock.now());
    const used = /\b\d{6}\b/.exec(at.posted.at(-2)?.text ?? '')?.[0] as string;
    const { network } = { network: '203.0.113.250' };
    const again = verifyByCode(
      await at.appear(),
      { code: used, network, browser: null, userAgent: '' },
      { secret, post: () => undefined },
    );
    expect(await codeOf(again)).toBe('unauthenticated');
  });

  it('a wrong code proves nothing, and a session that was ended neither asks nor proves', async () => {
    const at = await scene();
    at.clock.advance(3_600_000);
    const stale = await at.appear();
    expect(await codeOf(at.verify({ code: '12345' }))).toBe('invalid_request');
    const before = stale.actor.verifiedAt;
    await expect(at.verify({ wrong: true })).rejects.toMatchObject({ code: 'unauthenticated' });
    expect((await at.appear()).actor.verifiedAt).toEqual(before);
    const deps = { secret, post: () => undefined };
    const end = (data: { expiresAt?: Date; revokedAt?: Date }) =>
      service.db.session.update({ where: { id: at.sessionId }, data });
    const { expiresAt } = await end({});
    for (const ended of [{ expiresAt: at.clock.now() }, { expiresAt, revokedAt: at.clock.now() }]) {
      await end(ended);
      const asked = sendVerificationCode(stale, { network: 'x', browser: newBrowserToken() }, deps);
      expect(await codeOf(asked)).toBe('unauthenticated');
    }
    // Nor one that ends while its code is being looked at.
    const audits = await at.audits();
    expect(await codeOf(transaction(stale, (tx) => markVerified(tx, stale, 'code')))).toBe('unauthenticated');
    expect(await at.audits()).toBe(audits);
    expect(await service.db.session.findUnique({ where: { id: at.sessionId } })).toMatchObject({
      verifiedAt: before,
    });
  });

  it('is told in the audit of the account', async () => {
    const at = await scene();
    await at.verify();
    const entry = await service.db.auditEntry.findFirst({
      where: { accountId: at.account.id, action: 'session.verified' },
    });
    expect(entry).toMatchObject({ subjectId: at.sessionId, data: { by: 'code' } });
  });
});
