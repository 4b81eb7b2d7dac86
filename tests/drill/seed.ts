import { text } from 'node:stream/consumers';
import { getContext } from '#lib/brain/context/get-context.ts';
import { spaceJson } from '#lib/brain/export/json.ts';
import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { deleteMemory } from '#lib/brain/memories/delete-memory.ts';
import { updateMemory } from '#lib/brain/memories/update-memory.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import { exportSpace } from '#lib/brain/spaces/export-space.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readAudit } from '#lib/identity/audit/read-audit.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { giveToAccount } from '#lib/ledger/budget/give-to-account.ts';
import { readStatement } from '#lib/ledger/reads/read-statement.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import type { FileStore } from '#lib/storage/file-store.ts';
import { journalQuery, listGenerations } from '#lib/studio/journal/list-generations.ts';
import { submitGeneration } from '#lib/studio/submission/submit-generation.ts';
import { IMAGE, request, studioScene } from '#tests/factories/studio.ts';
import type { TestService } from '#tests/setup/service.ts';

type Seeded = { spaceId: string; keySecret: string; scene: Awaited<ReturnType<typeof studioScene>> };

const WORDS =
  'cire lavande mèche flamme coton grès four émail lampe veilleuse recharge atelier Grasse bois'.split(' ');
const sentence = (seed: number) =>
  Array.from({ length: 24 }, (_, rank) => WORDS[(seed * 7 + rank * (1 + (seed % 5))) % WORDS.length]).join(
    ' ',
  );

/** An account as months of use leave it, made by the app's own verbs: texts with history and a bin, journal, ledger, files, keys, audit. */
export async function seedForDrill(
  service: TestService,
  input: { store: FileStore; memories: number; generations: number },
): Promise<Seeded> {
  const scene = await studioScene(service, { creditMicros: 10_000_000_000n, capacityCu: 1_000_000 });
  const ctx = scene.with({ store: input.store });
  const { accountId, memberId } = scene.owner;
  await giveToAccount(
    { ...ctx, actor: { type: 'admin' } },
    { accountId, amountMicros: 25_000_000n, note: 'Premier versement' },
  );
  const space = await createSpace(ctx, { accountId, name: 'Maison', template: 'brand', websiteUrl: null });
  const ids: string[] = [];
  for (let rank = 0; rank < input.memories; rank += 1) {
    const { memory } = await addMemory(ctx, {
      spaceId: space.id,
      pillar: 'KNOWLEDGE',
      title: `Fiche ${rank}`,
      body: sentence(rank),
      parentId: null,
      source: 'MANUAL',
      idempotencyKey: `drill-${rank}`,
    });
    ids.push(memory.id);
  }
  for (const [rank, memoryId] of ids.entries()) {
    if (rank % 10 === 1)
      await updateMemory(ctx, {
        memoryId,
        expectedVersion: null,
        title: `Fiche ${rank}`,
        body: sentence(rank + 1),
      });
    if (rank % 25 === 2) await deleteMemory(ctx, { memoryId });
  }
  await indexPending(ctx, { accountId, everything: true });
  const { secret } = await createKey(ctx, {
    accountId,
    memberId,
    name: 'Clé de l’exercice',
    scopes: ['brain:read'],
    expiresInDays: null,
  });
  for (let rank = 0; rank < input.generations; rank += 1) {
    await submitGeneration(ctx, {
      request: request(rank % 3 === 2 ? { kind: 'vector', brief: 'Une flamme' } : IMAGE),
      idempotencyKey: `drill-${rank}`,
    });
  }
  // Under way when the dump is taken: its reserve is held in the books.
  await submitGeneration(ctx, {
    request: request({ kind: 'video', case: 'veo', brief: 'Une flamme', durationSeconds: 4 }),
  });
  return { spaceId: space.id, keySecret: secret, scene };
}

/** What a member and a program read, as text: the same questions before the loss and after the restore. Throws where one has no answer. */
export async function sampleAnswers(
  service: TestService,
  seeded: Seeded,
  store: FileStore,
): Promise<Record<string, string>> {
  const { scene, spaceId } = seeded;
  const ctx = { ...scene.with({ store }), db: service.db, kysely: service.kysely };
  const { memberId } = scene.owner;
  const month = ctx.clock.now().toISOString().slice(0, 7);
  const answers: Record<string, unknown> = {};
  for (const q of ['lavande', 'mèche en coton', 'Fiche 3'])
    answers[`search « ${q} »`] = (await searchMemories(ctx, { q })).data;
  // A question of its own is never answered from this process's memory.
  answers.context = (await getContext(ctx, { spaceId, q: 'émail du four', maxChars: 2000 })).json?.text;
  answers.export = await text(spaceJson(await exportSpace(ctx, { spaceId })));
  answers.statement = await readStatement(ctx, { memberId, month });
  answers.wallet = await readWallet(ctx, { memberId });
  answers.journal = await listGenerations(ctx, journalQuery.parse({}));
  answers.audit = (await readAudit(ctx, { limit: 50 })).entries;
  const key = await authenticateKey({ kysely: service.kysely, clock: systemClock }, seeded.keySecret, {
    isWrite: false,
  });
  answers.key = key?.actor;
  return Object.fromEntries(
    Object.entries(answers).map(([name, answer]) => {
      const said = JSON.stringify(answer, (_, value) => (typeof value === 'bigint' ? String(value) : value));
      // Nothing before and nothing after would be the same answer.
      if (!said || said === '[]') throw new Error(`${name}: no answer, and nothing to compare`);
      return [name, said];
    }),
  );
}
