import type { Connection } from '#lib/db/connection.ts';
import { closeAccount, reopenAccount } from '#lib/identity/closing/close-account.ts';
import { revokeKey } from '#lib/identity/keys/revoke-key.ts';
import { rotateKey } from '#lib/identity/keys/rotate-key.ts';
import { setKeyCap } from '#lib/identity/keys/set-key-cap.ts';
import { removeMember } from '#lib/identity/members/remove-member.ts';
import { reactivateMember, suspendMember, updateMember } from '#lib/identity/members/update-member.ts';
import { openSession } from '#lib/identity/sessions/open-session.ts';
import { giveToAccount } from '#lib/ledger/budget/give-to-account.ts';
import { takeBackFromAccount } from '#lib/ledger/budget/take-back-from-account.ts';
import { grantCredit } from '#lib/ledger/grant-credit.ts';
import { setCaps } from '#lib/ledger/set-caps.ts';
import { changeFaults } from './change-faults.ts';
import { type Act, type Asked, type Call, type Change, LEAST_MICROS } from './plan.ts';
import type { Owner, Scene, SceneContext } from './scene.ts';

type ChangeAct = Extract<Act, { does: 'change' }>;

/** A change that was asked for: how often, and how often its verb answered. */
export type Changed = {
  act: ChangeAct;
  owner: Owner;
  /** The key that it names, as its client knew it; empty where it names none. */
  keyId: string;
  asked: number;
  answered: number;
  /** Its member had been removed before. */
  afterRemoval: boolean;
};

type KeyState = {
  id: string;
  memberId: string;
  revokedAt: Date | null;
  successorId: string | null;
  cap: string;
};
type MemberState = { id: string; status: string; mayGenerate: boolean; cap: string | null };

/** What keys and members are, by their identifiers, and accounts. */
export type ChangedState = {
  keys: Map<string, KeyState>;
  members: Map<string, MemberState>;
  /** The accounts that are closed. */
  closed: Set<string>;
};

const READ_KEYS = `SELECT k."id", k."memberId", k."revokedAt", k."successorId", a."monthlyCapMicros"::text AS cap
  FROM "DeveloperKey" k JOIN "CredentialAllowance" a ON a."id" = k."allowanceId" WHERE k."accountId" = ANY($1)`;
const READ_MEMBERS = `SELECT m."id", m."status"::text AS status, w."monthlyCapMicros"::text AS cap,
    (m."role" = 'FOUNDER' OR 'generate' = ANY(m."permissions")) AS "mayGenerate"
  FROM "Member" m JOIN "Wallet" w ON w."memberId" = m."id" WHERE m."accountId" = ANY($1)`;
const READ_CLOSED = `SELECT "id" FROM "Account" WHERE "id" = ANY($1) AND "closedAt" IS NOT NULL`;

/** What may let in again, at the same moment, whom an earlier change shut out. */
const GIVES_BACK: ReadonlySet<Change['what']> = new Set(['reactivate', 'allow', 'key-cap', 'member-cap']);

/** What is done in a closed account: opening it, and what the shell does of its money. */
const WHILE_CLOSED: ReadonlySet<Change['what']> = new Set(['close', 'reopen', 'give', 'take-back']);

/** What the changes of a scene did so far: what is known of keys and members is read after each moment that has one, and only then. */
export function followChanges({ pool }: Connection, scene: Scene) {
  const changed: Changed[] = [];
  const violations: string[] = [];
  const shutOut = new Map<number, { asked: Asked; why: string }>();
  let state: ChangedState = { keys: new Map(), members: new Map(), closed: new Set() };

  /** Why nothing may be submitted for this request, whatever happens at its own moment; null: it may. */
  function whyShut(asked: Asked, beside: readonly Act[]): string | null {
    const owner = scene.ownerOf(asked.account);
    if (!owner) return null;
    const credential = owner.credentials[asked.by];
    const key = 'keyId' in credential ? state.keys.get(credential.keyId) : undefined;
    const member = state.members.get(credential.memberId);
    if (key?.revokedAt) return 'its key was revoked';
    if (member?.status === 'REMOVED') return 'its member was removed';
    const given = beside.flatMap((act) =>
      act.does === 'change' && act.account === asked.account ? [act.change.what] : [],
    );
    if (state.closed.has(owner.accountId) && !given.includes('reopen')) return 'its account was closed';
    if (given.some((what) => GIVES_BACK.has(what))) return null;
    if (member?.status === 'SUSPENDED') return 'its member was suspended';
    if (member?.mayGenerate === false) return 'its member lost the right';
    if (isNothing(member?.cap)) return 'its member’s cap was lowered';
    return isNothing(key?.cap) ? 'its key’s cap was lowered' : null;
  }

  return {
    /** A later request, beside whatever else happens at its moment. */
    ask(asked: Asked, beside: readonly Act[]): Promise<unknown> {
      const why = whyShut(asked, beside);
      if (why !== null) shutOut.set(asked.id, { asked, why });
      return scene.ask(asked);
    },
    async change(act: ChangeAct): Promise<void> {
      const owner = scene.ownerOf(act.account);
      if (!owner) return;
      // Whoever shows who they are is let in to read.
      if (state.closed.has(owner.accountId) && !WHILE_CLOSED.has(act.change.what)) return;
      const afterRemoval = state.members.get(owner.memberId)?.status === 'REMOVED';
      const one = { act, owner, keyId: keyOf(act.change, owner), asked: 0, answered: 0, afterRemoval };
      changed.push(one);
      const calls: Call[] = act.again ? [act, { ...act, troubles: [] }] : [act];
      for (const call of calls) {
        one.asked += 1;
        const isAnswered = await scene.run(call, owner.actors.founder, async (ctx) => {
          await carryOut(ctx, one);
          return true;
        });
        if (isAnswered) one.answered += 1;
      }
    },
    /** Once everything of a moment is over: what was answered is so. */
    async look(acts: readonly Act[]): Promise<void> {
      const ids = new Set(acts.flatMap((act) => (act.does === 'change' ? [act.id] : [])));
      if (ids.size === 0) return;
      const isClosing = changed.some(({ act }) => act.change.what === 'close');
      const closed = isClosing
        ? (await pool.query<{ id: string }>(READ_CLOSED, [scene.accountIds])).rows
        : [];
      const [keys, members] = await Promise.all([
        pool.query<KeyState>(READ_KEYS, [scene.accountIds]),
        pool.query<MemberState>(READ_MEMBERS, [scene.accountIds]),
      ]);
      state = {
        keys: new Map(keys.rows.map((key) => [key.id, key])),
        members: new Map(members.rows.map((member) => [member.id, member])),
        closed: new Set(closed.map(({ id }) => id)),
      };
      for (const one of changed)
        if (ids.has(one.act.id) && one.answered > 0 && !holds(one, state))
          violations.push(
            `account ${one.act.account}: « ${one.act.change.what} » was answered and is not so`,
          );
    },
    /** The accounts that are closed. */
    closed: (): ReadonlySet<string> => state.closed,
    /** At the end. Adds how many requests were shut out to `states`. */
    async faults(states: Record<string, number>): Promise<string[]> {
      if (shutOut.size > 0) states['SHUT OUT'] = shutOut.size;
      return [...violations, ...(await changeFaults(pool, scene, { changed, shutOut, state }))];
    },
  };
}

const isNothing = (cap: string | null | undefined) => cap != null && Number(cap) < LEAST_MICROS;

function keyOf(change: Change, { credentials }: Owner): string {
  if (change.what !== 'rotate' && !('key' in change)) return '';
  const credential = credentials[change.what === 'rotate' ? 'key' : change.key];
  return 'keyId' in credential ? credential.keyId : '';
}

/** The change by the service's own verb: a founder's, or the shell's for the account's own money. */
async function carryOut(ctx: SceneContext, { act, owner, keyId }: Changed): Promise<unknown> {
  const { accountId, memberId, credentials } = owner;
  const { change } = act;
  const target = { accountId, memberId };
  const credit = { idempotencyKey: `credit-${act.id}` };
  switch (change.what) {
    case 'revoke':
      return revokeKey(ctx, { accountId, keyId });
    case 'rotate': {
      const { overlapDays } = change;
      const made = await rotateKey(ctx, { accountId, keyId, overlapDays });
      credentials.key = { memberId: credentials.key.memberId, keyId: made.id, secret: made.secret };
      return;
    }
    case 'key-cap':
      return setKeyCap(ctx, { accountId, keyId, monthlyCapMicros: BigInt(change.capMicros) });
    case 'member-cap':
      return setCaps(ctx, { memberId, monthlyCapMicros: BigInt(change.capMicros) });
    case 'suspend':
      return suspendMember(ctx, target);
    case 'reactivate': {
      await reactivateMember(ctx, target);
      // Suspension ended their sessions: they sign in again.
      credentials.member = { memberId, sessionId: (await openSession(ctx, target)).sessionId };
      return;
    }
    case 'remove':
      return removeMember(ctx, target);
    case 'forbid':
    case 'allow': {
      const permissions = change.what === 'allow' ? (['generate'] as const) : [];
      return updateMember(ctx, { ...target, name: 'Camille Aubry', role: 'MEMBER', permissions });
    }
    case 'close':
      return closeAccount(ctx, { accountId, name: owner.name });
    case 'reopen':
      return reopenAccount(ctx, { accountId });
    case 'share':
      return grantCredit(ctx, { ...credit, memberId, amountMicros: BigInt(change.amountMicros) });
    case 'give':
    case 'take-back': {
      const shell = { ...ctx, actor: { type: 'admin' as const } };
      const input = { ...credit, accountId, amountMicros: BigInt(change.amountMicros) };
      return change.what === 'give' ? giveToAccount(shell, input) : takeBackFromAccount(shell, input);
    }
  }
}

/** Whether what was answered is so: nothing else of its sort happened at the same moment. */
function holds({ act: { change }, owner, keyId }: Changed, { keys, members, closed }: ChangedState): boolean {
  const key = keys.get(keyId);
  const member = members.get(owner.memberId);
  switch (change.what) {
    case 'revoke':
      return key?.revokedAt != null;
    case 'rotate':
      return key?.successorId != null && (change.overlapDays > 0 || key.revokedAt !== null);
    case 'key-cap':
      return key?.cap === String(change.capMicros);
    case 'member-cap':
      return member?.cap === String(change.capMicros);
    case 'suspend':
      return member?.status === 'SUSPENDED';
    case 'reactivate':
      return member?.status === 'ACTIVE';
    case 'remove':
      return member?.status === 'REMOVED';
    case 'forbid':
    case 'allow':
      return member?.mayGenerate === (change.what === 'allow');
    case 'close':
    case 'reopen':
      return closed.has(owner.accountId) === (change.what === 'close');
    default:
      return true;
  }
}
