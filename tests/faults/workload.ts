import { getContext } from '#lib/brain/context/get-context.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { ERROR_CATALOG } from '#lib/core/errors.ts';
import { toServiceError } from '#lib/http/responses/respond.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { sweepGenerations } from '#lib/studio/sweep/sweep-generations.ts';
import { makeSpace } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { IMAGE, request, type StudioScene, studioScene } from '#tests/factories/studio.ts';
import type { TestService } from '#tests/setup/service.ts';

export type Bench = { service: TestService; scene: StudioScene; spaceId: string };

/** An account with a Space and credit, on recorded services. */
export async function makeBench(service: TestService): Promise<Bench> {
  const scene = await studioScene(service, { creditMicros: 10_000_000_000n });
  const space = await makeSpace(service, scene.owner.accountId);
  return { service, scene, spaceId: space.id };
}

export type Seen = { answers: Map<string, number>; slowestMs: number; refused: (() => Promise<unknown>)[] };

/** What a caller of a route would read of this error: the status and the code, through the edge's own translation. */
function answerOf(error: unknown): string {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const { code } = toServiceError(error, quiet, 'req_faults');
  return `${ERROR_CATALOG[code].status} ${code}`;
}

/**
 * Callers who read, search, add and generate, `count` of each in waves of eight, while `during` does its harm. Every write has a key of its
 * own, so a caller that was refused can ask again.
 */
export async function callers(
  bench: Bench,
  options: { name: string; count: number; ctx?: StudioScene['ctx'] },
): Promise<Seen> {
  const ctx = options.ctx ?? bench.scene.ctx;
  const seen: Seen = { answers: new Map(), slowestMs: 0, refused: [] };
  const work = (index: number): (() => Promise<unknown>)[] => [
    () => getContext(ctx, { spaceId: bench.spaceId }),
    () => searchMemories(ctx, { q: 'bougie' }),
    () =>
      addMemory(ctx, {
        spaceId: bench.spaceId,
        pillar: 'KNOWLEDGE',
        title: `${options.name} ${index}`,
        body: 'Une bougie coulée à la main.',
        parentId: null,
        source: 'API',
        idempotencyKey: `${options.name}-${index}`,
      }),
    () =>
      submitGeneration(ctx, { request: request(IMAGE), idempotencyKey: `${options.name}-${index}` }).then(
        ({ outcome }) => {
          if (outcome === 'failed') throw new GenerationFailed();
        },
      ),
  ];
  const tell = (answer: string) => seen.answers.set(answer, (seen.answers.get(answer) ?? 0) + 1);
  const one = async (call: () => Promise<unknown>) => {
    const start = performance.now();
    try {
      await call();
      tell('ok');
    } catch (error) {
      if (error instanceof GenerationFailed) tell('generation failed, refunded');
      else {
        tell(answerOf(error));
        seen.refused.push(call);
      }
    }
    seen.slowestMs = Math.max(seen.slowestMs, performance.now() - start);
  };
  for (let first = 0; first < options.count; first += 8) {
    const wave = Array.from({ length: Math.min(8, options.count - first) }, (_, rank) =>
      work(first + rank),
    ).flat();
    await Promise.all(wave.map(one));
  }
  return seen;
}

class GenerationFailed extends Error {}

/** What was refused, asked again under the same keys: the number that still fails. */
export async function askAgain(seen: Seen): Promise<number> {
  let failed = 0;
  for (const call of seen.refused)
    await call().catch((error: unknown) => {
      if (!(error instanceof GenerationFailed)) failed += 1;
    });
  return failed;
}

/** Lets the sweep finish what was cut, then lists what is wrong with books, counters, rows and keys. Empty: all exact. */
export async function unsound(bench: Bench): Promise<string[]> {
  const { service, scene } = bench;
  scene.clock.advance(3 * 3_600_000);
  const sweeper = { ...scene.ctx, actor: { type: 'system', job: 'generations-sweep' } as const };
  for (let pass = 0; pass < 3; pass += 1) {
    await sweepGenerations(sweeper);
    scene.clock.advance(20 * 60_000);
  }
  return inexact(service);
}

/** What is wrong with books, counters, rows and revisions of the whole database. Empty: all exact. */
export async function inexact(service: Pick<TestService, 'pool'>): Promise<string[]> {
  const faults = await bookFaults(service);
  const { rows } = await service.pool.query<{ fault: string }>(
    `SELECT 'open row ' || "id" AS fault FROM "Generation" WHERE "state" IN ('STARTING', 'SUBMITTED')
     UNION ALL SELECT 'held ' || "id" FROM "Wallet" WHERE "heldMicros" <> 0
     UNION ALL SELECT 'used CU of ' || a."id" FROM "Account" a WHERE a."usedCu" <>
       (SELECT coalesce(sum(m."cu"), 0) FROM "Memory" m WHERE m."accountId" = a."id" AND m."deletedAt" IS NULL)
     UNION ALL SELECT 'Space ' || s."id" FROM "Space" s LEFT JOIN "Memory" m ON m."spaceId" = s."id" AND m."deletedAt" IS NULL
       GROUP BY s."id" HAVING s."cu" <> coalesce(sum(m."cu"), 0) OR s."memories" <> count(m."id")
     UNION ALL SELECT 'Memory without revision ' || m."id" FROM "Memory" m
       WHERE NOT EXISTS (SELECT 1 FROM "MemoryRevision" r WHERE r."memoryId" = m."id")
     UNION ALL SELECT 'delivered, not settled ' || g."id" FROM "Generation" g WHERE g."state" = 'COMPLETED'
       AND NOT EXISTS (SELECT 1 FROM "LedgerLine" l WHERE l."generationId" = g."id" AND l."kind" = 'SETTLE')
     UNION ALL SELECT 'failed, not refunded ' || g."id" FROM "Generation" g WHERE g."state" = 'FAILED'
       AND NOT EXISTS (SELECT 1 FROM "LedgerLine" l WHERE l."generationId" = g."id" AND l."kind" = 'REFUND')`,
  );
  return [...faults, ...rows.map(({ fault }) => fault)];
}
