import type pg from 'pg';
import type { Changed, ChangedState } from './changes.ts';
import type { Asked } from './plan.ts';
import type { Scene } from './scene.ts';

type Entry = { action: string; subjectId: string; data: Record<string, unknown> };
type Followed = {
  changed: readonly Changed[];
  shutOut: ReadonlyMap<number, { asked: Asked; why: string }>;
  state: ChangedState;
};

const TOLD = [
  'key.revoked',
  'key.rotated',
  'key.cap_set',
  'ledger.caps_set',
  'ledger.granted',
  'ledger.account_granted',
  'ledger.account_taken_back',
  'member.updated',
  'member.suspended',
  'member.reactivated',
  'member.removed',
  'account.closed',
  'account.reopened',
];

/** Nothing was submitted once it might not be; each change was told once, and credit given once however often it was asked for. */
export async function changeFaults(pool: pg.Pool, scene: Scene, followed: Followed): Promise<string[]> {
  const faults = await submittedFaults(pool, scene, followed);
  if (followed.changed.length === 0) return faults;
  const { rows } = await pool.query<Entry>(
    `SELECT "action", "subjectId", "data" FROM "AuditEntry" WHERE "accountId" = ANY($1) AND "action" = ANY($2)`,
    [scene.accountIds, TOLD],
  );
  const told = (action: string, subjectId: string) =>
    rows.filter((entry) => entry.action === action && entry.subjectId === subjectId);
  faults.push(...keyAndMemberFaults(followed.state, told), ...capFaults(followed, told));
  faults.push(...closingFaults(followed, told));
  return [...faults, ...(await creditFaults(pool, scene, followed, rows))];
}

type Told = (action: string, subjectId: string) => Entry[];

async function submittedFaults(pool: pg.Pool, scene: Scene, { shutOut }: Followed): Promise<string[]> {
  if (shutOut.size === 0) return [];
  const { rows } = await pool.query<{ key: string }>(
    `SELECT "idempotencyKey" AS key FROM "Generation" WHERE "accountId" = ANY($1) AND "idempotencyKey" = ANY($2)`,
    [scene.accountIds, [...shutOut.keys()].map((id) => `request-${id}`)],
  );
  const submitted = new Set(rows.map(({ key }) => key));
  return [...shutOut.values()].flatMap(({ asked: { id, kind, by }, why }) => {
    // A provider of voices is told of no row: it knows the request.
    const isDone = submitted.has(`request-${id}`) || scene.outside.paid.has(`voice ${id}`);
    return isDone ? [`${kind} ${id}: submitted by the ${by} after ${why}`] : [];
  });
}

function keyAndMemberFaults({ keys, members }: ChangedState, told: Told): string[] {
  const faults: string[] = [];
  /** How many living keys of each member ended with it. */
  const endedWith = new Map<string, number>();
  for (const { id, memberId, revokedAt, successorId } of keys.values()) {
    const rotated = told('key.rotated', id);
    const revoked = told('key.revoked', id).length;
    if (rotated.length !== (successorId === null ? 0 : 1))
      faults.push(`${id}: its replacement is told ${rotated.length} times`);
    const isReplacedAtOnce = rotated.some(({ data }) => data.previousEndsAt === revokedAt?.toISOString());
    const endsByItself = revokedAt !== null && !isReplacedAtOnce;
    const isRemoved = members.get(memberId)?.status === 'REMOVED';
    if (endsByItself && isRemoved && revoked === 0)
      endedWith.set(memberId, (endedWith.get(memberId) ?? 0) + 1);
    else if (revoked !== (endsByItself ? 1 : 0)) faults.push(`${id}: its end is told ${revoked} times`);
  }
  for (const { id, status, mayGenerate } of members.values()) {
    const fault = (text: string) => faults.push(`${id} ${status}: ${text}`);
    const removed = told('member.removed', id);
    if (removed.length !== (status === 'REMOVED' ? 1 : 0))
      fault(`its removal is told ${removed.length} times`);
    for (const { data } of removed)
      if (data.keysRevoked !== (endedWith.get(id) ?? 0))
        fault(`${data.keysRevoked} keys are said to have ended with it, ${endedWith.get(id) ?? 0} did`);
    const suspended = told('member.suspended', id).length - told('member.reactivated', id).length;
    const allowed = status === 'SUSPENDED' ? [1] : status === 'REMOVED' ? [0, 1] : [0];
    if (!allowed.includes(suspended))
      fault(`suspended ${suspended} times more than it was let in again, says the audit`);
    let lost = 0;
    for (const { data } of told('member.updated', id)) {
      const { permissions } = data.after as { permissions: string[] };
      lost += permissions.includes('generate') ? -1 : 1;
    }
    if (lost !== (mayGenerate ? 0 : 1)) fault(`it lost its right ${lost} times, says the audit`);
  }
  return faults;
}

/** A cap may be set twice when its answer was lost: each time is told, and what was answered at least. */
function capFaults({ changed }: Followed, told: Told): string[] {
  return changed.flatMap(({ act, owner, keyId, asked, answered }) => {
    const { change } = act;
    if (change.what !== 'key-cap' && change.what !== 'member-cap') return [];
    const entries =
      change.what === 'key-cap' ? told('key.cap_set', keyId) : told('ledger.caps_set', owner.memberId);
    const times = entries.filter(({ data }) => data.monthlyCapMicros === String(change.capMicros)).length;
    if (times >= answered && times <= asked) return [];
    return [`account ${act.account}: a cap that was set ${answered} times is told ${times} times`];
  });
}

/** An account was closed once more than it was opened again, or as often. */
function closingFaults({ changed, state }: Followed, told: Told): string[] {
  const closings = changed.filter(({ act }) => act.change.what === 'close');
  return closings.flatMap(({ act, owner: { accountId } }) => {
    const times = told('account.closed', accountId).length - told('account.reopened', accountId).length;
    if (times === (state.closed.has(accountId) ? 1 : 0)) return [];
    return [`account ${act.account}: closed ${times} times more than it was opened again, says the audit`];
  });
}

async function creditFaults(
  pool: pg.Pool,
  scene: Scene,
  { changed }: Followed,
  entries: readonly Entry[],
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string; key: string }>(
    `SELECT "id", "idempotencyKey" AS key FROM "LedgerLine" WHERE "accountId" = ANY($1) AND "idempotencyKey" IS NOT NULL
     UNION ALL SELECT "id", "idempotencyKey" FROM "BudgetLine" WHERE "accountId" = ANY($1) AND "idempotencyKey" IS NOT NULL`,
    [scene.accountIds],
  );
  return changed.flatMap(({ act, answered, afterRemoval }) => {
    const { what } = act.change;
    if (what !== 'share' && what !== 'give' && what !== 'take-back') return [];
    const fault = (text: string) => `account ${act.account}: « ${what} » ${text}`;
    const lines = rows.filter(({ key }) => key === `credit-${act.id}`);
    const told = lines.map(({ id }) => entries.filter(({ data }) => data.lineId === id).length);
    return [
      ...(lines.length > 1 ? [fault(`is ${lines.length} lines`)] : []),
      ...(answered > 0 && lines.length === 0 ? [fault('was answered and has no line')] : []),
      ...(what === 'share' && afterRemoval && lines.length > 0
        ? [fault('came after its member was removed')]
        : []),
      ...told.flatMap((times) => (times === 1 ? [] : [fault(`is told ${times} times`)])),
    ];
  });
}
