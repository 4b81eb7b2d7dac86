import { describe, expect, test } from 'vitest';
import type { MemberActor } from '#lib/core/actor.ts';
import { manualClock } from '#lib/core/clock.ts';
import type { Database } from '#lib/db/types.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/demonstration.ts';
import { purgeProductBlobs } from '#lib/storage/deletion/purge-product.ts';
import { PASS_MS } from '#lib/storage/retention/budget.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { memoryStore } from '#tests/factories/memory-store.ts';
import { answeredQueries } from '#tests/factories/statements/answered-queries.ts';

const clock = manualClock('2026-11-21T10:00:00Z');
const FOUNDER: MemberActor = {
  type: 'member',
  accountId: 'acc_1',
  memberId: 'mbr_1',
  sessionId: 'ses_1',
  operator: false,
  role: 'FOUNDER',
  permissions: [],
  verifiedAt: clock.now(),
};
const GONE = 'ancien-produit';

/** A purge of a product, whose rows say whether the account owned it (`isOwner`) and whether its generations run, with what is audited and logged. */
function scene(one: { actor?: Partial<MemberActor>; isOwner?: boolean | null; running?: boolean } = {}) {
  const { isOwner = true, running = false } = one;
  const lines: LogLine[] = [];
  const owners: { text: string; parameters: readonly unknown[] }[] = [];
  const audited: { action: string; data: Record<string, unknown> }[] = [];
  const kysely = answeredQueries(({ label, text, parameters }) => {
    if (label === 'audit.insert') audited.push(...JSON.parse(String(parameters[0])));
    if (text.includes('bool_and')) {
      owners.push({ text, parameters });
      return { rows: [{ isOwner }] };
    }
    // What the steps look for is tested elsewhere (tests/integration/storage/deletion/purge.test.ts): here no row has a file.
    if (running && /^select "id" from "Generation"/.test(text)) return { rows: [{ id: 'gen_1' }] };
    return undefined;
  });
  const store = memoryStore(() => clock.now());
  const actor = { ...FOUNDER, ...one.actor } as MemberActor;
  const ctx = testContext({ db: {} as Database, kysely }, actor, { clock, lines });
  const files = { store, storeToken: null, storeApiUrl: null };
  return { store, lines, audited, owners, ctx: { ...ctx, files } };
}

describe('a purge of a product is refused', () => {
  const refusalOf = (one: Parameters<typeof scene>[0], productId = GONE) =>
    purgeProductBlobs(scene(one).ctx, productId).catch((error: { code: string }) => error.code);

  test('to who is no founder, and to a session that proved nothing in the last ten minutes', async () => {
    expect(await refusalOf({ actor: { role: 'MEMBER', permissions: ['storage.purge'] } })).toBe('forbidden');
    const verifiedAt = new Date(clock.now().getTime() - 10 * 60_000 - 1);
    expect(await refusalOf({ actor: { verifiedAt } })).toBe('verification_required');
  });

  test('for the free product, and for one that the registry names, whosever it is', async () => {
    const free = purgeProductBlobs(scene().ctx, 'libre');
    await expect(free).rejects.toMatchObject({
      code: 'invalid',
      options: { detail: 'productId', message: 'Le produit libre ne peut pas être purgé.' },
    });
    const registered = { code: 'product-registered', options: { subject: 'lumen-bougies' } };
    const own = scene({ actor: { accountId: DEMO_ACCOUNT_ID }, isOwner: false });
    await expect(purgeProductBlobs(own.ctx, 'lumen-bougies')).rejects.toMatchObject(registered);
    await expect(purgeProductBlobs(scene().ctx, 'lumen-bougies')).rejects.toMatchObject(registered);
  });

  test('like one that never was, when its files are another account’s or nobody’s', async () => {
    for (const isOwner of [false, null]) {
      expect(await refusalOf({ isOwner })).toBe('not_found');
      expect(await refusalOf({ isOwner }, 'lumen-bougies')).toBe('not_found');
    }
    const { ctx, audited } = scene({ isOwner: false });
    await expect(purgeProductBlobs(ctx, GONE)).rejects.toMatchObject({ options: { subject: GONE } });
    expect(audited).toEqual([]);
  });

  test('unless every asset and upload that names it, and a generation of the account that does, are the account’s', async () => {
    const { ctx, owners } = scene();
    await purgeProductBlobs(ctx, GONE);
    const [asked] = owners;
    for (const part of [
      'bool_and("named"."accountId" = $1) as "isOwner"',
      '(select "accountId" from "Asset" where "productId" = $2 limit $3) as "asset"',
      '(select "accountId" from "Upload" where "productId" = $4 limit $5) as "upload"',
      '(select "accountId" from "Generation" where "productId" = $6 and "accountId" = $7 limit $8) as "generation"',
    ])
      expect(asked?.text).toContain(part);
    expect(asked?.parameters).toEqual(['acc_1', GONE, 1, GONE, 1, GONE, 'acc_1', 1]);
  });

  test('without a store', async () => {
    const { ctx } = scene();
    const without = { ...ctx, files: { ...ctx.files, store: null } };
    await expect(purgeProductBlobs(without, GONE)).rejects.toMatchObject({ code: 'not_configured' });
  });
});

describe('a purge of a product', () => {
  const nothing = {
    prefix: `products/${GONE}/`,
    removedObjects: 0,
    removedBytes: 0,
    clearedGenerations: 0,
    deletedAssets: 0,
    deletedAvatars: 0,
    deletedReferences: 0,
    clearedCaptures: 0,
    complete: true,
    error: null,
  };
  const put = (store: ReturnType<typeof memoryStore>, pathname: string) =>
    store.put(pathname, new Uint8Array(5), { contentType: 'image/png' });

  test('takes what lies under its folder and nothing else, says so, and is audited as it is told', async () => {
    const { ctx, store, audited, lines } = scene();
    await put(store, `products/${GONE}/a.png`);
    await put(store, `products/${GONE}-2/a.png`);
    const report = await purgeProductBlobs(ctx, GONE);
    expect(report).toEqual({ ...nothing, removedObjects: 1, removedBytes: 5 });
    expect([...store.files.keys()]).toEqual([`products/${GONE}-2/a.png`]);
    expect(audited).toMatchObject([
      {
        action: 'product.blobs_purged',
        accountId: 'acc_1',
        subjectType: 'product',
        subjectId: GONE,
        data: report,
      },
    ]);
    expect(lines).toEqual([]);
  });

  test('goes on page by page, and is complete only once no generation of it runs', async () => {
    const { ctx, store } = scene({ running: true });
    await Promise.all(
      Array.from({ length: 501 }, (_, n) => put(store, `products/${GONE}/${String(n).padStart(3, '0')}.png`)),
    );
    expect(await purgeProductBlobs(ctx, GONE)).toEqual({
      ...nothing,
      removedObjects: 501,
      removedBytes: 2_505,
      complete: false,
      error: 'running',
    });
  });

  test('stops when its time is over, before the step that would begin then', async () => {
    const ends = async (tick: number, budgetMs?: number) => {
      const { ctx, store } = scene({ running: true });
      await put(store, `products/${GONE}/a.png`);
      let now = 100;
      const elapsedMs = () => {
        now += tick;
        return now;
      };
      const { removedObjects, complete, error } = await purgeProductBlobs(ctx, GONE, {
        elapsedMs,
        ...(budgetMs === undefined ? {} : { budgetMs }),
      });
      return [removedObjects, complete, error];
    };
    // The time is read before each of the four steps, and once after them.
    expect(await ends(1, 5)).toEqual([1, false, 'time']);
    expect(await ends(1, 6)).toEqual([1, false, 'running']);
    expect(await ends(1, 4)).toEqual([0, false, 'time']);
    expect(await ends(PASS_MS)).toEqual([0, false, 'time']);
  });

  test('that meets a fault tells it by its class, logs it, and is audited all the same', async () => {
    const { ctx, store, audited, lines } = scene();
    store.list = () => Promise.reject(new TypeError('an address that nobody may read'));
    const report = await purgeProductBlobs(ctx, GONE);
    expect(report).toEqual({ ...nothing, complete: false, error: 'TypeError' });
    expect(audited.map(({ action, data }) => [action, data.error])).toEqual([
      ['product.blobs_purged', 'TypeError'],
    ]);
    expect(lines).toMatchObject([
      { level: 'error', event: 'product.purge_failed', productId: GONE, error: 'TypeError' },
    ]);
    expect(JSON.stringify(lines)).not.toContain('nobody may read');
  });
});
