import type { SpaceTemplate } from '#lib/brain/templates.ts';
import { type KeyActor, type MemberActor, type Permission, SCOPES, type Scope } from '#lib/core/actor.ts';
import { createId } from '#lib/core/ids.ts';
import { newDeveloperKey } from '#lib/identity/keys/developer-keys.ts';
import { DEFAULT_ALLOWANCE_MICROS } from '#lib/ledger/allowances.ts';
import type { TestService } from '#tests/setup/service.ts';

export type AccountOptions = {
  name?: string;
  capacityCu?: number;
  contractualReads?: number | null;
  role?: 'FOUNDER' | 'MEMBER';
  permissions?: Permission[];
  /** Makes it the operator's, in the place of the one that was. */
  operator?: boolean;
  now?: Date;
};

/** An account with one active member (a founder unless said otherwise). */
export async function makeAccount(service: Pick<TestService, 'db'>, options: AccountOptions = {}) {
  const now = options.now ?? new Date();
  if (options.operator)
    await service.db.account.updateMany({ where: { isOperator: true }, data: { isOperator: false } });
  const account = await service.db.account.create({
    data: {
      id: createId('account', now),
      name: options.name ?? 'Maison Lumen',
      capacityCu: options.capacityCu ?? 10_000,
      isOperator: options.operator ?? false,
      contractualReads: options.contractualReads ?? null,
      createdAt: now,
      updatedAt: now,
    },
  });
  const member = await makeMember(service, account.id, options);
  return { account, member, actor: { ...memberActor(member), operator: account.isOperator } };
}

type MemberRow = { id: string; accountId: string; role: 'FOUNDER' | 'MEMBER'; permissions: string[] };

export async function makeMember(
  service: Pick<TestService, 'db'>,
  accountId: string,
  options: AccountOptions = {},
) {
  const now = options.now ?? new Date();
  const id = createId('member', now);
  const email = `${id}@exemple.test`;
  const person = await service.db.person.create({
    data: { id: createId('person', now), email, createdAt: now },
  });
  const member = await service.db.member.create({
    data: {
      id,
      accountId,
      personId: person.id,
      email,
      name: options.name ?? 'Camille Aubry',
      role: options.role ?? 'FOUNDER',
      permissions: options.permissions ?? [],
      status: 'ACTIVE',
      createdAt: now,
      updatedAt: now,
    },
  });
  return { ...member, email };
}

export function memberActor(member: MemberRow): MemberActor {
  return {
    type: 'member',
    sessionId: 'ses_test',
    accountId: member.accountId,
    memberId: member.id,
    role: member.role,
    permissions: member.permissions as Permission[],
    operator: false,
    // Whatever the test's clock says: what asks for a recent proof has tests of its own.
    verifiedAt: new Date(8.64e15),
  };
}

const ALL_SCOPES: Scope[] = [...SCOPES];

/** A developer key of a member: its secret, and the actor that it authenticates. */
export async function makeKey(
  service: Pick<TestService, 'db'>,
  member: MemberRow,
  options: {
    scopes?: Scope[];
    expiresAt?: Date | null;
    revokedAt?: Date | null;
    now?: Date;
    /** With `studio:generate`; 5 $US when nothing is said. */
    monthlyCapMicros?: bigint;
  } = {},
) {
  const now = options.now ?? new Date();
  const { secret, prefix, tokenHash } = newDeveloperKey();
  const scopes = options.scopes ?? ALL_SCOPES;
  const at = { createdAt: now, updatedAt: now };
  const allowanceId = scopes.includes('studio:generate') ? createId('allowance', now) : null;
  if (allowanceId)
    await service.db.credentialAllowance.create({
      data: {
        id: allowanceId,
        accountId: member.accountId,
        memberId: member.id,
        ...at,
        monthlyCapMicros: options.monthlyCapMicros ?? DEFAULT_ALLOWANCE_MICROS,
      },
    });
  const row = await service.db.developerKey.create({
    data: {
      id: createId('developerKey', now),
      accountId: member.accountId,
      memberId: member.id,
      name: 'Clé de test',
      prefix,
      tokenHash,
      scopes,
      createdAt: now,
      expiresAt: options.expiresAt ?? null,
      revokedAt: options.revokedAt ?? null,
      allowanceId,
    },
  });
  const actor: KeyActor = {
    ...memberActor(member),
    type: 'key',
    keyId: row.id,
    scopes,
    ...(allowanceId === null ? {} : { allowanceId }),
  };
  return { secret, key: row, actor };
}

export async function makeSpace(
  service: Pick<TestService, 'db'>,
  accountId: string,
  options: { name?: string; template?: SpaceTemplate; now?: Date } = {},
) {
  const now = options.now ?? new Date();
  return service.db.space.create({
    data: {
      id: createId('space', now),
      accountId,
      name: options.name ?? 'Maison Lumen',
      template: options.template ?? 'brand',
      createdAt: now,
      updatedAt: now,
    },
  });
}
