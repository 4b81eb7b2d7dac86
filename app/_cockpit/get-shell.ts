import type { ShellData } from '#app/_ui/shell/types.ts';
import { getQuota } from '#lib/brain/get-quota.ts';
import { hasPermission, PERMISSIONS } from '#lib/core/actor.ts';
import type { PageMember } from '#lib/http/page-member.ts';
import { readWallet } from '#lib/ledger/wallet.ts';

/** What the shell around every page shows of the member: account, rights, the month's reads, the available balance. */
export async function getShell({ ctx, profile }: PageMember): Promise<ShellData> {
  const [quota, wallet] = await Promise.all([
    getQuota(ctx),
    readWallet(ctx, { memberId: ctx.actor.memberId }),
  ]);
  return {
    account: { name: profile.accountName },
    member: { name: profile.name, email: profile.email, role: ctx.actor.role },
    permissions: PERMISSIONS.filter((permission) => hasPermission(ctx.actor, permission)),
    reads: { used: quota.used, total: quota.limit, resetsAt: new Date(quota.resetsAt) },
    balance: wallet.id === '' ? null : { availableMicros: wallet.availableMicros },
  };
}
