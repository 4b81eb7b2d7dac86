import { beforeAll, expect, test } from 'vitest';
import { makeAccount, makeKey, makeSpace } from '#tests/factories/account.ts';
import { makeTokens } from '#tests/factories/oauth.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Action, discoverActions } from './actions.ts';
import { signInAs } from './next-request.ts';

const service = useApi();
let actions: Action[] = [];
beforeAll(async () => {
  actions = await discoverActions();
});

async function submit(
  name: string,
  as: { accountId: string; memberId: string },
  form: Record<string, unknown>,
) {
  const action = actions.find((one) => one.name === `app/(cockpit)/${name}`);
  if (!action) throw new Error(`no action ${name}`);
  await signInAs(service, as);
  return action.run(form);
}

test('a form of Spaces that comes without its choice opens none of them, never all: of a key and of an application', async () => {
  const { account, member, actor } = await makeAccount(service);
  const space = await makeSpace(service, account.id);
  const { key } = await makeKey(service, member);
  const { client } = await makeTokens(service, member);
  const given = JSON.stringify({ [space.id]: 'read' });
  const forms = [
    ['developpeurs/actions.ts changeKeySpaces', 'DeveloperKey', { keyId: key.id }],
    [
      'applications/actions.ts changeApplicationSpaces',
      'OAuthGrant',
      { clientId: client.id, memberId: member.id },
    ],
  ] as const;
  for (const [action, table, target] of forms) {
    await service.pool.query(`UPDATE "${table}" SET "spaceRights" = $2 WHERE "memberId" = $1`, [
      member.id,
      given,
    ]);
    expect(await submit(action, actor, target)).toMatchObject({ status: 'done' });
    const { rows } = await service.pool.query(`SELECT "spaceRights" FROM "${table}" WHERE "memberId" = $1`, [
      member.id,
    ]);
    expect([action, rows]).toEqual([action, [{ spaceRights: {} }]]);
  }
});
