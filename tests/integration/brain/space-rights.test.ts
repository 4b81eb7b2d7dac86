import { describe, expect, test } from 'vitest';
import { restoreAll } from '#lib/brain/bin/restore-all.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { listRevisions } from '#lib/brain/memories/history.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { listSpaceCards } from '#lib/brain/queries/list-space-cards.ts';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { rankMemories } from '#lib/brain/search/rank-memories.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import { getSpace } from '#lib/brain/spaces/get-space.ts';
import { listSpaces } from '#lib/brain/spaces/list-spaces.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import { getFirstSteps } from '#lib/identity/first-steps/get-first-steps.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { setKeySpaces } from '#lib/identity/keys/set-key-spaces.ts';
import { updateMember } from '#lib/identity/members/update-member.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { authenticateAccessToken } from '#lib/oauth/authenticate-access-token.ts';
import { setApplicationSpaces } from '#lib/oauth/set-application-spaces.ts';
import { ExhaustiveScorer } from '#tests/eval/exhaustive.ts';
import { makeAccount, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { interceptedQueries } from '#tests/factories/statements/intercepted-queries.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

async function setting() {
  const { account, member: founder, actor } = await makeAccount(service);
  const ctx = testContext(service, actor);
  const a = await makeSpace(service, account.id, { name: 'Ouvert' });
  const b = await makeSpace(service, account.id, { name: 'Lu' });
  const c = await makeSpace(service, account.id, { name: 'Fermé' });
  const member = await makeMember(service, account.id, { role: 'MEMBER', permissions: ['brain.write'] });
  const give = (spaces: SpaceRights | null) =>
    updateMember(ctx, {
      accountId: account.id,
      memberId: member.id,
      name: member.name,
      role: 'MEMBER',
      spaces,
      permissions: ['brain.write'],
    });
  const { sessionId } = await openSession(testContext(service, { type: 'admin' } as const), {
    accountId: account.id,
    memberId: member.id,
  });
  /** The member as their next request finds them. */
  const next = async () => {
    const found = await authenticateSession({ kysely: service.kysely, clock: ctx.clock }, sessionId);
    if (!found) throw new Error('no session');
    return testContext(service, found.actor);
  };
  const add = async (spaceId: string, title: string, body = 'Corps.') => {
    const { memory } = await addMemory(ctx, {
      spaceId,
      pillar: 'KNOWLEDGE',
      title,
      body,
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  return { account, founder, member, ctx, a, b, c, give, next, add };
}

const notFound = { code: 'not_found' };

describe('Spaces given one by one', () => {
  test('whoever was given none in particular has all, and founders always do', async () => {
    const { next, ctx, give, founder, account } = await setting();
    expect((await next()).actor.spaces).toBeUndefined();
    expect((await listSpaces(await next())).data.map(({ name }) => name)).toEqual(['Ouvert', 'Lu', 'Fermé']);
    await give({});
    expect((await listSpaces(await next())).data).toEqual([]);
    await service.db.member.update({ where: { id: founder.id }, data: { spaceRights: {} } });
    const { sessionId } = await openSession(testContext(service, { type: 'admin' } as const), {
      accountId: account.id,
      memberId: founder.id,
    });
    const found = await authenticateSession({ kysely: service.kysely, clock: ctx.clock }, sessionId);
    expect(found?.actor.memberId).toBe(founder.id);
    expect(found?.actor.spaces).toBeUndefined();
  });

  test('reading, writing and missing, each at the very next request', async () => {
    const { a, b, c, give, next, add } = await setting();
    const [inA, inB, inC] = [await add(a.id, 'Dans A'), await add(b.id, 'Dans B'), await add(c.id, 'Dans C')];
    await give({ [a.id]: 'write', [b.id]: 'read' });
    const them = await next();
    const text = { title: 'Autre', body: 'Texte', expectedVersion: 1 };
    const memory = { pillar: 'KNOWLEDGE', title: 'T', body: 'B', source: 'MANUAL' } as const;
    const added = (spaceId: string, parentId: string | null = null) =>
      addMemory(them, { ...memory, spaceId, parentId, idempotencyKey: null });
    await updateMemory(them, { memoryId: inA, ...text });
    await expect(updateMemory(them, { memoryId: inB, ...text })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(updateMemory(them, { memoryId: inC, ...text })).rejects.toMatchObject(notFound);
    await added(a.id);
    await expect(added(b.id)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(added(c.id)).rejects.toMatchObject(notFound);
    // A parent out of reach is missing; one that is read is in another Space.
    await expect(added(a.id, inC)).rejects.toMatchObject(notFound);
    await expect(added(a.id, inB)).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(deleteMemory(them, { memoryId: inB })).rejects.toMatchObject({ code: 'forbidden' });
    await expect(deleteMemory(them, { memoryId: inC })).rejects.toMatchObject(notFound);
    await expect(listRevisions(them, { memoryId: inC })).rejects.toMatchObject(notFound);
    expect((await listRevisions(them, { memoryId: inB })).revisions).toHaveLength(1);
    const edits = async (spaceId: string) =>
      JSON.parse(String((await getSpace(them, { spaceId })).body)).canEdit;
    expect([await edits(a.id), await edits(b.id)]).toEqual([true, false]);
    await expect(getSpace(them, { spaceId: c.id })).rejects.toMatchObject(notFound);
    await expect(
      createSpace(them, { accountId: them.actor.accountId, name: 'Neuf', template: 'brand' }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    expect((await listSpaceCards(them)).spaces.map(({ name }) => name)).toEqual(['Ouvert', 'Lu']);
    expect((await getFirstSteps(them))?.spaceId).toBe(a.id);

    await give({ [c.id]: 'write' });
    const after = await next();
    await expect(updateMemory(after, { memoryId: inA, ...text, expectedVersion: 2 })).rejects.toMatchObject(
      notFound,
    );
    await updateMemory(after, { memoryId: inC, ...text });
    await give(null);
    expect((await listSpaces(await next())).data).toHaveLength(3);
  });

  test('a deletion is brought back by who may write where it was, and is none of the others’', async () => {
    const { ctx, a, b, c, give, next, add } = await setting();
    const deletions: string[] = [];
    for (const { id } of [a, b, c])
      deletions.push((await deleteMemory(ctx, { memoryId: await add(id, 'Perdue') })).deletionId);
    await give({ [a.id]: 'write', [b.id]: 'read' });
    const them = await next();
    const [inA, inB, inC] = deletions as [string, string, string];
    await expect(undoDelete(them, { deletionId: inC })).rejects.toMatchObject(notFound);
    await expect(undoDelete(them, { deletionId: inB })).rejects.toMatchObject({ code: 'forbidden' });
    expect((await undoDelete(them, { deletionId: inA })).restored).toBe(1);
  });

  test('search answers exactly what scoring the given Spaces alone would, and the others find what is theirs', async () => {
    const { account, ctx, a, b, c, give, next, add } = await setting();
    const words = ['bougie', 'cire', 'mèche', 'parfum', 'figuier', 'brûler', 'soir', 'écrin'];
    const spaces = [a, b, c];
    for (let i = 0; i < 90; i += 1) {
      const word = (step: number) => words[(i * step + step) % words.length] as string;
      const title = `${word(1)} ${word(3)}`;
      await add(
        spaces[i % 3]?.id ?? '',
        title,
        `${word(5)} et ${word(7)}. ${'cire '.repeat(i % 4)}${word(2)}`,
      );
    }
    await add(c.id, 'Introuvablement fermée', 'Un mot que personne d’autre ne dit.');
    await give({ [a.id]: 'read', [b.id]: 'write' });
    const them = await next();
    const documents = await service.db.memory.findMany({ where: { accountId: account.id, deletedAt: null } });
    const given = documents.filter(({ spaceId }) => spaceId !== c.id);
    const oracle = new ExhaustiveScorer(given);
    const everything = new ExhaustiveScorer(documents);
    const asked = [
      'bougie',
      'cire parfum',
      'figier',
      'ougi',
      'le soir',
      'introuvablement',
      'mèche écrin bougie',
      'brul',
    ];
    for (const q of [...asked, ...asked]) {
      for (const [who, scorer] of [
        [them, oracle],
        [ctx, everything],
      ] as const) {
        const { data } = await searchMemories(who, { q, limit: 50 });
        const expected = scorer.rank(parseQuery(q)).slice(0, 50);
        expect(
          data.map(({ memoryId, score }) => [memoryId, score]),
          q,
        ).toEqual(expected.map(({ document, score }) => [document.id, score]));
      }
    }
    expect((await searchMemories(ctx, { q: 'introuvablement' })).data).toHaveLength(1);
    await expect(searchMemories(them, { q: 'bougie', spaceId: c.id })).rejects.toMatchObject(notFound);
    await expect(rankMemories(them, { q: 'bougie', spaceId: c.id, sentences: 10 })).rejects.toMatchObject(
      notFound,
    );
  });

  test('what says nearly the same elsewhere is named to who was given it, and to nobody else', async () => {
    const { ctx, a, c, give, next, add } = await setting();
    const body =
      'La cire de soja vient du Gers, le coton des mèches est sans plomb, et le parfum est de Grasse.';
    const known = await add(c.id, 'Matières', body);
    await give({ [a.id]: 'write' });
    const input = { spaceId: a.id, pillar: 'KNOWLEDGE', title: 'Matières', body, parentId: null } as const;
    const write = { ...input, source: 'MANUAL', idempotencyKey: null } as const;
    const mine = await addMemory(await next(), write);
    expect(mine.similar).toEqual([]);
    const { similar } = await addMemory(ctx, write);
    expect(similar.map(({ id }) => id)).toEqual(expect.arrayContaining([known, mine.memory.id]));
  });

  test('all that comes back from the bin is what one may write in: a Space to read keeps its own there, and stops nothing', async () => {
    const { a, b, give, next, add, ctx } = await setting();
    const [inA, inB] = [await add(a.id, 'Dans A'), await add(b.id, 'Dans B')];
    await deleteMemory(ctx, { memoryId: inA });
    await deleteMemory(ctx, { memoryId: inB });
    await give({ [a.id]: 'write', [b.id]: 'read' });
    expect(await restoreAll(await next())).toMatchObject({ restored: 1, left: 1, capacityFull: false });
    const live = await service.db.memory.findMany({ where: { id: { in: [inA, inB] }, deletedAt: null } });
    expect(live.map(({ id }) => id)).toEqual([inA]);
  });

  test('a key opens its own Spaces among its member’s, and so does the key that replaces it', async () => {
    const { account, member, a, b, c, give, ctx } = await setting();
    await give({ [a.id]: 'write', [b.id]: 'read' });
    const theirs = testContext(service, {
      ...memberActor(member),
      spaces: { [a.id]: 'write', [b.id]: 'read' },
    });
    const wanted = { accountId: account.id, memberId: member.id, name: 'Clé', expiresInDays: 30 } as const;
    const scopes = ['brain:read', 'brain:write'] as const;
    await expect(createKey(theirs, { ...wanted, scopes, spaces: { [c.id]: 'read' } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    const key = await createKey(theirs, { ...wanted, scopes, spaces: { [b.id]: 'write', [a.id]: 'read' } });
    const opens = async (secret: string) =>
      (await authenticateKey({ kysely: service.kysely, clock: ctx.clock }, secret, { isWrite: false }))?.actor
        .spaces;
    // The lesser of both counts.
    expect(await opens(key.secret)).toEqual({ [a.id]: 'read', [b.id]: 'read' });
    const next = await rotateKey(theirs, { accountId: account.id, keyId: key.id, overlapDays: 0 });
    expect(await opens(next.secret)).toEqual({ [a.id]: 'read', [b.id]: 'read' });
    await give({ [a.id]: 'write' });
    expect(await opens(next.secret)).toEqual({ [a.id]: 'read' });
    await give(null);
    expect(await opens(next.secret)).toEqual({ [a.id]: 'read', [b.id]: 'write' });
  });

  test('a key opens what it is given afterwards, from its next request on: its member’s or a founder’s doing, named by the audit', async () => {
    const { account, member, founder, a, b, c, give, ctx } = await setting();
    const own = testContext(service, memberActor(member));
    const wanted = { accountId: account.id, memberId: member.id, name: 'Clé', expiresInDays: 30 } as const;
    const key = await createKey(own, wanted);
    const opens = async () =>
      (await authenticateKey({ kysely: service.kysely, clock: ctx.clock }, key.secret, { isWrite: false }))
        ?.actor.spaces;
    const target = { accountId: account.id, keyId: key.id };
    expect(await opens()).toBeUndefined();
    await setKeySpaces(own, { ...target, spaces: { [a.id]: 'read', [b.id]: 'write' } });
    expect(await opens()).toEqual({ [a.id]: 'read', [b.id]: 'write' });
    // Chosen over what stood before: refused, and what was chosen meanwhile stays; what stands already is no conflict.
    const late = { ...target, shown: null };
    await expect(setKeySpaces(ctx, { ...late, spaces: { [a.id]: 'read' } })).rejects.toMatchObject({
      code: 'conflict',
    });
    await setKeySpaces(ctx, { ...late, spaces: { [a.id]: 'read', [b.id]: 'write' } });
    expect(await opens()).toEqual({ [a.id]: 'read', [b.id]: 'write' });
    // Less asks for nothing more than a session; more, for a proof of who is there.
    const { verifiedAt: _, ...stale } = ctx.actor;
    const unproved = testContext(service, stale);
    const shown = { [a.id]: 'read', [b.id]: 'write' } as const;
    await setKeySpaces(unproved, { ...target, spaces: { [a.id]: 'read' }, shown });
    expect(await opens()).toEqual({ [a.id]: 'read' });
    for (const spaces of [null, { [a.id]: 'write' as const }, { [c.id]: 'read' as const }])
      await expect(setKeySpaces(unproved, { ...target, spaces })).rejects.toMatchObject({
        code: 'verification_required',
      });
    await setKeySpaces(ctx, { ...target, spaces: null });
    expect(await opens()).toBeUndefined();
    // Who was given some Spaces gives no other, and learns of none.
    await give({ [a.id]: 'write' });
    const restricted = testContext(service, { ...memberActor(member), spaces: { [a.id]: 'write' } });
    await expect(setKeySpaces(restricted, { ...target, spaces: { [b.id]: 'read' } })).rejects.toMatchObject({
      code: 'invalid_request',
      options: { problems: [{ field: 'spaces' }] },
    });
    // A colleague’s key, a stranger’s and one that has ended answer alike.
    const theirs = await createKey(ctx, { ...wanted, memberId: founder.id });
    await expect(
      setKeySpaces(own, { accountId: account.id, keyId: theirs.id, spaces: {} }),
    ).rejects.toMatchObject(notFound);
    const stranger = await makeAccount(service);
    await expect(
      setKeySpaces(testContext(service, stranger.actor), {
        ...target,
        accountId: stranger.account.id,
        spaces: {},
      }),
    ).rejects.toMatchObject(notFound);
    const expire = (expiresAt: Date | null) =>
      service.db.developerKey.update({ where: { id: key.id }, data: { expiresAt } });
    await expire(ctx.clock.now());
    await expect(setKeySpaces(ctx, { ...target, spaces: {} })).rejects.toMatchObject(notFound);
    await expire(null);
    await revokeKey(ctx, target);
    await expect(setKeySpaces(ctx, { ...target, spaces: {} })).rejects.toMatchObject(notFound);
    const entries = await service.db.auditEntry.findMany({
      where: { accountId: account.id, action: 'key.spaces_set' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ actor, data }) => [actor, data])).toMatchObject([
      [
        `member:${member.id}`,
        { name: 'Clé', before: { spaces: null }, after: { spaces: [{ id: a.id }, { id: b.id }] } },
      ],
      [
        `member:${founder.id}`,
        { before: { spaces: [{ id: a.id }, { id: b.id }] }, after: { spaces: [{ id: a.id }] } },
      ],
      [`member:${founder.id}`, { before: { spaces: [{ id: a.id }] }, after: { spaces: null } }],
    ]);
  });

  test('an application opens what it was given, from its next request on, and the audit names it', async () => {
    const { account, founder, member, a, b, ctx } = await setting();
    const { client, tokens } = await makeTokens(service, founder, { resource: '/api/mcp' });
    const opens = async () =>
      (
        await authenticateAccessToken({ kysely: service.kysely, clock: ctx.clock }, tokens.access_token, {
          isWrite: false,
          resource: '/api/mcp',
        })
      )?.actor.spaces;
    expect(await opens()).toBeUndefined();
    const target = { clientId: client.id, memberId: founder.id };
    await setApplicationSpaces(ctx, { ...target, spaces: { [a.id]: 'read' } });
    expect(await opens()).toEqual({ [a.id]: 'read' });
    // Chosen over what stood before: refused, and what was chosen meanwhile stays.
    await expect(
      setApplicationSpaces(ctx, { ...target, spaces: { [b.id]: 'read' }, shown: null }),
    ).rejects.toMatchObject({ code: 'conflict' });
    expect(await opens()).toEqual({ [a.id]: 'read' });
    // Less asks for nothing more than a session; more, for a proof of who is there.
    const { verifiedAt: _, ...stale } = ctx.actor;
    const unproved = testContext(service, stale);
    await setApplicationSpaces(unproved, { ...target, spaces: {} });
    await expect(
      setApplicationSpaces(unproved, { ...target, spaces: { [b.id]: 'read' } }),
    ).rejects.toMatchObject({ code: 'verification_required' });
    await setApplicationSpaces(ctx, { ...target, spaces: null });
    expect(await opens()).toBeUndefined();
    await expect(
      setApplicationSpaces(testContext(service, memberActor(member)), { ...target, spaces: {} }),
    ).rejects.toMatchObject(notFound);
    const entries = await service.db.auditEntry.findMany({
      where: { accountId: account.id, action: 'oauth.spaces_set' },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ data }) => data)).toMatchObject([
      { before: { spaces: null }, after: { spaces: [{ id: a.id, name: 'Ouvert', access: 'read' }] } },
      { before: { spaces: [{ name: 'Ouvert' }] }, after: { spaces: [] } },
      { before: { spaces: [] }, after: { spaces: null } },
    ]);
  });

  test('of two choices for one key, or for one application, made in one moment, the second is refused, and a key that is being revoked is given nothing', async () => {
    const { account, founder, a, b, ctx } = await setting();
    const colleague = testContext(service, memberActor(await makeMember(service, account.id)));
    const accountId = account.id;
    const wanted = { accountId, memberId: founder.id, name: 'Clé', expiresInDays: 30 } as const;
    const { id: keyId } = await createKey(ctx, wanted);
    const giveKey = (by: typeof ctx, spaces: SpaceRights) => () =>
      setKeySpaces(by, { accountId, keyId, spaces, shown: null });
    const atOnce = (first: () => Promise<unknown>, second: () => Promise<unknown>) =>
      oneBeforeAnother(service, first, second);
    expect(await atOnce(giveKey(ctx, {}), giveKey(colleague, { [b.id]: 'write' }))).toEqual([
      'done',
      'conflict',
    ]);
    expect(await service.db.developerKey.findUniqueOrThrow({ where: { id: keyId } })).toMatchObject({
      spaceRights: {},
    });
    const revoke = () => revokeKey(ctx, { accountId, keyId });
    const again = () => setKeySpaces(colleague, { accountId, keyId, spaces: { [a.id]: 'read' } });
    expect(await atOnce(revoke, again)).toEqual(['done', 'not_found']);
    const { client } = await makeTokens(service, founder, { resource: '/api/mcp' });
    const giveApplication = (by: typeof ctx, spaces: SpaceRights) => () =>
      setApplicationSpaces(by, { clientId: client.id, memberId: founder.id, spaces, shown: null });
    expect(await atOnce(giveApplication(ctx, {}), giveApplication(colleague, { [b.id]: 'write' }))).toEqual([
      'done',
      'conflict',
    ]);
    const [grant] = await service.db.oAuthGrant.findMany({ where: { memberId: founder.id } });
    expect(grant).toMatchObject({ spaceRights: {} });
  });

  test('all connections of an application open what it is given, and one of them that gets more takes a proof', async () => {
    const { founder, a, b, ctx } = await setting();
    const { client } = await makeTokens(service, founder, { resource: '/api/mcp' });
    const target = { clientId: client.id, memberId: founder.id };
    const given = async () => {
      const where = { clientId: client.id };
      const grants = await service.db.oAuthGrant.findMany({ where, orderBy: { createdAt: 'asc' } });
      return grants.map(({ spaceRights }) => spaceRights);
    };
    await setApplicationSpaces(ctx, { ...target, spaces: { [a.id]: 'read' } });
    await makeTokens(service, founder, { client, resource: '/api/v1' });
    expect(await given()).toEqual([{ [a.id]: 'read' }, null]);
    const { verifiedAt: _, ...stale } = ctx.actor;
    // Less than the latest opens, and more than the one before.
    await expect(
      setApplicationSpaces(testContext(service, stale), { ...target, spaces: { [b.id]: 'read' } }),
    ).rejects.toMatchObject({ code: 'verification_required' });
    await setApplicationSpaces(ctx, { ...target, spaces: { [b.id]: 'read' } });
    expect(await given()).toEqual([{ [b.id]: 'read' }, { [b.id]: 'read' }]);
  });

  test('who gives names Spaces of the account alone, and proves who they are to give others', async () => {
    const { account, member, ctx, give, a } = await setting();
    const stranger = await makeAccount(service);
    const elsewhere = await makeSpace(service, stranger.account.id);
    for (const id of [elsewhere.id, 'spc_inconnu'])
      await expect(give({ [id]: 'read' })).rejects.toMatchObject({
        code: 'invalid_request',
        options: { problems: [{ field: 'spaces' }] },
      });
    await give({ [a.id]: 'read' });
    const { verifiedAt: _, ...stale } = ctx.actor;
    await expect(
      updateMember(testContext(service, stale), {
        accountId: account.id,
        memberId: member.id,
        name: member.name,
        role: 'MEMBER',
        spaces: null,
        permissions: ['brain.write'],
      }),
    ).rejects.toMatchObject({ code: 'verification_required' });
    const [entry] = await service.db.auditEntry.findMany({
      where: { accountId: account.id, action: 'member.updated' },
    });
    expect(entry?.data).toMatchObject({
      before: { spaces: null },
      after: { spaces: [{ id: a.id, name: 'Ouvert', access: 'read' }] },
    });
  });

  test('restricts at no cost of round trips', async () => {
    const { a, give, next, add } = await setting();
    await add(a.id, 'Bougie');
    await give({ [a.id]: 'read' });
    const them = await next();
    await searchMemories(them, { q: 'bougie' });
    const asked: string[] = [];
    const kysely = interceptedQueries(service.pool, { before: ({ label }) => asked.push(label) });
    const counted = { ...them, kysely };
    await listSpaces(counted);
    await getSpace(counted, { spaceId: a.id });
    await searchMemories(counted, { q: 'bougie' });
    expect(asked).toEqual(['list-spaces', 'read-space', 'search-memories']);
  });
});
