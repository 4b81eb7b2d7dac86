import type { RetentionReport } from '#lib/storage/retention/report.ts';
import { type RetentionOptions, runRetention } from '#lib/storage/retention/run-retention.ts';
import type { TestService } from '#tests/setup/service.ts';
import { type FilesScene, filesScene } from './files.ts';

/** An account's files on a service that has no other: one account's night is every account's night. */
export async function quietFilesScene(service: TestService): Promise<FilesScene> {
  await service.pool.query(`UPDATE "Asset" SET "deletedAt" = now() WHERE "deletedAt" IS NULL`);
  await service.pool.query(`UPDATE "Upload" SET "deletedAt" = now() WHERE "deletedAt" IS NULL`);
  await service.pool.query(`DELETE FROM "CronCursor"`);
  return filesScene(service);
}

/** One pass of retention, which must run. */
export async function night(on: FilesScene, options: RetentionOptions = {}): Promise<RetentionReport> {
  const outcome = await runRetention(on.cron, options);
  if ('skipped' in outcome) throw new Error(`skipped: ${outcome.skipped}`);
  return outcome;
}
