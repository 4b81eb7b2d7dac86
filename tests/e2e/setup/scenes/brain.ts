import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { createSpace } from '#lib/brain/spaces/create-space.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import type { MemberActor, Permission } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { createId } from '#lib/core/ids.ts';
import { createLogger } from '#lib/core/log.ts';
import type { Connection } from '#lib/db/connection.ts';
import { createAccount } from '#lib/identity/accounts/create-account.ts';
import { inviteMember } from '#lib/identity/members/invite-member.ts';
import { openSessionFor } from '#lib/identity/sessions/open-session.ts';
import { sessionCookieName, signSessionCookie } from '#lib/identity/sessions/session-cookie.ts';
import { localSecrets } from '#lib/local/secrets.ts';
import { outboxPath } from '../account.ts';
import type { ServedApp } from '../serve.ts';
import { fillJournal } from './fill-journal.ts';
import { fillSpace } from './fill-space.ts';
import { reachDatabase } from './reach.ts';

/** A signed-in member of an account that was made for one scene. */
export type Seat = { ctx: Context<MemberActor>; accountId: string; cookie: { name: string; value: string } };

export type Scenes = {
  /** The database of the served app, for scenes that are written row by row. */
  reached: Pick<Connection, 'db' | 'kysely' | 'pool'>;
  /** A member of a new account: its founder, or a member with these permissions. */
  seat(options?: { name?: string; capacityCu?: number; permissions?: Permission[] }): Promise<Seat>;
  /** Another member of the same account. */
  colleague(seat: Seat, permissions: Permission[]): Promise<Seat>;
  /** Invites the person of `seat` into the account of `host`. */
  invite(host: Seat, seat: Seat): Promise<void>;
  space(seat: Seat, name: string): Promise<string>;
  memory(
    seat: Seat,
    spaceId: string,
    input: { pillar?: PillarRole; title: string; body?: string; parentId?: string | null },
  ): Promise<string>;
  /** A Space with many Memories, some of them nested, written in one statement. */
  crowd(seat: Seat, name: string, memories: number): Promise<string>;
  /** Adds this number of generations, one minute apart, each refused for lack of balance. */
  journal(seat: Seat, rows: number): Promise<void>;
  /** The outbox page, with its token. */
  outboxPath: string;
  close(): Promise<void>;
};

/** The number of accounts that this process has made. It makes each person unique. */
let count = 0;

/** Makes accounts, Spaces and sessions in the database of a served app, through the app's own verbs. */
export async function openScenes(app: ServedApp): Promise<Scenes> {
  const { connection, release } = await reachDatabase(app);
  const { SERVICE_SESSION_SECRET: secret } = await localSecrets(app.dataDir);
  const base = {
    db: connection.db,
    kysely: connection.kysely,
    clock: systemClock,
    log: createLogger({ write: () => {}, now: () => new Date() }),
    requestId: createId('request'),
  };
  const admin = { ...base, actor: { type: 'admin' as const } };

  async function sit(
    accountId: string,
    memberId: string,
    role: 'FOUNDER' | 'MEMBER',
    permissions: Permission[],
  ) {
    const { sessionId } = await openSessionFor(admin, { accountId, memberId, userAgent: 'scenes' });
    const { isOperator: operator } = await base.db.account.findUniqueOrThrow({ where: { id: accountId } });
    const actor: MemberActor = {
      type: 'member',
      sessionId,
      accountId,
      memberId,
      role,
      permissions,
      operator,
      verifiedAt: new Date(8.64e15),
    };
    const value = await signSessionCookie(sessionId, secret);
    return { ctx: { ...base, actor }, accountId, cookie: { name: sessionCookieName(false), value } };
  }
  const address = () => `scene-${process.pid}-${++count}@exemple.test`;

  const scenes: Scenes = {
    reached: connection,
    outboxPath: await outboxPath(app),
    async seat({ name = 'Maison Essai', capacityCu = 10_000, permissions } = {}) {
      const { account, founder } = await createAccount(admin, {
        name,
        founder: { email: address(), name: 'Camille Aubry' },
        capacityCu,
      });
      const seat = await sit(account.id, founder.id, 'FOUNDER', []);
      return permissions ? scenes.colleague(seat, permissions) : seat;
    },
    async colleague(seat, permissions) {
      const member = await inviteMember(admin, {
        accountId: seat.accountId,
        email: address(),
        name: 'Inès Roy',
        role: 'MEMBER',
        permissions,
      });
      return sit(seat.accountId, member.id, 'MEMBER', permissions);
    },
    async invite(host, seat) {
      const { person } = await connection.db.member.findUniqueOrThrow({
        where: { id: seat.ctx.actor.memberId },
        select: { person: { select: { email: true } } },
      });
      await inviteMember(
        { ...base, actor: host.ctx.actor },
        {
          accountId: host.accountId,
          email: person?.email ?? '',
          name: 'Camille Aubry',
          role: 'MEMBER',
          permissions: ['brain.write'],
        },
      );
    },
    async space({ ctx, accountId }, name) {
      return (await createSpace(ctx, { accountId, name, template: 'brand' })).id;
    },
    async memory({ ctx }, spaceId, { pillar = 'IDENTITY', title, body = 'Un texte.', parentId = null }) {
      const { memory } = await addMemory(ctx, {
        spaceId,
        pillar,
        title,
        body,
        parentId,
        source: 'MANUAL',
        idempotencyKey: null,
      });
      return memory.id;
    },
    async crowd(seat, name, memories) {
      const spaceId = await scenes.space(seat, name);
      await fillSpace(seat.ctx, spaceId, memories);
      return spaceId;
    },
    journal: ({ ctx }, rows) => fillJournal(ctx, rows),
    close: release,
  };
  return scenes;
}
