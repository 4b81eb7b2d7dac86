import { beforeAll, describe, expect, it } from 'vitest';
import { listEntries } from '#lib/brain/queries/list-entries.ts';
import { listWallets } from '#lib/ledger/reads/list-wallets.ts';
import { saveAvatar } from '#lib/storage/assets/avatars.ts';
import { listAvatarsWithUses } from '#lib/storage/assets/list-avatars-with-uses.ts';
import { listFiles } from '#lib/storage/assets/list-files.ts';
import { listUploads } from '#lib/storage/uploads/list-uploads.ts';
import { listAccounts } from '#lib/studio/operations/list-accounts.ts';
import { listRuns } from '#lib/studio/operations/list-runs.ts';
import { listUndelivered } from '#lib/studio/operations/list-undelivered.ts';
import { furnish } from '#tests/e2e/setup/scenes/desk.ts';
import { makeAccount, makeMember, makeSpace } from '#tests/factories/account.ts';
import { addAsset, addUpload, type FilesScene, filesScene } from '#tests/factories/files/files.ts';
import { giveCredit } from '#tests/factories/ledger.ts';
import { explainedQueries, NO_SHORT_CUTS } from '#tests/factories/statements/explained-queries.ts';
import type { Statement } from '#tests/factories/statements/intercepted-queries.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
type Ctx = FilesScene['ctx'];
type Read = (ctx: Ctx, after: string | undefined) => Promise<string | null>;

let scene: FilesScene;
/** The account's founder, who does not operate the service. */
let own: Ctx;
let space: { id: string; createdAt: Date };

beforeAll(async () => {
  scene = await filesScene(service, { operator: true });
  own = { ...scene.ctx, actor: { ...scene.ctx.actor, operator: false } };
  const { accountId, memberId } = scene.owner;
  await giveCredit(scene.ctx, memberId, 100_000_000n);
  await furnish(service, scene.owner, { rows: 30 });
  await makeAccount(service);
  await makeMember(service, accountId);
  space = await makeSpace(service, accountId);
  for (const name of ['Agnès', 'Bruno']) {
    const { id: assetId } = await addAsset(scene);
    await saveAvatar(scene.ctx, { assetId, name });
    await addUpload(scene);
  }
});

const labelled = (label: string) => (statement: Statement) => statement.label === label;
const placeIn = () =>
  Buffer.from(
    JSON.stringify([space.createdAt.toISOString(), space.id, space.createdAt.toISOString(), 'mem_0']),
  ).toString('base64url');

type List = {
  name: string;
  of: (statement: Statement) => boolean;
  /** The columns by whose index a page begins, one for each reading that it takes. */
  by: string[];
  asOperator?: boolean;
  read: Read;
};

const LISTS: List[] = [
  {
    name: 'wallets',
    of: labelled('ledger.wallets'),
    by: ['createdAt'],
    read: async (ctx, after) => (await listWallets(ctx, { after, limit: 1 })).nextAfter,
  },
  {
    name: 'avatars',
    of: labelled('storage.avatars.page.account'),
    by: ['createdAt'],
    read: async (ctx, before) => (await listAvatarsWithUses(ctx, { before, limit: 1 })).nextBefore,
  },
  {
    name: 'avatars of a product',
    of: labelled('storage.avatars.page.product'),
    by: ['createdAt'],
    read: async (ctx, before) =>
      (await listAvatarsWithUses(ctx, { before, limit: 1, productId: 'libre' })).nextBefore,
  },
  {
    name: 'files',
    of: labelled('storage.files'),
    by: ['createdAt', 'createdAt', 'createdAt', 'createdAt'],
    read: async (ctx, cursor) => (await listFiles(ctx, { cursor, limit: 1 })).nextCursor,
  },
  {
    name: 'uploads',
    of: ({ text }) => text.includes('from "Upload" as "u"'),
    by: ['createdAt'],
    read: async (ctx, before) =>
      (await listUploads(ctx, { ...(before === undefined ? {} : { before }), limit: 1 })).nextBefore,
  },
  {
    name: 'Spaces and their Memories',
    of: labelled('list-entries'),
    by: ['createdAt'],
    // A page holds a hundred: the place is one that it would have given.
    read: async (ctx, cursor) => (await listEntries(ctx, cursor)).next ?? placeIn(),
  },
  {
    name: 'payments without a file, of the account',
    of: labelled('operations.undelivered.account'),
    by: ['at'],
    read: async (ctx, before) => (await listUndelivered(ctx, { before, limit: 1 })).nextBefore,
  },
  {
    name: 'payments without a file, of the service',
    of: labelled('operations.undelivered.service'),
    by: ['at'],
    asOperator: true,
    read: async (ctx, before) => (await listUndelivered(ctx, { before, limit: 1 })).nextBefore,
  },
  {
    name: 'runs',
    of: labelled('operations.runs'),
    by: ['startedAt'],
    asOperator: true,
    read: async (ctx, before) => (await listRuns(ctx, { job: 'retention', before, limit: 1 })).nextBefore,
  },
  {
    name: 'accounts',
    of: labelled('operations.accounts'),
    // Few, and counted above the list: no index of theirs is in the order of the list.
    by: [],
    asOperator: true,
    read: async (ctx, after) => (await listAccounts(ctx, { after, limit: 1 })).nextAfter,
  },
];

describe('under the plan that a prepared statement keeps, a page begins where the one before ended', () => {
  it.each(LISTS)('of $name', async ({ of, by, asOperator = false, read }) => {
    const { kysely, plans } = explainedQueries(service, { of, off: NO_SHORT_CUTS, generic: true });
    const ctx = { ...(asOperator ? scene.ctx : own), kysely };
    const place = await read(ctx, undefined);
    expect(place).not.toBeNull();
    await read(ctx, place ?? undefined);
    expect(plans).toHaveLength(2);
    const later = plans[1] ?? '';
    // `$1 IS NULL OR …`, of a place or of what narrows the list: no index serves it.
    expect(later).not.toMatch(/IS NULL\) OR \((ROW\(|")/);
    for (const column of new Set(by)) {
      // `(ROW("createdAt", id) < ROW(…))`, or the time alone where the index has no more.
      const bounds = later.match(new RegExp(`Index Cond: .*"?\\b${column}"?(, id\\))? [<>]`, 'g'));
      expect(bounds?.length ?? 0, later).toBeGreaterThanOrEqual(by.filter((one) => one === column).length);
    }
  });
});
