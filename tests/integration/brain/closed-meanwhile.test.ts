import { expect, it } from 'vitest';
import { startImport } from '#lib/brain/imports/jobs.ts';
import type { MemoryDraft } from '#lib/brain/imports/parse/types.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { moveMemory } from '#lib/brain/memories/move-memory.ts';
import { undoDelete } from '#lib/brain/memories/undo-delete.ts';
import { registerProject, updateProject } from '#lib/brain/projects/register-project.ts';
import { refuseProposal } from '#lib/brain/proposals/decide-proposal.ts';
import { proposeMemory } from '#lib/brain/proposals/propose-memory.ts';
import { archiveSpace, changeSpace } from '#lib/brain/spaces/change-space.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { closeAccount } from '#lib/identity/closing/close-account.ts';
import { makeAccount, makeSpace } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { oneBeforeAnother } from '#tests/factories/statements/one-before-another.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService({ poolMax: 8 });

async function setting() {
  const { account, actor } = await makeAccount(service, { capacityCu: 100 });
  const space = await makeSpace(service, account.id);
  const ctx = testContext(service, { ...actor, verifiedAt: new Date() });
  const add = async (title: string) => {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title,
      body: 'Corps',
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: null,
    });
    return memory.id;
  };
  const memoryId = await add('Une idée');
  const { deletionId } = await deleteMemory(ctx, { memoryId: await add('Une autre') });
  const project = { accountId: account.id, name: 'Lampe', websiteUrl: 'https://lampe.fr' };
  const { id: projectId } = await registerProject(ctx, project);
  const { id: proposalId } = await proposeMemory(ctx, {
    place: { memoryId },
    title: 'Une idée',
    body: 'Autrement',
    note: null,
  });
  const draft: MemoryDraft = {
    ...({ key: 'a.md', parentKey: null, depth: 0, pillar: 'KNOWLEDGE', kind: 'NOTE' } as const),
    title: 'A',
    body: 'a',
    source: null,
    sourceRef: null,
    id: null,
    file: null,
    createdAt: null,
    updatedAt: null,
  };
  const spaceId = space.id;
  const writes: Record<string, (by: Context<AccountActor>) => Promise<unknown>> = {
    deleteMemory: (by) => deleteMemory(by, { memoryId }),
    moveMemory: (by) => moveMemory(by, { memoryId, pillar: 'GUIDELINES', parentId: null }),
    undoDelete: (by) => undoDelete(by, { deletionId }),
    createSpace: (by) => createSpace(by, { accountId: account.id, name: 'Encore', template: 'brand' }),
    changeSpace: (by) => changeSpace(by, { spaceId, name: 'Autrement' }),
    archiveSpace: (by) => archiveSpace(by, { spaceId, archived: true }),
    registerProject: (by) => registerProject(by, project),
    updateProject: (by) => updateProject(by, { accountId: account.id, projectId, name: 'Bougie' }),
    refuseProposal: (by) => refuseProposal(by, { proposalId, reason: null }),
    startImport: () =>
      startImport(ctx, { spaceId, label: 'a.md', source: 'UPLOAD', drafts: [draft], refused: [] }),
  };
  const close = () => closeAccount(ctx, { accountId: account.id, name: account.name });
  const of = { accountId: account.id };
  const rows = async () => [
    await service.db.memory.findMany({ where: of, orderBy: { id: 'asc' } }),
    await service.db.space.findMany({ where: of, orderBy: { id: 'asc' } }),
    await service.db.project.findMany({ where: of, orderBy: { id: 'asc' } }),
    await service.db.memoryProposal.findMany({ where: of }),
    await service.db.importJob.findMany({ where: of }),
    (await service.db.account.findUniqueOrThrow({ where: { id: account.id } })).usedCu,
  ];
  return { ctx, writes, close, rows };
}

const NAMES = [
  'deleteMemory',
  'moveMemory',
  'undoDelete',
  'createSpace',
  'changeSpace',
  'archiveSpace',
  'registerProject',
  'updateProject',
  'refuseProposal',
  'startImport',
];

it.each(NAMES)(
  '%s writes nothing in an account that is being closed in that very moment, nor later',
  async (name) => {
    const { ctx, writes, close, rows } = await setting();
    expect(Object.keys(writes)).toEqual(NAMES);
    const write = writes[name];
    if (!write) throw new Error(`no write ${name}`);
    const before = await rows();
    expect(await oneBeforeAnother(service, close, () => write(ctx))).toEqual(['done', 'conflict']);
    await expect(write(ctx)).rejects.toMatchObject({ options: { detail: 'account-closed' } });
    expect(await rows()).toEqual(before);
  },
);

it('a key is told so in the words of the API', async () => {
  const { ctx, writes, close } = await setting();
  const { accountId, memberId, role, permissions } = ctx.actor;
  const key = testContext(service, {
    type: 'key',
    keyId: 'key_x',
    scopes: ['brain:read', 'brain:write'],
    accountId,
    memberId,
    role,
    permissions,
  } as const);
  await close();
  for (const name of ['deleteMemory', 'moveMemory', 'undoDelete'])
    await expect(writes[name]?.(key)).rejects.toMatchObject({ code: 'account_closed' });
});
