import type { Connection } from '#lib/db/connection.ts';
import { reviewAsset } from '#lib/storage/assets/review-asset.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { MINUTE_MS, type Plan } from './plan.ts';
import { CALM, type Scene } from './scene.ts';

const DAY_MS = 24 * 60 * MINUTE_MS;
/** A pass that died keeps its lease this long at most. */
const LEASE_MS = 15 * MINUTE_MS;

type AssetRow = {
  pathname: string;
  generationId: string;
  key: string;
  kind: string;
  isApproved: boolean;
  isGone: boolean;
};

/**
 * A month after everything ended: passes of retention with faults and deaths, then two without. What was approved is there, whatever else
 * nothing depends on is gone, a row and the store say the same, and no cost nor line has moved.
 */
export async function monthFaults(
  { pool }: Connection,
  scene: Scene,
  month: NonNullable<Plan['month']>,
  closed: ReadonlySet<string>,
): Promise<string[]> {
  const { accountIds, clock, store } = scene;
  const costs = async () =>
    JSON.stringify(
      (
        await pool.query(
          `SELECT "id", "state", "costMicros" FROM "Generation" WHERE "accountId" = ANY($1) ORDER BY "id"`,
          [accountIds],
        )
      ).rows,
    );
  const wanted = new Set(month.approved.map((id) => `request-${id}`));
  const { rows: made } = await pool.query<{ id: string; accountId: string; key: string }>(
    `SELECT a."id", a."accountId", g."idempotencyKey" AS key FROM "Asset" a JOIN "Generation" g ON g."id" = a."generationId"
     WHERE a."accountId" = ANY($1) AND a."deletedAt" IS NULL`,
    [accountIds],
  );
  for (const { id, accountId, key } of made)
    if (wanted.has(key) && !closed.has(accountId))
      await reviewAsset(scene.founderOf(accountId), { assetId: id, review: 'approve' });
  const before = await costs();
  clock.advance(31 * DAY_MS);
  for (const pass of month.passes) {
    await scene.retain(pass);
    clock.advance(LEASE_MS);
  }
  await scene.quiet();
  for (let pass = 0; pass < 2; pass += 1) {
    await scene.retain(CALM);
    clock.advance(LEASE_MS);
  }
  const faults = (await bookFaults({ pool })).map((fault) => `a month later: ${fault}`);
  if ((await costs()) !== before) faults.push('a month later: a row’s state or cost has changed');
  const { rows } = await pool.query<AssetRow>(
    `SELECT a."pathname", a."generationId", g."idempotencyKey" AS key, g."kind"::text, a."state" = 'APPROVED' AS "isApproved",
       a."deletedAt" IS NOT NULL AS "isGone"
     FROM "Asset" a JOIN "Generation" g ON g."id" = a."generationId" WHERE a."accountId" = ANY($1)`,
    [accountIds],
  );
  for (const { pathname, generationId, key, isApproved, isGone } of rows) {
    const fault = (text: string) => faults.push(`${generationId}: a month later, ${text}`);
    if (isGone === store.files.has(pathname))
      fault(`${pathname} is ${isGone ? 'still' : 'not'} in the store`);
    if (isApproved && isGone) fault('its approved file is gone');
    // The voice and the picture of lipsyncs follow what is made of them.
    if (!isApproved && !isGone && key.startsWith('request-'))
      fault('its file is kept by nobody and is there');
  }
  return faults;
}
