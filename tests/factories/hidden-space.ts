import { createId } from '#lib/core/ids.ts';
import type { TestService } from '#tests/setup/service.ts';
import { makeSpace } from './account.ts';
import type { PopulatedAccount } from './populated-account.ts';

/** A Space of a populated account with a row of every kind that a Space can hold; `ids` as the matrices name them. */
export type HiddenSpace = {
  spaceId: string;
  ids: Record<string, string[]>;
  pathnames: string[];
  /** Every identifier of it. */
  all: string[];
  /** Of the account: an image whose prompt quotes the Space. */
  generationId: string;
};

/** Adds it, the marker in every text. */
export async function hiddenSpace(
  service: TestService,
  own: PopulatedAccount,
  marker: string,
): Promise<HiddenSpace> {
  const now = new Date();
  const at = { createdAt: now, updatedAt: now };
  const { db } = service;
  const { accountId, actor } = own;
  const space = await makeSpace(service, accountId, { name: `Espace ${marker}` });
  const archived = await makeSpace(service, accountId, { name: `Archive ${marker}` });
  await db.space.update({ where: { id: archived.id }, data: { archivedAt: now } });
  const memory = (title: string, more: object = {}) =>
    db.memory.create({
      data: {
        id: createId('memory'),
        accountId,
        spaceId: space.id,
        role: 'KNOWLEDGE',
        kind: 'NOTE',
        cu: 1,
        title: `${title} ${marker}`,
        body: `Corps ${marker} bougie cachee`,
        source: 'MANUAL',
        ...at,
        ...more,
      },
    });
  const root = await memory('Racine', { version: 2 });
  const child = await memory('Enfant', { parentId: root.id, depth: 1 });
  const deletionId = createId('deletion');
  const gone = await memory('Supprimée', { deletedAt: now, deletionId });
  await db.space.update({ where: { id: space.id }, data: { cu: 2, memories: 2, version: 5 } });
  const revisionIds: string[] = [];
  for (const [one, version] of [
    [root.id, 1],
    [root.id, 2],
    [gone.id, 1],
  ] as const) {
    const id = createId('revision');
    revisionIds.push(id);
    await db.memoryRevision.create({
      data: {
        id,
        accountId,
        memoryId: one,
        version,
        change: 'EDITED',
        role: 'KNOWLEDGE',
        kind: 'NOTE',
        title: `Version ${marker}`,
        body: `Ancien ${marker}`,
        actor: 'member:x',
        createdAt: now,
      },
    });
  }
  const job = await db.importJob.create({
    data: {
      id: createId('importJob'),
      accountId,
      memberId: actor.memberId,
      spaceId: space.id,
      ...at,
      label: `Import ${marker}`,
      source: 'UPLOAD',
      state: 'DONE',
      total: 1,
      done: 1,
      refused: [],
    },
  });
  // An import of the Space that is shown may be like what is hidden.
  await db.importJob.updateMany({
    where: { id: own.ids.importJob?.[0] ?? '' },
    data: {
      similar: [
        {
          path: 'a.md',
          id: own.ids.memory?.[0],
          title: 'Titre',
          similar: [{ id: root.id, spaceId: space.id, title: `Racine ${marker}`, similarity: 0.9 }],
        },
      ],
      similarCount: 1,
    },
  });
  const proposal = await db.memoryProposal.create({
    data: {
      id: createId('proposal'),
      accountId,
      memberId: actor.memberId,
      spaceId: space.id,
      memoryId: root.id,
      baseVersion: 2,
      role: 'KNOWLEDGE',
      title: `Proposition ${marker}`,
      body: `Texte ${marker}`,
      note: marker,
      proposer: 'member:x',
      fingerprint: Buffer.from(marker),
      createdAt: now,
      expiresAt: new Date(now.getTime() + 86_400_000),
    },
  });
  const generationId = createId('generation');
  const request = { kind: 'image', productId: 'libre', brief: 'Une bougie', spaceId: space.id };
  await db.generation.create({
    data: {
      id: generationId,
      accountId,
      memberId: actor.memberId,
      productId: 'libre',
      kind: 'IMAGE',
      assetType: 'IMAGE',
      state: 'COMPLETED',
      references: {},
      requestId: 'req_hidden',
      ...at,
      params: { brief: 'Une bougie', prompt: `Contexte ${marker}`, spaceId: space.id, request },
      searchText: 'une bougie',
      closedAt: now,
      deadlineAt: now,
      dueAt: now,
      costMicros: 1n,
    },
  });
  const ids = {
    space: [space.id, archived.id],
    memory: [root.id, child.id, gone.id],
    deletion: [deletionId],
    importJob: [job.id],
    proposal: [proposal.id],
  };
  const all = [...Object.values(ids).flat(), ...revisionIds];
  return { spaceId: space.id, ids, pathnames: [], all, generationId };
}
