import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import { PILLAR_ROLES, type PillarRole } from '#lib/brain/templates.ts';
import type { MemberActor, Scope } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import type { Connection } from '#lib/db/connection.ts';
import { createAccount } from '#lib/identity/accounts/create-account.ts';
import { newDeveloperKey } from '#lib/identity/keys/developer-keys.ts';

export type BenchSetting = { ctx: Context<MemberActor>; accountId: string; spaceId: string; keys: string[] };

const SENTENCE =
  'Une lumière chaude, posée là où l’on vit, que l’on règle d’un geste et que l’on répare pendant trente ans. ';

/** An account with one Space of 100 Memories and enough keys that no rate limit is met. */
export async function makeSetting(
  connection: Connection,
  options: { keys: number; memories: number },
): Promise<BenchSetting> {
  const log = createLogger({ write: () => {}, now: () => new Date() });
  const base = {
    db: connection.db,
    kysely: connection.kysely,
    clock: systemClock,
    log,
    requestId: createId('request'),
  };
  const { account, founder } = await createAccount(
    { ...base, actor: { type: 'admin' } },
    {
      name: `Banc ${createId('account')}`,
      founder: { email: `${createId('member')}@banc.example`, name: 'Banc' },
      capacityCu: 10_000_000,
    },
  );
  const actor: MemberActor = {
    type: 'member',
    sessionId: 'bench',
    accountId: account.id,
    memberId: founder.id,
    role: 'FOUNDER',
    permissions: [],
    operator: false,
  };
  const ctx = { ...base, actor };
  const space = await createSpace(ctx, { accountId: account.id, name: 'Banc', template: 'brand' });
  for (let i = 0; i < options.memories; i += 1) {
    const pillar = PILLAR_ROLES[i % 5] as PillarRole;
    await addMemory(ctx, {
      spaceId: space.id,
      pillar,
      title: `Mémoire ${i} sur la lumière`,
      body: SENTENCE.repeat(2 + (i % 9)),
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
  }
  const scopes: Scope[] = ['brain:read', 'brain:write', 'projects:read'];
  const now = new Date();
  const keys = Array.from({ length: options.keys }, () => newDeveloperKey());
  await connection.db.developerKey.createMany({
    data: keys.map(({ prefix, tokenHash }) => ({
      id: createId('developerKey'),
      accountId: account.id,
      memberId: founder.id,
      name: 'Banc',
      prefix,
      tokenHash,
      scopes,
      createdAt: now,
    })),
  });
  return { ctx, accountId: account.id, spaceId: space.id, keys: keys.map(({ secret }) => secret) };
}
