import { beforeAll, expect, test } from 'vitest';
import { testContext } from '#tests/factories/context.ts';
import { addConcept } from '#tests/factories/files/concept.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { type Action, type Answer, discoverActions } from './actions.ts';
import { rowsOf } from './attacks.ts';
import { signInAs } from './next-request.ts';

const service = useApi({ poolMax: 10 });
const MARKER = 'ZQPERIMEEZQ';

type Case = {
  action: string;
  /** What names the thing, and what was typed. */
  form: Record<string, unknown>;
  /** The field that somebody changed since, and what the page would show if it were read now. */
  field: string;
  stands: Record<string, string>;
};

let own: PopulatedAccount;
let actions: Action[] = [];
let cases: Case[] = [];

const idOf = (kind: string, at = 0) => own.ids[kind]?.[at] ?? '';

beforeAll(async () => {
  own = await populatedAccount(service, { marker: MARKER });
  actions = await discoverActions();
  const { accountId } = own;
  // Its founder sets the limits of every account.
  await service.db.account.update({ where: { id: accountId }, data: { isOperator: true } });
  const { id: conceptId } = await addConcept(testContext(service, own.actor), {
    productId: 'libre',
    name: 'Hiver',
  });
  const spending = await service.db.oAuthGrant.findFirstOrThrow({
    where: { accountId, allowanceId: { not: null } },
  });
  const ofApplication = { clientId: spending.clientId, memberId: idOf('member') };
  const limits = { accountId, monthlyCeilingUsd: '7', gigabytes: '3' };
  cases = [
    {
      action: 'developpeurs/evenements/actions.ts changeEvents',
      field: 'events',
      form: { endpointId: idOf('webhookEndpoint'), events: ['memory.deleted'] },
      stands: { events: '["memory.added"]' },
    },
    {
      action: 'projets/actions.ts changeProject',
      field: 'websiteUrl',
      form: { projectId: idOf('project'), websiteUrl: 'https://neuf.exemple.test' },
      stands: { websiteUrl: 'https://p.exemple.test' },
    },
    {
      action: 'espaces/actions.ts changeSpace',
      field: 'name',
      form: { spaceId: idOf('space'), name: 'Nom tapé' },
      stands: { name: `Espace ${MARKER}` },
    },
    {
      action: 'portefeuille/actions.ts changeCaps',
      field: 'monthlyUsd',
      form: { memberId: idOf('member', 1), monthlyUsd: '1' },
      stands: { monthlyUsd: '2000000' },
    },
    {
      action: 'exploitation/actions.ts setAccountLimits',
      field: 'gigabytes',
      form: limits,
      stands: { monthlyCeilingUsd: '', gigabytes: '100000000000' },
    },
    {
      action: 'developpeurs/actions.ts changeKeyCap',
      field: 'monthlyCapMicros',
      form: { keyId: idOf('developerKey'), monthlyCapMicros: '4' },
      stands: { monthlyCapMicros: '5000000' },
    },
    {
      action: 'applications/actions.ts changeApplicationCap',
      field: 'monthlyCapMicros',
      form: { ...ofApplication, monthlyCapMicros: '4' },
      stands: { monthlyCapMicros: '5000000' },
    },
    {
      action: 'compte/actions.ts saveProfile',
      field: 'name',
      form: { name: 'Nom tapé' },
      stands: { name: `Fondatrice ${MARKER}` },
    },
    {
      action: 'filters/actions.ts renameFilterAction',
      field: 'name',
      form: { savedFilterId: idOf('savedFilter'), name: 'Nom tapé' },
      stands: { name: `Filtre ${MARKER}` },
    },
    {
      action: 'filters/actions.ts saveFilterAction',
      field: 'name',
      form: { name: 'Nom tapé', query: 'kind=image' },
      stands: { 'Nom tapé': `q=${MARKER}` },
    },
    {
      action: '_studio/journal/actions.ts attachFile',
      field: 'conceptId',
      form: { assetId: idOf('asset'), productId: 'libre', conceptId },
      stands: { conceptId: idOf('concept') },
    },
  ];
});

const find = (action: string): Action => {
  const found = actions.filter(({ name }) => name.endsWith(action));
  if (found.length !== 1 || !found[0]) throw new Error(`${found.length} actions end with ${action}`);
  return found[0];
};
const signIn = () => signInAs(service, { accountId: own.accountId, memberId: idOf('member') });

test('no form writes over what somebody changed since its page was read: each is refused in French, names the field, keeps what was typed, and writes over what it shows', async () => {
  const faults: string[] = [];
  for (const { action, form, field, stands } of cases) {
    const send = find(action);
    await signIn();
    const before = await rowsOf(service, own, MARKER);
    const stale = { ...stands, [field]: field === 'events' ? '["memory.changed"]' : '1' };
    // A name that no page showed, where the one that was saved is the member's own.
    const shown = action.endsWith('saveFilterAction') ? {} : stale;
    const late: Answer & { values?: Record<string, string[]> } = await send.run({ ...form, shown });
    const after = await rowsOf(service, own, MARKER);
    const said = { status: late.status, code: late.code, problems: late.problems };
    try {
      expect(said).toEqual({
        status: 'refused',
        code: 'conflict',
        problems: [{ field, message: expect.stringMatching(/ entre-temps\.$/) }],
      });
      expect(late.message).toContain(' entre-temps\u00a0: rien n’a été enregistré. ');
      expect(after).toEqual(before);
      for (const [name, typed] of Object.entries(form)) expect(late.values?.[name]).toEqual([typed].flat());
      expect(await send.run({ ...form, shown: stands })).toMatchObject({ status: 'done' });
    } catch (error) {
      faults.push(`${action}: ${error}`);
    }
  }
  expect(faults).toEqual([]);
});

test('a filter that is brought back, and a file that is taken out of its concept, undo nothing that was done since', async () => {
  await signIn();
  const { name, query } = await service.db.savedFilter.findUniqueOrThrow({
    where: { id: idOf('savedFilter') },
  });
  const restore = find('filters/actions.ts restoreFilterAction');
  const refused = { status: 'refused', code: 'conflict' };
  expect(await restore.call({ name, query: 'kind=video' })).toMatchObject(refused);
  expect(await restore.call({ name, query })).toMatchObject({ status: 'done' });
  const detach = find('_studio/journal/actions.ts detachFile');
  const file = { assetId: idOf('asset', 1) };
  const conceptId = idOf('concept');
  await service.db.asset.update({ where: { id: file.assetId }, data: { conceptId } });
  expect(await detach.call({ ...file, conceptId: 'cpt_autre' })).toMatchObject(refused);
  const { conceptId: kept } = await service.db.asset.findUniqueOrThrow({ where: { id: file.assetId } });
  expect(kept).toBe(conceptId);
  expect(await detach.call({ ...file, conceptId })).toMatchObject({ status: 'done' });
});

test('a face that a colleague keeps already says under which name, not that the one just typed was taken', async () => {
  await signIn();
  const save = find('_studio/journal/actions.ts saveAvatarAction');
  const { assetId, name } = await service.db.avatar.findFirstOrThrow({
    where: { accountId: own.accountId, deletedAt: null },
  });
  expect(await save.run({ assetId, name })).toMatchObject({ message: 'Visage gardé parmi les avatars' });
  expect(await save.run({ assetId, name: 'Agnès' })).toMatchObject({
    message: `Ce visage était déjà parmi les avatars, sous le nom «\u00a0${name}\u00a0»`,
  });
});
