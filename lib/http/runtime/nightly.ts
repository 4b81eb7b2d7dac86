import { eraseExpired } from '#lib/brain/bin/erase.ts';
import { sketchMissing } from '#lib/brain/likeness/sketch-missing.ts';
import { purgeProposals } from '#lib/brain/proposals/purge-proposals.ts';
import { tidyIndex } from '#lib/brain/search/index/tidy-index.ts';
import type { SystemActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { faultFields } from '#lib/core/faults.ts';
import type { Post } from '#lib/identity/notices/mail-notices.ts';
import { eraseOrphanPersons } from '#lib/identity/people/erase-person.ts';
import { purgeExpired } from '#lib/identity/purge-expired.ts';
import { mailLowBalances } from '#lib/ledger/notices/mail-low-balances.ts';
import { purgeClients } from '#lib/oauth/clients/purge-clients.ts';
import { eraseExpiredBinned } from '#lib/storage/bin/erase-expired-binned.ts';
import type { FilesContext } from '#lib/storage/context.ts';
import { eraseClosed } from '#lib/storage/offboarding/erase-closed.ts';
import { tidyExports } from '#lib/storage/offboarding/run-export.ts';
import type { RetentionOutcome } from '#lib/storage/retention/report.ts';
import { runRetention } from '#lib/storage/retention/run-retention.ts';
import { mailMentions } from '#lib/studio/comments/mail-mentions.ts';

/** What leaves the bin, the night's retention of files, then what expires in the database; answers the retention's report. `post` mails who has to know. */
export async function runNightly(ctx: FilesContext<SystemActor>, post?: Post): Promise<RetentionOutcome> {
  // First: what an avatar or a concept of the bin held is judged in this very night.
  await independently(ctx, 'erase-binned-files', () => eraseExpiredBinned(ctx));
  try {
    return await runRetention(ctx);
  } finally {
    await independently(ctx, 'purge-expired', purgeExpired);
    await independently(ctx, 'purge-clients', purgeClients);
    await independently(ctx, 'erase-orphan-persons', eraseOrphanPersons);
    await independently(ctx, 'erase-deleted-memories', eraseExpired);
    await independently(ctx, 'purge-proposals', purgeProposals);
    await independently(ctx, 'tidy-exports', () => tidyExports(ctx));
    await independently(ctx, 'erase-closed-accounts', () => eraseClosed(ctx, post));
    await independently(ctx, 'mail-mentions', () => mailMentions(ctx, post));
    await independently(ctx, 'mail-low-balances', () => mailLowBalances(ctx, post));
    await independently(ctx, 'sketch-memories', sketchMissing);
    await independently(ctx, 'tidy-search-index', tidyIndex);
  }
}

/** Work of the same night that has nothing to do with files: its failure is logged and costs retention nothing. */
async function independently(
  ctx: Context<SystemActor>,
  task: string,
  run: (ctx: Context<SystemActor>) => Promise<unknown>,
): Promise<void> {
  try {
    await run(ctx);
  } catch (error) {
    ctx.log.error('cron.task_failed', { task, ...faultFields(error) });
  }
}
