import { beforeAll, describe, expect, it } from 'vitest';
import { actionWords, auditActor } from '#app/_cockpit/audit-words.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import type { MemberActor } from '#lib/core/actor.ts';
import { type AuditEvent, recordAudits } from '#lib/core/audit.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { auditNames } from '#lib/identity/audit/audit-names.ts';
import { exportAudit } from '#lib/identity/audit/export-audit.ts';
import { countAudit, readAudit } from '#lib/identity/audit/read-audit.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { endOwnSession } from '#lib/identity/sessions/revoke-session.ts';
import { createShare } from '#lib/storage/shares/create-share.ts';
import { readTrail } from '#lib/studio/journal/read-trail.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { addAsset, addGeneration, filesScene } from '#tests/factories/files/files.ts';
import { makeClient, makeTokens } from '#tests/factories/oauth.ts';
import { explainedQueries } from '#tests/factories/statements/explained-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const clock = manualClock('2026-11-01T00:00:00Z');
let founder: MemberActor;
let member: MemberActor;
let stranger: MemberActor;
let keyId: string;

beforeAll(async () => {
  const own = await makeAccount(service, { name: 'A' });
  const row = await makeMember(service, own.account.id, { role: 'MEMBER', name: 'Sam "le chef"; =1+1' });
  const { actor: keyActor, key } = await makeKey(service, row);
  const other = await makeAccount(service, { name: 'B' });
  [founder, member, stranger, keyId] = [own.actor, memberActor(row), other.actor, key.id];
  for (let n = 0; n < 1203; n += 1) {
    // Several entries share an instant, as those of one request do.
    if (n % 3 === 0) clock.advance(60_000);
    const actor = n % 2 === 0 ? founder : n % 5 === 0 ? keyActor : member;
    await recordAudits(service.kysely, testContext(service, actor, { clock }), [
      n % 10 === 0
        ? keyCreated(own.account.id, row.id)
        : {
            action: 'memory.updated',
            accountId: own.account.id,
            subject: { type: 'memory', id: row.id },
            data: { spaceId: '=HYPERLINK("x")', version: n, cu: 1 },
          },
    ]);
  }
  await recordAudits(service.kysely, testContext(service, stranger, { clock }), [
    keyCreated(other.account.id, 'key_x'),
  ]);
});

function keyCreated(accountId: string, id: string): AuditEvent {
  const data = { name: '=HYPERLINK("x")', scopes: [], expiresAt: null, memberId: 'mbr_x' };
  return { action: 'key.created', accountId, subject: { type: 'developerKey', id }, data };
}

const ctxOf = (actor: MemberActor) => testContext(service, actor, { clock });

async function everything(filters: Partial<Parameters<typeof readAudit>[1]> = {}) {
  const all = [];
  for (let cursor: string | undefined; ; ) {
    const page = await readAudit(ctxOf(founder), { limit: 50, ...filters, cursor });
    all.push(...page.entries);
    if (!page.nextCursor) return all;
    cursor = page.nextCursor;
  }
}

describe('reading the audit', () => {
  it('pages show every entry once, newest first, though instants are shared and entries are added meanwhile', async () => {
    const first = await readAudit(ctxOf(founder), { limit: 50 });
    clock.advance(1);
    await recordAudits(service.kysely, ctxOf(founder), [
      { action: 'space.archived', accountId: founder.accountId, subject: { type: 'space', id: 'spc_x' } },
    ]);
    const rest = await everything({ cursor: undefined });
    expect(new Set(rest.map((entry) => entry.id)).size).toBe(rest.length);
    expect(rest.length).toBe(1204);
    expect(rest.slice(1, 51).map((entry) => entry.id)).toEqual(first.entries.map((entry) => entry.id));
    const order = rest.map((entry) => `${entry.at.toISOString()} ${entry.id}`);
    expect(order).toEqual([...order].sort().reverse());
  });

  it('filters by family, by member (their keys included) and by period, and counts what they keep', async () => {
    expect(await everything({ families: ['key'] })).toHaveLength(121);
    // A page that ends with the last of them names no other.
    const whole = { limit: 121, families: ['key'] };
    expect((await readAudit(ctxOf(founder), whole)).nextCursor).toBeNull();
    expect((await readAudit(ctxOf(founder), { ...whole, limit: 120 })).nextCursor).not.toBeNull();
    const theirs = await everything({ memberId: member.memberId });
    expect(new Set(theirs.map((entry) => entry.actor))).toEqual(
      new Set([`member:${member.memberId}`, `key:${keyId}`]),
    );
    const period = { from: new Date('2026-11-01T01:00:00Z'), to: new Date('2026-11-01T02:00:00Z') };
    const within = await everything(period);
    expect(within).not.toEqual([]);
    expect(within.every((entry) => entry.at >= period.from && entry.at < period.to)).toBe(true);
    expect(await countAudit(ctxOf(founder), period)).toBe(within.length);
  });

  it('of a member holds what an application did in their name, and nothing of a colleague’s connection to it', async () => {
    const { account, member: one, actor } = await makeAccount(service, { now: clock.now() });
    const colleague = await makeMember(service, account.id);
    const client = await makeClient(service);
    const acted = async (row: typeof one) => {
      await makeTokens(service, row, { client });
      const { id: grantId, clientId } = await service.db.oAuthGrant.findFirstOrThrow({
        where: { memberId: row.id },
      });
      const by = { ...memberActor(row), type: 'oauth' as const, grantId, clientId, scopes: [] };
      const { sessionId: _, operator: __, verifiedAt: ___, ...application } = by;
      await recordAudits(service.kysely, testContext(service, application, { clock }), [
        keyCreated(account.id, `key_of_${row.id}`),
      ]);
      return `oauth:${grantId}`;
    };
    const [own] = [await acted(one), await acted(colleague)];
    const { entries } = await readAudit(ctxOf(actor), {
      limit: 10,
      memberId: one.id,
      families: ['key'],
    });
    expect(entries.map(({ actor: by, actorName }) => [by, actorName])).toEqual([[own, client.name]]);
  });

  it('of one family reads its own entries, newest first, and not the trail between them', async () => {
    const { kysely, plans } = explainedQueries(service, {
      of: ({ text }) => text.includes('"traceId"') && text.includes('from "AuditEntry"'),
      off: ['enable_seqscan', 'enable_bitmapscan'],
    });
    await service.pool.query('ANALYZE "AuditEntry"');
    const ctx = { ...ctxOf(founder), kysely };
    const first = await readAudit(ctx, { limit: 20, families: ['key', 'none'] });
    const second = await readAudit(ctx, { limit: 20, families: ['key'], cursor: first.nextCursor ?? '' });
    const all = await everything({ families: ['key'] });
    expect([...first.entries, ...second.entries]).toEqual(all.slice(0, 40));
    expect(plans).toHaveLength(2);
    for (const plan of plans) {
      expect(plan).toContain('AuditEntry_accountId_action_at_id_idx');
      expect(plan).not.toContain('Rows Removed by Filter');
    }
  });

  it('tells all that happened to one thing, another account’s of the same name excepted, and names avatars and concepts', async () => {
    const { accountId, memberId } = founder;
    const id = 'cpt_0123456789abcdefghjkmnpqrs';
    await service.db.concept.create({
      data: {
        id,
        accountId,
        memberId,
        productId: 'libre',
        name: 'Nuit claire',
        createdAt: clock.now(),
        updatedAt: clock.now(),
      },
    });
    const about = { action: 'concept.deleted', subject: { type: 'concept', id } } as const;
    await recordAudits(service.kysely, ctxOf(founder), [{ ...about, accountId }]);
    const other = await makeAccount(service, { name: 'C' });
    await recordAudits(service.kysely, ctxOf(other.actor), [{ ...about, accountId: other.account.id }]);
    const found = await everything({ subjectId: id });
    expect(found.map(({ action, subjectName }) => [action, subjectName])).toEqual([
      ['concept.deleted', 'Nuit claire'],
    ]);
    expect(await countAudit(ctxOf(founder), { subjectId: id })).toBe(1);
    const theirs = await readAudit(ctxOf(other.actor), { limit: 5, subjectId: id });
    expect(theirs.entries.map(({ subjectName }) => subjectName)).toEqual([null]);
  });

  it('says of a generation what was asked and of a file which it is, to nobody else', async () => {
    const scene = await filesScene(service);
    const { id: assetId, generationId } = await addAsset(scene);
    const bare = await addGeneration(scene, { kind: 'VOICE' });
    const rewrite = (id: string | null, params: object) =>
      service.pool.query('UPDATE "Generation" SET "params" = $2 WHERE "id" = $1', [
        id,
        JSON.stringify(params),
      ]);
    await rewrite(generationId, { brief: 'Bougie ambrée,\n  au matin' });
    await rewrite(bare, {});
    const told = [assetId, generationId, bare].map((subjectId) => ({ actor: 'admin', subjectId }));
    expect(await auditNames(scene.ctx, told)).toEqual(
      new Map([
        [generationId, 'Image\u00a0: Bougie ambrée, au matin'],
        [assetId, 'Bougie ambrée, au matin'],
        [bare, 'Voix'],
      ]),
    );
    expect(await auditNames(ctxOf(stranger), told)).toEqual(new Map());
  });

  it('names what a link shows, what was proposed, kept and learnt, and what a Memory was put under, to nobody else', async () => {
    const scene = await filesScene(service);
    const { ctx, owner } = scene;
    const { accountId } = owner;
    const space = await makeSpace(service, accountId, { name: 'Maison Suivie' });
    const { id: assetId, generationId } = await addAsset(scene);
    await service.pool.query('UPDATE "Generation" SET "params" = $2 WHERE "id" = $1', [
      generationId,
      JSON.stringify({ brief: 'Bougie ambrée' }),
    ]);
    const ofSpace = await createShare(ctx, { target: { kind: 'space', spaceId: space.id }, days: 7 });
    const ofFile = await createShare(ctx, { target: { kind: 'file', assetId }, days: 7 });
    const at = ctx.clock.now();
    const [lessonId, rushId, proposalId] = [createId('lesson'), createId('rush'), createId('proposal')];
    const made = { ...owner, productId: 'libre', createdAt: at };
    await service.db.lesson.create({ data: { ...made, id: lessonId, assetId, text: 'Moins de fumée' } });
    await service.db.captureRush.create({
      data: { ...made, id: rushId, title: 'Atelier', pathname: 'p.mp4', contentType: 'video/mp4', bytes: 1n },
    });
    await service.db.memoryProposal.create({
      data: {
        ...owner,
        id: proposalId,
        spaceId: space.id,
        role: 'ITEMS',
        title: 'Gamme d’hiver',
        body: 'Corps.',
        proposer: 'key:key_x',
        fingerprint: Buffer.from(proposalId),
        createdAt: at,
        expiresAt: at,
      },
    });
    const row = await service.db.member.findUniqueOrThrow({ where: { id: owner.memberId } });
    await makeTokens(service, row);
    const grant = await service.db.oAuthGrant.findFirstOrThrow({ where: { memberId: row.id } });
    const subjects = [ofSpace.id, ofFile.id, lessonId, rushId, proposalId, grant.id];
    const told = subjects.map((subjectId) => ({ actor: 'admin', subjectId }));
    expect(await auditNames(ctx, told)).toEqual(
      new Map([
        [ofSpace.id, 'Maison Suivie'],
        [ofFile.id, 'Bougie ambrée'],
        [lessonId, 'Moins de fumée'],
        [rushId, 'Atelier'],
        [proposalId, 'Gamme d’hiver'],
        [grant.id, 'Assistant de test'],
      ]),
    );
    const other = ctxOf((await makeAccount(service, { name: 'D' })).actor);
    expect(await auditNames(other, told)).toEqual(new Map());

    const add = async (title: string) => {
      const text = { pillar: 'ITEMS', title, body: 'Corps.', source: 'MANUAL' } as const;
      const where = { spaceId: space.id, parentId: null, idempotencyKey: null };
      return (await addMemory(ctx, { ...text, ...where })).memory.id;
    };
    const [under, moved] = [await add('Gamme'), await add('Bougie')];
    const move = (account: string): AuditEvent => ({
      action: 'memory.moved',
      accountId: account,
      subject: { type: 'memory', id: moved },
      data: {
        spaceId: space.id,
        from: { pillar: 'ITEMS', parentId: null },
        to: { pillar: 'ITEMS', parentId: under },
      },
    });
    await recordAudits(service.kysely, ctx, [move(accountId)]);
    await recordAudits(service.kysely, other, [move(other.actor.accountId)]);
    const read = async (as: Parameters<typeof readAudit>[0]) => {
      const { entries } = await readAudit(as, { limit: 5, subjectId: moved });
      return entries.find(({ action }) => action === 'memory.moved');
    };
    expect(await read(ctx)).toMatchObject({ subjectName: 'Bougie', parentTitles: { [under]: 'Gamme' } });
    expect(await read(other)).not.toHaveProperty('parentTitles');
  });

  it('tells names of members and keys of the account', async () => {
    const { entries } = await readAudit(ctxOf(founder), { limit: 50, memberId: member.memberId });
    expect(entries[0]).toMatchObject({ subjectName: 'Sam "le chef"; =1+1' });
    expect(new Set(entries.map((entry) => entry.actorName))).toEqual(
      new Set(['Sam "le chef"; =1+1', 'Clé de test']),
    );
  });

  it('names the operator for what its founders do to an account that is not theirs, whatever they do', async () => {
    const operator = await makeAccount(service, { name: 'Exploitant', operator: true });
    const tenant = await makeAccount(service, { name: 'Locataire' });
    const { id: accountId, name } = tenant.account;
    const own = ctxOf(tenant.actor);
    await closeAccount(ctxOf(operator.actor), { accountId, name });
    await reopenAccount(ctxOf(operator.actor), { accountId });
    await closeAccount({ ...own, actor: { type: 'admin' } }, { accountId, name });
    await reopenAccount(own, { accountId });
    await recordAudits(service.kysely, ctxOf(operator.actor), [
      {
        action: 'generation.rest_settled',
        accountId,
        subject: { type: 'generation', id: 'gen_x' },
        data: { debitedUsd: 1 },
      },
    ]);
    const { entries } = await readAudit(own, { limit: 5 });
    expect(new Set(entries.map((entry) => `${auditActor(entry)} ${actionWords(entry)}`))).toEqual(
      new Set([
        'L’exploitant a fermé le compte',
        'L’exploitant a rouvert le compte',
        'L’administration a fermé le compte',
        'Locataire a rouvert le compte',
        'L’exploitant a débité le reste d’un coût',
      ]),
    );
    const trail = await readTrail(own, { generationId: 'gen_x', memberId: tenant.member.id, assetIds: [] });
    expect(trail.audit?.map(({ actorName }) => actorName)).toEqual([null]);
  });

  it('beside a generation is its latest two hundred entries and those of its files, oldest first, and says that there are older ones', async () => {
    const { account, member: row, actor } = await makeAccount(service);
    const accountId = account.id;
    const generationId = createId('generation');
    const assetId = createId('asset');
    const read = () => readTrail(ctxOf(actor), { generationId, memberId: row.id, assetIds: [assetId] });
    const write = async (n: number) => {
      const subject =
        n % 2 ? { type: 'asset' as const, id: assetId } : { type: 'generation' as const, id: generationId };
      const event = {
        action: 'generation.files_expired' as const,
        accountId,
        subject,
        data: { folder: `${n}` },
      };
      const at = new Date(clock.now().getTime() + n);
      await recordAudits(service.kysely, testContext(service, actor, { clock: { now: () => at } }), [event]);
    };
    const seen = async () => {
      const { audit, isCut } = await read();
      return [audit?.length, audit?.at(0)?.data.folder, audit?.at(-1)?.data.folder, isCut];
    };
    for (let n = 0; n < 200; n++) await write(n);
    expect(await seen()).toEqual([200, '0', '199', false]);
    // A colleague reads neither; whose wallet it is reads what it cost, and a founder both.
    const plain = await makeMember(service, accountId, { role: 'MEMBER', permissions: ['generate'] });
    const input = { generationId, memberId: row.id, assetIds: [assetId] };
    const colleague = ctxOf(memberActor(plain));
    expect(await readTrail(colleague, input)).toMatchObject({ lines: null, audit: null });
    const own = { ...input, memberId: plain.id };
    expect(await readTrail(colleague, own)).toMatchObject({ lines: [], audit: null });
    expect((await read()).lines).toEqual([]);
    await write(200);
    expect(await seen()).toEqual([200, '1', '200', true]);
  });

  it('names the member who signs out, though it is their person who does', async () => {
    const { account, member: row, actor } = await makeAccount(service, { name: 'Camille' });
    const { sessionId } = await openSession(ctxOf(actor), { accountId: account.id, memberId: row.id });
    const personId = row.personId ?? '';
    await endOwnSession(testContext(service, { type: 'person', personId, sessionId }, { clock }));
    const { entries } = await readAudit(ctxOf(actor), { limit: 5, memberId: row.id });
    expect(entries.map((entry) => `${auditActor(entry)} ${actionWords(entry)}`)).toEqual([
      'Camille a fermé une de ses sessions',
    ]);
  });

  it('another account’s trail is invisible, even through its members or a cursor of ours', async () => {
    const { entries } = await readAudit(ctxOf(stranger), { limit: 50 });
    expect(entries.map((entry) => entry.action)).toEqual(['key.created']);
    expect((await readAudit(ctxOf(stranger), { limit: 50, memberId: member.memberId })).entries).toEqual([]);
    const { nextCursor } = await readAudit(ctxOf(founder), { limit: 1 });
    const after = await readAudit(ctxOf(stranger), { limit: 50, cursor: nextCursor as string });
    expect(after.entries.filter(({ id }) => id !== entries[0]?.id)).toEqual([]);
    // There is something after that place: its own account goes on from there.
    const own = await readAudit(ctxOf(founder), { limit: 50, cursor: nextCursor as string });
    expect(own.entries).toHaveLength(50);
  });

  it('is for founders, and refuses an invented cursor', async () => {
    const codeOf = (work: Promise<unknown>) => work.catch((error: ServiceError) => error.code);
    expect(await codeOf(readAudit(ctxOf(member), { limit: 50 }))).toBe('forbidden');
    expect(await codeOf(exportAudit(ctxOf(member), { format: 'csv' }))).toBe('forbidden');
    expect(await codeOf(readAudit(ctxOf(founder), { limit: 50, cursor: "1-aud_' OR 1=1" }))).toBe(
      'invalid_request',
    );
  });
});

describe('exporting the audit', () => {
  const whole = async (format: 'csv' | 'json') => {
    let text = '';
    let pieces = 0;
    for await (const piece of await exportAudit(ctxOf(founder), { format, families: ['memory'] })) {
      text += piece;
      pieces += 1;
    }
    return { text, pieces };
  };

  it('JSON holds every entry, in several pieces', async () => {
    const { text, pieces } = await whole('json');
    expect(JSON.parse(text)).toHaveLength(1082);
    expect(pieces).toBeGreaterThan(3);
  });

  it('keeps to the filters of what is read: a member, one object, a period', async () => {
    for (const filters of [
      { memberId: member.memberId },
      { subjectId: member.memberId },
      { from: new Date('2026-11-01T01:00:00Z'), to: new Date('2026-11-01T02:00:00Z') },
    ]) {
      let text = '';
      for await (const piece of await exportAudit(ctxOf(founder), { format: 'json', ...filters }))
        text += piece;
      const kept = await countAudit(ctxOf(founder), filters);
      expect(kept).toBeGreaterThan(0);
      expect(JSON.parse(text)).toHaveLength(kept);
    }
  });

  it('ends at its next page for whose session was ended, and for who is no founder any more', async () => {
    const own = await makeAccount(service, { name: 'C', now: clock.now() });
    const { account, member: row, actor } = own;
    const events = Array.from({ length: 501 }, (_, n) => keyCreated(account.id, `key_${n}`));
    await recordAudits(service.kysely, ctxOf(actor), events);
    const { sessionId } = await openSession(ctxOf(actor), { accountId: account.id, memberId: row.id });
    const begun = async (by: MemberActor) => {
      const pieces = await exportAudit(ctxOf(by), { format: 'csv' });
      await pieces.next();
      await pieces.next();
      return pieces;
    };
    const { sessionId: over } = await openSession(ctxOf(actor), { accountId: account.id, memberId: row.id });
    const byEnd = await begun({ ...actor, sessionId: over });
    const [bySession, byRole] = [await begun({ ...actor, sessionId }), await begun(actor)];
    await service.db.session.update({ where: { id: over }, data: { expiresAt: clock.now() } });
    await expect(byEnd.next()).rejects.toMatchObject({ code: 'forbidden' });
    await service.db.session.update({ where: { id: sessionId }, data: { revokedAt: clock.now() } });
    await expect(bySession.next()).rejects.toMatchObject({ code: 'forbidden' });
    await service.db.member.update({ where: { id: row.id }, data: { role: 'MEMBER' } });
    await expect(byRole.next()).rejects.toMatchObject({ code: 'forbidden' });
  });

  it('CSV has one line an entry, and no cell that a spreadsheet would run', async () => {
    const { text } = await whole('csv');
    const lines = text.trimEnd().split('\r\n');
    expect(lines).toHaveLength(1083);
    expect(text.startsWith('\ufeffdate (UTC);')).toBe(true);
    expect(text).not.toMatch(/(^|;)"?[=+@-]/m);
  });

  it('an empty selection is an empty array and a lone header; the export leaves its own trace', async () => {
    let json = '';
    for await (const piece of await exportAudit(ctxOf(founder), { format: 'json', families: ['none'] }))
      json += piece;
    expect(JSON.parse(json)).toEqual([]);
    const [latest] = await everything({ families: ['audit'] });
    expect(latest).toMatchObject({ action: 'audit.exported', data: { format: 'json' } });
  });
});
