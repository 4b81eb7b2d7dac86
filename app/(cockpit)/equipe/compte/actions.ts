'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { withFiles } from '#lib/http/runtime/files.ts';
import { postLater } from '#lib/http/runtime/mailer.ts';
import { runLater } from '#lib/http/runtime/run-later.ts';
import { closeAccount as close, reopenAccount as reopen } from '#lib/identity/closing/close-account.ts';
import { startExport } from '#lib/storage/offboarding/exports.ts';
import { runExport } from '#lib/storage/offboarding/run-export.ts';

const PAGE = '/equipe/compte';

export const exportAccount = memberCall({
  permission: 'members.manage',
  whileClosed: true,
  schema: z.object({}),
  async run(base) {
    const ctx = withFiles(base);
    const { exportId } = await startExport(ctx);
    runLater('account.export_failed', () => runExport(ctx, { exportId }), { exportId });
    revalidatePath(PAGE);
    return { message: 'L’export se prépare' };
  },
});

export const closeAccount = memberAction({
  permission: 'members.manage',
  schema: z.object({ name: z.string() }),
  async run(ctx, { name }) {
    await close(ctx, { accountId: ctx.actor.accountId, name }, (mail) => postLater(mail, ctx.requestId));
    revalidatePath('/', 'layout');
    return { message: 'Compte fermé' };
  },
});

export const reopenAccount = memberCall({
  permission: 'members.manage',
  whileClosed: true,
  schema: z.object({}),
  async run(ctx) {
    await reopen(ctx, { accountId: ctx.actor.accountId }, (mail) => postLater(mail, ctx.requestId));
    revalidatePath('/', 'layout');
    return { message: 'Compte rouvert' };
  },
});
