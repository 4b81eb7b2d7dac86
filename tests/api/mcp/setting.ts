import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import type { TestService } from '#tests/setup/service.ts';

/** An account with one Space, an application’s token for it, and a developer key. */
export async function setting(service: TestService, options: Parameters<typeof makeAccount>[1] = {}) {
  const { account, member } = await makeAccount(service, options);
  const space = await makeSpace(service, account.id);
  const { tokens, client } = await makeTokens(service, member);
  const { secret } = await makeKey(service, member);
  return { account, member, space, client, token: tokens.access_token, key: secret };
}

export type Setting = Awaited<ReturnType<typeof setting>>;

/** How many reads an account has used, in the month that it has used any. */
export const used = async (service: TestService, { account }: Pick<Setting, 'account'>) =>
  (await service.db.readMonth.findFirst({ where: { accountId: account.id } }))?.used ?? 0;
