import type { Context } from '#lib/core/context.ts';

/** E-mail addresses of an account's active founders, for what the service itself has to tell them. */
export async function listFounderAddresses(
  ctx: Pick<Context, 'db'>,
  input: { accountId: string },
): Promise<string[]> {
  const founders = await ctx.db.member.findMany({
    where: { accountId: input.accountId, role: 'FOUNDER', status: 'ACTIVE' },
    select: { email: true },
  });
  return founders.flatMap(({ email }) => email ?? []);
}
