import { filesScene } from '#tests/factories/files/files.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import type { TestService } from '#tests/setup/service.ts';
import type { Step } from './history.ts';
import { playPass, type Sabotage, settle, type Totals } from './judge.ts';
import { play } from './play.ts';
import { newStage } from './stage.ts';

/** Plays one history on a clean database and returns what no rule allows; nothing when all is well. */
export async function simulate(
  service: TestService,
  steps: readonly Step[],
  totals: Totals,
  sabotage: Sabotage = {},
): Promise<string[]> {
  await clean(service);
  const s = await filesScene(service);
  await giveCredit(s.ctx, s.owner.memberId, 1_000_000n);
  const stage = newStage(s);
  totals.schedules += 1;
  for (const step of steps) {
    totals.steps += 1;
    if (!step.does.startsWith('pass')) {
      await play(stage, step);
      continue;
    }
    const { faults } = await playPass(stage, step, totals, sabotage);
    if (faults.length > 0) return faults;
  }
  return settle(stage, totals, sabotage);
}

/** Retention looks at every account: what the history before left is put away. Its journal stays, closed. */
async function clean(service: TestService): Promise<void> {
  await service.pool.query(`
    DELETE FROM "CronCursor"; DELETE FROM "CronRun"; DELETE FROM "Avatar"; DELETE FROM "Lesson"; DELETE FROM "CaptureRush";
    UPDATE "Asset" SET "ancestorId" = NULL WHERE "ancestorId" IS NOT NULL;
    DELETE FROM "Asset"; DELETE FROM "Concept"; DELETE FROM "Upload";
    UPDATE "Generation" SET "state" = 'FAILED', "code" = 'orphaned', "closedAt" = now() WHERE "state" = 'SUBMITTED';
    UPDATE "Generation" SET "filesDeletedAt" = now() WHERE "filesDeletedAt" IS NULL`);
}
