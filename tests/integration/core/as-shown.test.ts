import { expect, it } from 'vitest';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { registerProject, updateProject } from '#lib/brain/projects/register-project.ts';
import { changeSpace } from '#lib/brain/spaces/change-space.ts';
import { type Shown, type ShownValue, shownAs } from '#lib/core/input/shown-as.ts';
import { setKeyCap } from '#lib/identity/keys/set-key-cap.ts';
import { updateProfile } from '#lib/identity/members/update-profile.ts';
import { setCeiling } from '#lib/ledger/budget/set-ceiling.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { setApplicationCap } from '#lib/oauth/set-application-cap.ts';
import { setAccountLimits } from '#lib/storage/uploads/set-account-limits.ts';
import { setStorageQuota } from '#lib/storage/uploads/set-storage-quota.ts';
import { renameFilter } from '#lib/studio/saved-filters/rename-filter.ts';
import { saveFilter } from '#lib/studio/saved-filters/save-filter.ts';
import { changeEndpointEvents } from '#lib/webhooks/endpoints/change-endpoint.ts';
import { makeAccount, makeKey, makeMember, makeSpace, memberActor } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { makeClient, makeCode } from '#tests/factories/oauth.ts';
import { oneAcrossAnother } from '#tests/factories/statements/one-across-another.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { webhookScene } from '#tests/factories/webhooks.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 20 });

type Place = { pillar: 'KNOWLEDGE' | 'ITEMS' | 'PEOPLE'; parentId: string | null };

/** Two pages that show one thing: what each changes it to, by which field, and what stands. */
type Scene<T> = {
  field: string;
  values: readonly [T, T];
  stands: () => Promise<string>;
  /** What both write last; absent: the audit. */
  written?: string;
  first: (value: T, shown?: Shown) => Promise<unknown>;
  second: (value: T, shown?: Shown) => Promise<unknown>;
  /** What a page sends that shows this. */
  shown?: (stands: string) => Shown;
};

/** An account with two founders; `as` gives both the same verb. */
async function founders() {
  const { account, member, actor } = await makeAccount(service, { operator: true });
  const other = await makeMember(service, account.id);
  const [ctx, colleague] = [testContext(service, actor), testContext(service, memberActor(other))];
  const operating = testContext(service, { ...memberActor(other), operator: true });
  return { account, member, ctx, colleague, operating, accountId: account.id };
}

async function asOneOf<T extends ShownValue>(scene: Scene<T>): Promise<void> {
  const { field, values, stands, first, second } = scene;
  const page = scene.shown ?? ((text: string) => ({ [field]: text }));
  const opened = page(await stands());
  const [won, lost] = values;
  // In the very same moment one of them is refused, and the other one's change stands.
  const change = [() => first(won, opened), () => second(lost, opened)] as const;
  expect(await oneBeforeAnother(service, ...change, scene.written)).toEqual(['done', 'conflict']);
  expect(await stands()).toBe(shownAs(won));
  // So it is later, and the field is named.
  await expect(second(lost, opened)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('entre-temps\u00a0: rien n’a été enregistré.'),
    options: { problems: [{ field, message: expect.stringMatching(/entre-temps\.$/) }] },
  });
  expect(await stands()).toBe(shownAs(won));
  // What stands already is no conflict: the answer to its saving was lost.
  await first(won, opened);
  // Over what stands now, and from where nothing is shown.
  await second(lost, page(shownAs(won)));
  expect(await stands()).toBe(shownAs(lost));
  await first(won);
  expect(await stands()).toBe(shownAs(won));
}

it('the events of a webhook that another page has chosen meanwhile stay, and who chooses over the former ones is told', async () => {
  const scene = await webhookScene(service);
  const { id: endpointId } = await scene.subscribe('https://a.boutique.fr/evenements', ['memory.added']);
  const other = scene.context(memberActor(await makeMember(service, scene.account.id)));
  const change = (ctx: typeof other) => (events: readonly string[], shown?: Shown) =>
    changeEndpointEvents(ctx, { endpointId, events, shown });
  await asOneOf({
    field: 'events',
    values: [
      ['memory.changed', 'memory.added'],
      ['generation.closed', 'memory.added'],
    ],
    stands: async () =>
      shownAs((await service.db.webhookEndpoint.findUniqueOrThrow({ where: { id: endpointId } })).events),
    first: change(scene.ctx),
    second: change(other),
  });
});

it('the name and the site of a project, and of a Space, that a colleague has changed meanwhile stay; the other field is changed beside them', async () => {
  const { ctx, colleague, accountId } = await founders();
  const { id: projectId } = await registerProject(ctx, {
    accountId,
    name: 'Boutique',
    websiteUrl: 'https://avant.exemple',
  });
  const { id: spaceId } = await makeSpace(service, accountId, { name: 'Maison' });
  const project = () => service.db.project.findUniqueOrThrow({ where: { id: projectId } });
  const space = () => service.db.space.findUniqueOrThrow({ where: { id: spaceId } });
  const names = ['Boutique du Gers', 'Atelier du Gers'] as const;
  const sites = ['https://un.exemple', 'https://deux.exemple'] as const;
  await asOneOf<string>({
    field: 'name',
    values: names,
    stands: async () => (await project()).name,
    first: (name, shown) => updateProject(ctx, { accountId, projectId, name, shown }),
    second: (name, shown) => updateProject(colleague, { accountId, projectId, name, shown }),
  });
  await asOneOf<string>({
    field: 'websiteUrl',
    values: sites,
    stands: async () => (await project()).websiteUrl,
    first: (websiteUrl, shown) => updateProject(ctx, { accountId, projectId, websiteUrl, shown }),
    second: (websiteUrl, shown) => updateProject(colleague, { accountId, projectId, websiteUrl, shown }),
  });
  await asOneOf<string>({
    field: 'name',
    values: names,
    stands: async () => (await space()).name,
    first: (name, shown) => changeSpace(ctx, { spaceId, name, shown }),
    second: (name, shown) => changeSpace(colleague, { spaceId, name, shown }),
  });
  await asOneOf<string>({
    field: 'websiteUrl',
    values: sites,
    stands: async () => shownAs((await space()).websiteUrl),
    first: (websiteUrl, shown) => changeSpace(ctx, { spaceId, websiteUrl, shown }),
    second: (websiteUrl, shown) => changeSpace(colleague, { spaceId, websiteUrl, shown }),
  });
  // A form that shows a former name, of which the site alone was typed.
  const { websiteUrl } = await project();
  const shown = { name: 'Un ancien nom', websiteUrl };
  await updateProject(ctx, { accountId, projectId, websiteUrl: 'https://trois.exemple', shown });
  expect(await project()).toMatchObject({
    websiteUrl: 'https://trois.exemple',
    name: expect.stringMatching(/Gers/),
  });
});

it('the caps of a member that another founder has set meanwhile stay, and who sets them over the former ones is told', async () => {
  const { ctx, colleague, member } = await founders();
  const { id: memberId } = member;
  await setCaps(ctx, { memberId, monthlyCapMicros: 9_000_000n });
  const wallet = () => service.db.wallet.findUniqueOrThrow({ where: { memberId } });
  await asOneOf<bigint | null>({
    field: 'perGenerationUsd',
    values: [1_000_000n, 2_000_001n],
    stands: async () => shownAs((await wallet()).perGenerationCapMicros),
    first: (value, shown) => setCaps(ctx, { memberId, perGenerationCapMicros: value, shown }),
    second: (value, shown) => setCaps(colleague, { memberId, perGenerationCapMicros: value, shown }),
  });
  await asOneOf<bigint | null>({
    field: 'monthlyUsd',
    values: [3_000_000n, null],
    stands: async () => shownAs((await wallet()).monthlyCapMicros),
    first: (value, shown) => setCaps(ctx, { memberId, monthlyCapMicros: value, shown }),
    second: (value, shown) => setCaps(colleague, { memberId, monthlyCapMicros: value, shown }),
  });
});

it('caps and a ceiling that somebody has read and is about to set are waited for: who sets them in that moment is told', async () => {
  const { ctx, colleague, operating, member, accountId } = await founders();
  const { id: memberId } = member;
  await setCaps(ctx, { memberId, monthlyCapMicros: 9_000_000n });
  const caps = (by: typeof ctx, monthlyCapMicros: bigint) =>
    setCaps(by, { memberId, monthlyCapMicros, shown: { monthlyUsd: '9000000' } });
  expect(
    await oneAcrossAnother(
      service,
      (kysely) => caps({ ...ctx, kysely }, 1_000_000n),
      /^update "Wallet"/,
      () => caps(colleague, 2_000_000n),
    ),
  ).toEqual(['done', 'conflict']);
  expect(await service.db.wallet.findUniqueOrThrow({ where: { memberId } })).toMatchObject({
    monthlyCapMicros: 1_000_000n,
  });
  await setCeiling(ctx, { accountId, monthlyCeilingMicros: 9_000_000n });
  const ceiling = (by: typeof ctx, monthlyCeilingMicros: bigint) =>
    setCeiling(by, { accountId, monthlyCeilingMicros, shown: { monthlyCeilingUsd: '9000000' } });
  expect(
    await oneAcrossAnother(
      service,
      (kysely) => ceiling({ ...ctx, kysely }, 1_000_000n),
      /^update "Budget"/,
      () => ceiling(operating, 2_000_000n),
    ),
  ).toEqual(['done', 'conflict']);
  expect(await service.db.budget.findUniqueOrThrow({ where: { accountId } })).toMatchObject({
    monthlyCeilingMicros: 1_000_000n,
  });
});

it('the ceiling and the room of an account that somebody has set meanwhile stay, and of a form of both neither is set where one is refused', async () => {
  const { ctx, operating, accountId } = await founders();
  const ceiling = async () =>
    shownAs((await service.db.budget.findUnique({ where: { accountId } }))?.monthlyCeilingMicros ?? null);
  const room = async () =>
    shownAs((await service.db.storageQuota.findUnique({ where: { accountId } }))?.bytes ?? null);
  await asOneOf<bigint | null>({
    field: 'monthlyCeilingUsd',
    values: [1_000_000n, 2_000_000n],
    stands: ceiling,
    first: (monthlyCeilingMicros, shown) => setCeiling(ctx, { accountId, monthlyCeilingMicros, shown }),
    second: (monthlyCeilingMicros, shown) =>
      setAccountLimits(operating, { accountId, monthlyCeilingMicros, shown }),
  });
  // From none: there is no row to wait for.
  await asOneOf<bigint | null>({
    field: 'gigabytes',
    values: [5_000_000_001n, 6_000_000_000n],
    stands: room,
    first: (bytes, shown) => setStorageQuota(ctx, { accountId, bytes, shown }),
    second: (bytes, shown) => setAccountLimits(operating, { accountId, bytes, shown }),
  });
  const stood = await ceiling();
  const shown = { monthlyCeilingUsd: stood, gigabytes: '1' };
  await expect(
    setAccountLimits(operating, { accountId, monthlyCeilingMicros: 7n, bytes: 8n, shown }),
  ).rejects.toMatchObject({ code: 'conflict', options: { problems: [{ field: 'gigabytes' }] } });
  expect(await ceiling()).toBe(stood);
});

it('the cap of a key, and of an application, that somebody has set meanwhile stays, and who sets it over the former one is told', async () => {
  const { ctx, colleague, member, accountId } = await founders();
  const { key } = await makeKey(service, member);
  const client = await makeClient(service);
  await makeCode(service, member, {
    client,
    resource: '/api/v1',
    scopes: ['studio:read', 'studio:generate'],
  });
  const capOf = async (clientId: string | null) => {
    const where = { memberId: member.id, clientId };
    return shownAs((await service.db.credentialAllowance.findFirstOrThrow({ where })).monthlyCapMicros);
  };
  const [keyId, { id: clientId }, memberId] = [key.id, client, member.id];
  const values = [1_000_000n, 9_000_000n] as const;
  await asOneOf<bigint>({
    field: 'monthlyCapMicros',
    values,
    stands: () => capOf(null),
    first: (monthlyCapMicros, shown) => setKeyCap(ctx, { accountId, keyId, monthlyCapMicros, shown }),
    second: (monthlyCapMicros, shown) => setKeyCap(colleague, { accountId, keyId, monthlyCapMicros, shown }),
  });
  await asOneOf<bigint>({
    field: 'monthlyCapMicros',
    values,
    stands: () => capOf(clientId),
    first: (monthlyCapMicros, shown) =>
      setApplicationCap(ctx, { clientId, memberId, monthlyCapMicros, shown }),
    second: (monthlyCapMicros, shown) =>
      setApplicationCap(colleague, { clientId, memberId, monthlyCapMicros, shown }),
  });
});

it('one’s own name, and that of a filter, that another tab has changed meanwhile stay; so does a filter that was saved under the name', async () => {
  const { ctx, member } = await founders();
  await asOneOf<string>({
    field: 'name',
    values: ['Agnès', 'Inès'],
    stands: async () => (await service.db.member.findUniqueOrThrow({ where: { id: member.id } })).name,
    first: (name, shown) => updateProfile(ctx, { name, shown }),
    second: (name, shown) => updateProfile(ctx, { name, shown }),
  });
  const { id: savedFilterId } = await saveFilter(ctx, { name: 'Images', query: 'kind=image' });
  await asOneOf<string>({
    field: 'name',
    values: ['Photos', 'Visuels'],
    written: 'SavedFilter',
    stands: async () =>
      (await service.db.savedFilter.findUniqueOrThrow({ where: { id: savedFilterId } })).name,
    first: (name, shown) => renameFilter(ctx, { savedFilterId, name, shown }),
    second: (name, shown) => renameFilter(ctx, { savedFilterId, name, shown }),
  });
  // Two pages that show no filter of that name.
  const name = 'Été';
  await asOneOf<string>({
    field: 'name',
    values: ['kind=video', 'kind=image'],
    written: 'SavedFilter',
    stands: async () =>
      (await service.db.savedFilter.findFirst({ where: { memberId: member.id, name } }))?.query ?? '',
    shown: (query): Shown => (query === '' ? {} : { [name]: query }),
    first: (query, shown) => saveFilter(ctx, { name, query, shown }),
    second: (query, shown) => saveFilter(ctx, { name, query, shown }),
  });
});

it('the place of a Memory that a colleague has moved since the page showed it stays, whoever moves it or takes a move back; a program moves it from wherever it is', async () => {
  const { ctx, colleague, accountId } = await founders();
  const { id: spaceId } = await makeSpace(service, accountId);
  const { memory } = await addMemory(ctx, {
    spaceId,
    pillar: 'KNOWLEDGE',
    title: 'Tri',
    body: 'Corps',
    parentId: null,
    source: 'API',
    idempotencyKey: null,
  });
  const [shown, theirs, ours] = (['KNOWLEDGE', 'ITEMS', 'PEOPLE'] as const).map((pillar) => ({
    pillar,
    parentId: null,
  })) as [Place, Place, Place];
  const place = async () => (await service.db.memory.findUniqueOrThrow({ where: { id: memory.id } })).role;
  const move = (by: typeof ctx, to: Place, from?: Place) =>
    moveMemory(by, { memoryId: memory.id, ...to, shown: from });
  const atOnce = await Promise.allSettled([move(ctx, ours, shown), move(colleague, theirs, shown)]);
  expect(atOnce.filter(({ status }) => status === 'rejected')).toMatchObject([
    { reason: { code: 'conflict', message: expect.stringContaining('rangée ailleurs entre-temps') } },
  ]);
  await move(ctx, ours);
  await move(colleague, theirs, ours);
  // Taken back: from where it was put, and a colleague has put it elsewhere.
  await expect(move(ctx, shown, ours)).rejects.toMatchObject({ code: 'conflict' });
  expect(await place()).toBe('ITEMS');
  // There already: the answer to its moving was lost.
  expect(await move(ctx, theirs, shown)).toMatchObject({ moved: 0 });
});
