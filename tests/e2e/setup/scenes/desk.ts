import { recordAudits } from '#lib/core/audit.ts';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import type { Connection } from '#lib/db/connection.ts';
import { testContext } from '#tests/factories/context.ts';
import { paidRow } from './app.ts';

type Reached = Pick<Connection, 'db' | 'kysely' | 'pool'>;
type Owner = { accountId: string; memberId: string };

const KINDS = ['IMAGE', 'IMAGE', 'VIDEO', 'VOICE', 'VECTOR', 'RENDER', 'LIPSYNC'] as const;
const BRIEF = 'Une bougie sur une table en bois clair, lumière du matin, très peu d’objets autour';
const HOUR_MS = 3_600_000;

/** Fills an account with a month of use: debits of each kind, refunds, open reserves, a pending debit, runs, losses and divergences. */
export async function furnish(
  service: Reached,
  owner: Owner,
  options: { rows?: number } = {},
): Promise<{ pendingId: string }> {
  const now = Date.now();
  const rows = options.rows ?? 60;
  for (let i = 0; i < rows; i++) {
    const heldMicros = BigInt(20_000 + ((i * 7_919) % 300_000));
    const id = await paidRow(service, owner, {
      kind: KINDS[i % KINDS.length] ?? 'IMAGE',
      at: new Date(now - (rows - i) * 3.1 * HOUR_MS),
      heldMicros,
      costMicros: i % 9 === 4 ? null : (heldMicros * BigInt(70 + (i % 50))) / 100n,
      brief: i % 5 ? BRIEF : 'Portrait',
    });
    if (i % 12 === 0) await incident(service, owner, id, new Date(now - (rows - i) * 3.1 * HOUR_MS), i);
  }
  await paidRow(service, owner, {
    kind: 'VIDEO',
    at: new Date(now - 240_000),
    heldMicros: 1_520_000n,
    brief: `Travelling lent. ${BRIEF}`,
  });
  const pendingId = await paidRow(service, owner, {
    at: new Date(now - 40_000),
    heldMicros: 42_000n,
    chargePending: true,
    brief: 'Veilleuse',
  });
  await runs(service, now);
  return { pendingId };
}

async function incident(service: Reached, owner: Owner, id: string, at: Date, rank: number): Promise<void> {
  const ctx = testContext(
    service,
    { type: 'system' as const, job: 'generations-sweep' },
    { clock: manualClock(at.toISOString()) },
  );
  const subject = { type: 'generation' as const, id };
  await recordAudits(service.kysely, ctx, [
    {
      action: 'generation.cost_divergence',
      accountId: owner.accountId,
      subject,
      data: { gatewayCostUsd: 0.063, formulaCostUsd: 0.042, gatewayGenerationId: null },
    },
    {
      action: 'generation.paid_not_delivered',
      accountId: owner.accountId,
      subject,
      data:
        rank % 24 === 0
          ? { reason: 'svg-unsafe', truncated: true }
          : { reason: 'setting-dropped', dropped: ['audio'] },
    },
  ]);
}

async function runs(service: Reached, now: number): Promise<void> {
  const add = (job: string, ago: number, ms: number | null, complete: boolean, report: object) => {
    const at = new Date(now - ago);
    return service.db.cronRun.create({
      data: {
        id: createId('cronRun', at),
        job,
        startedAt: at,
        finishedAt: ms === null ? null : new Date(at.getTime() + ms),
        complete,
        report,
      },
    });
  };
  const nothing = {
    settled: 0,
    reconciled: 0,
    errors: 0,
    videoSettled: 0,
    videoFailed: 0,
    videoTimeout: 0,
    videoPending: 0,
  };
  for (let i = 1; i <= 24; i++)
    await add(
      'generations-sweep',
      i * 300_000,
      120 + i,
      true,
      i % 4 === 0 ? { ...nothing, videoSettled: 2, videoPending: 1, errors: i % 8 === 0 ? 1 : 0 } : nothing,
    );
  await add('generations-sweep', 26 * 300_000, null, false, {});
  const kept = {
    recent: 412,
    status: 88,
    avatar: 3,
    learning: 1,
    concept: 14,
    lineage: 22,
    'in-flight': 1,
    sibling: 6,
    'foreign-store': 0,
    changed: 0,
  };
  await add('retention', 8 * HOUR_MS, 41_000, true, {
    assets: { expired: 37, kept },
    uploads: 4,
    files: { removed: 41, failed: 0 },
    orphans: { scanned: 1_208, expired: 2, failed: 0 },
    complete: true,
  });
  await add('retention', 32 * HOUR_MS, 240_000, false, {
    assets: { expired: 512, kept },
    uploads: 40,
    files: { removed: 540, failed: 3 },
    orphans: { scanned: 0, expired: 0, failed: 0 },
    complete: false,
  });
}

/** Adds a product that is not in the registry, with three files whose bytes are not in the store. */
export async function leaveProduct(service: Reached, owner: Owner, productId: string): Promise<void> {
  const at = new Date(Date.now() - 40 * 24 * HOUR_MS);
  const generationId = await paidRow(service, owner, {
    at,
    heldMicros: 40_000n,
    costMicros: 38_000n,
    productId,
  });
  for (let position = 0; position < 3; position++)
    await makeAsset(service, owner, { productId, generationId, position, at });
}

/** Adds a file of a generation. Its bytes are not in the store. */
export async function makeAsset(
  service: Reached,
  owner: Owner,
  input: { productId: string; generationId: string; position?: number; at: Date; pathname?: string },
): Promise<string> {
  const id = createId('asset', input.at);
  await service.db.asset.create({
    data: {
      id,
      ...owner,
      productId: input.productId,
      generationId: input.generationId,
      type: 'IMAGE',
      pathname: input.pathname ?? `generations/${input.generationId}/${id}.png`,
      contentType: 'image/png',
      bytes: 248_000n,
      position: input.position ?? 0,
      createdAt: input.at,
      updatedAt: input.at,
    },
  });
  return id;
}
