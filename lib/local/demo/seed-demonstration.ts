import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { importDrafts } from '#lib/brain/imports/import-drafts.ts';
import { parseMarkdownFolder } from '#lib/brain/imports/parse/markdown-folder.ts';
import { registerProject } from '#lib/brain/projects/register-project.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import type { SpaceTemplate } from '#lib/brain/templates.ts';
import type { AdminActor, MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import { MICROS_PER_USD } from '#lib/core/money.ts';
import { connect } from '#lib/db/connection.ts';
import { createAccount } from '#lib/identity/accounts/create-account.ts';
import { createKey } from '#lib/identity/keys/create-key.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import type { DemoAccess } from '../state.ts';

const FOUNDER = { email: 'agnes@maison-lumen.example', name: 'Agnès Morvan' };
const MEMBER = { email: 'louis@maison-lumen.example', name: 'Louis Perrin' };
const CAPACITY_CU = 2_000;
const CREDIT_USD = 50n;

/** Folders of `demo/` that become Spaces; the first one is a whole brand. */
const SPACES: { folder: string; name: string; template: SpaceTemplate; websiteUrl: string | null }[] = [
  {
    folder: 'maison-lumen',
    name: 'Maison Lumen',
    template: 'brand',
    websiteUrl: 'https://maison-lumen.example',
  },
  { folder: 'carnet-app', name: 'Le Carnet', template: 'app', websiteUrl: null },
  { folder: 'chantier-bibliotheques', name: 'Chantier bibliothèques', template: 'work', websiteUrl: null },
];

const PROJECTS = [
  { name: 'Boutique en ligne', websiteUrl: 'https://boutique.maison-lumen.example' },
  { name: 'Lettre du soir', websiteUrl: 'https://lettre.maison-lumen.example' },
];

/**
 * Makes the demonstration account, once: called at each start, it must find its own earlier work and leave it alone.
 * `before` is what it returned last time on this data folder; the database may have been emptied or replaced since.
 */
export async function seedDemonstration(input: {
  databaseUrl: string;
  before: DemoAccess | undefined;
  now: Date;
  /** There, the account gets an identifier of its own: the demonstration's products are nobody's. */
  isProduction?: boolean;
}): Promise<DemoAccess | undefined> {
  const connection = connect({ url: input.databaseUrl, poolMax: 4 });
  try {
    const ctx: Context<AdminActor> = {
      actor: { type: 'admin' },
      db: connection.db,
      kysely: connection.kysely,
      clock: { now: () => input.now },
      log: createLogger({ write: () => {}, now: () => input.now }),
      requestId: createId('request', input.now),
    };
    const { before } = input;
    if (before && (await ctx.db.account.count({ where: { id: before.accountId } })) === 1)
      return await withLiveSession(ctx, before);
    return await makeDemonstration(ctx, input.isProduction ?? false);
  } finally {
    await connection.close();
  }
}

async function withLiveSession(ctx: Context<AdminActor>, demo: DemoAccess): Promise<DemoAccess> {
  const live = await ctx.db.session.count({
    where: {
      id: demo.sessionId,
      revokedAt: null,
      expiresAt: { gt: ctx.clock.now() },
      member: { status: 'ACTIVE' },
    },
  });
  if (live === 1) return demo;
  const { sessionId } = await openSession(ctx, {
    accountId: demo.accountId,
    memberId: demo.memberId,
    userAgent: 'npm start',
  });
  return { ...demo, sessionId };
}

async function makeDemonstration(ctx: Context<AdminActor>, isProduction: boolean): Promise<DemoAccess> {
  // A seed cut half-way left an account that no file names: its members leave it, its rows stay.
  await ctx.db.member.updateMany({
    where: { email: { in: [FOUNDER.email, MEMBER.email] } },
    data: { status: 'REMOVED', email: null, personId: null },
  });

  // The registry names this account as the owner of the demonstration products; a seed cut half-way may have taken it.
  const isTaken = (await ctx.db.account.count({ where: { id: DEMO_ACCOUNT_ID } })) > 0;
  // Alone on the machine, its founder runs the service too, unless an account already does.
  const operator = (await ctx.db.account.count({ where: { isOperator: true } })) === 0;
  const { account, founder } = await createAccount(ctx, {
    operator,
    name: 'Maison Lumen',
    founder: FOUNDER,
    capacityCu: CAPACITY_CU,
    ...(isTaken || isProduction ? {} : { accountId: DEMO_ACCOUNT_ID }),
  });
  const accountId = account.id;
  const actor: MemberActor = {
    type: 'member',
    sessionId: 'seed',
    accountId,
    memberId: founder.id,
    role: 'FOUNDER',
    permissions: [],
    operator: account.isOperator,
    verifiedAt: ctx.clock.now(),
  };
  const asFounder = { ...ctx, actor };
  let firstSpaceId = '';
  for (const { folder, ...space } of SPACES) {
    const { id } = await createSpace(asFounder, { accountId, ...space });
    firstSpaceId ||= id;
    const { drafts } = parseMarkdownFolder(await demoFiles(folder), { pillar: 'KNOWLEDGE' });
    await importDrafts(asFounder, { spaceId: id, drafts, source: 'UPLOAD' });
  }
  for (const project of PROJECTS) await registerProject(asFounder, { accountId, ...project });
  const louis = await inviteMember(ctx, {
    accountId,
    ...MEMBER,
    role: 'MEMBER',
    permissions: ['brain.write', 'generate'],
  });
  for (const memberId of [founder.id, louis.id])
    await grantCredit(ctx, {
      memberId,
      amountMicros: CREDIT_USD * MICROS_PER_USD,
      note: 'Crédit de démonstration',
    });
  const key = await createKey(asFounder, {
    accountId,
    memberId: founder.id,
    name: 'Clé de démonstration',
    scopes: ['brain:read', 'brain:write', 'projects:read'],
    expiresInDays: null,
  });
  const { sessionId } = await openSession(ctx, { accountId, memberId: founder.id, userAgent: 'npm start' });
  return {
    accountId,
    memberId: founder.id,
    memberEmail: FOUNDER.email,
    sessionId,
    apiKey: key.secret,
    spaceId: firstSpaceId,
  };
}

async function demoFiles(folder: string) {
  const root = path.join(import.meta.dirname, folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (file) => ({
      path: path.relative(root, file).split(path.sep).join('/'),
      bytes: await readFile(file),
    })),
  );
}
