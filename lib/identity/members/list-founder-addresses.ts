import type { Context } from '#lib/core/context.ts';

/** E-mail addresses of an account's active founders, for what the service itself has to tell them. */
export function listFounderAddresses(
  ctx: Pick<Context, 'db'>,
  input: { accountId: string },
): Promise<string[]> {
  return addresses(ctx, { id: input.accountId });
}

/** The same of the account that operates the service; none while no account does. */
export function listOperatorAddresses(ctx: Pick<Context, 'db'>): Promise<string[]> {
  return addresses(ctx, { isOperator: true });
}

async function addresses(
  ctx: Pick<Context, 'db'>,
  account: { id: string } | { isOperator: true },
): Promise<string[]> {
  const founders = await ctx.db.member.findMany({
    where: { account, role: 'FOUNDER', status: 'ACTIVE' },
    select: { email: true },
  });
  return founders.flatMap(({ email }) => email ?? []);
}
