import type { Page } from 'playwright';
import { manualClock } from '#lib/core/clock.ts';
import { createId } from '#lib/core/ids.ts';
import type { Connection } from '#lib/db/connection.ts';
import type { GenerationKind } from '#lib/db/generated/prisma/client.ts';
import { openSessionFor } from '#lib/identity/sessions/open-session.ts';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { refund, settle } from '#lib/ledger/close-reserve.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { testContext } from '#tests/factories/context.ts';
import { reserve } from '#tests/factories/reserve.ts';
import type { ServedApp } from '../global.ts';
import { reachDatabase } from './reach.ts';

type Reached = Pick<Connection, 'db' | 'kysely' | 'pool'>;
type Running = Pick<ServedApp, 'baseUrl' | 'dataDir'>;

/** Runs `work` on the database of the running app. */
export async function onAppDatabase<T>(app: Running, work: (service: Reached) => Promise<T>): Promise<T> {
  const { connection, release } = await reachDatabase(app);
  try {
    return await work(connection);
  } finally {
    await release();
  }
}

/** Signs a page in as the member with this address (in `accountId`, if they have several accounts), as after typing a code. */
export async function enterAs(
  page: Page,
  app: Running,
  email: string,
  accountId?: string,
): Promise<{ memberId: string; accountId: string }> {
  const { member, sessionId } = await onAppDatabase(app, async (service) => {
    const member = await service.db.member.findFirstOrThrow({ where: { email, accountId } });
    const ctx = testContext(service, { type: 'admin' as const });
    const { sessionId } = await openSessionFor(ctx, {
      accountId: member.accountId,
      memberId: member.id,
      userAgent: 'test',
    });
    return { member, sessionId };
  });
  const { SERVICE_SESSION_SECRET } = await localSecrets(app.dataDir);
  await page.context().addCookies([
    {
      name: sessionCookieName(false),
      value: await signSessionCookie(sessionId, SERVICE_SESSION_SECRET),
      url: app.baseUrl,
      httpOnly: true,
      sameSite: 'Lax',
    },
  ]);
  return { memberId: member.id, accountId: member.accountId };
}

type PaidRow = {
  kind?: GenerationKind;
  brief?: string;
  at: Date;
  heldMicros: bigint;
  /** A cost settles the row, null refunds it; absent, it stays open. */
  costMicros?: bigint | null;
  productId?: string;
  chargePending?: boolean;
};

/** Writes a generation with its ledger lines, which the ledger's own verbs write at the time of the row. Returns its identifier. */
export async function paidRow(
  service: Reached,
  owner: { accountId: string; memberId: string },
  row: PaidRow,
): Promise<string> {
  const clock = manualClock(row.at.toISOString());
  const ctx = testContext(service, { type: 'system' as const, job: 'generations-sweep' }, { clock });
  const id = createId('generation', row.at);
  const open = row.costMicros === undefined;
  const kind = row.kind ?? 'IMAGE';
  const far = new Date(row.at.getTime() + 90 * 86_400_000);
  await service.pool.query(
    `INSERT INTO "Generation" ("id", "accountId", "memberId", "productId", "kind", "assetType", "state", "params", "references",
       "createdAt", "startedAt", "deadlineAt", "dueAt", "updatedAt", "requestId", "heldMicros", "chargePending")
     VALUES ($1, $2, $3, $4, $5, $6, 'STARTING', $7, '{}', $8, $8, $9, $9, $8, 'req_scene', $10, $11)`,
    [
      id,
      owner.accountId,
      owner.memberId,
      row.productId ?? 'libre',
      kind,
      kind === 'VOICE' ? 'AUDIO' : kind === 'VIDEO' ? 'VIDEO' : 'IMAGE',
      JSON.stringify({ brief: row.brief ?? 'Une bougie sur une table en bois clair' }),
      row.at,
      far,
      row.heldMicros,
      row.chargePending ?? false,
    ],
  );
  await reserve(service.kysely, ctx, { ...owner, generationId: id, amountMicros: row.heldMicros });
  if (open) return id;
  const costMicros = row.costMicros ?? null;
  if (costMicros === null) await refund(service.kysely, ctx, { generationId: id });
  else await settle(service.kysely, ctx, { generationId: id, costMicros });
  await service.pool.query(
    `UPDATE "Generation" SET "state" = $2, "costMicros" = $3, "closedAt" = $4, "closedBy" = 'request', "code" = $5 WHERE "id" = $1`,
    [
      id,
      costMicros === null ? 'FAILED' : 'COMPLETED',
      costMicros,
      row.at,
      costMicros === null ? 'provider-failure' : null,
    ],
  );
  return id;
}
