import type { MemberRole } from '#lib/db/generated/tables.ts';
import type { Reach } from '#lib/db/space-rights.ts';

/** What a person may do in an account. */
export const PERMISSIONS = [
  'brain.write',
  'generate',
  'storage.purge',
  'products.propose',
  'members.manage',
  'ledger.grant',
  'audit.read',
  'operations.read',
  'service.operate',
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Permissions that only founders of the operator's account hold: they concern every account of the service. */
export const OPERATOR_ONLY: ReadonlySet<Permission> = new Set(['service.operate']);

/** Held by founders alone, whatever a member's list says. */
export const FOUNDER_ONLY: ReadonlySet<Permission> = new Set([
  ...OPERATOR_ONLY,
  'storage.purge',
  'products.propose',
  'members.manage',
  'ledger.grant',
  'audit.read',
  'operations.read',
]);

/** Rights that a founder can give to a member. */
export const GRANTABLE_PERMISSIONS: readonly Permission[] = PERMISSIONS.filter(
  (one) => !FOUNDER_ONLY.has(one),
);

export const SCOPES = [
  'brain:read',
  'brain:write',
  'brain:propose',
  'projects:read',
  'studio:read',
  'studio:generate',
] as const;
export type Scope = (typeof SCOPES)[number];

/** Scopes that change or spend something: a closed account's credentials lose them, and they are consented to after a fresh proof. */
export const WRITING_SCOPES = [
  'brain:write',
  'brain:propose',
  'studio:generate',
] as const satisfies readonly Scope[];

/** The permission that the member must hold for a credential's scope to have any effect. */
export const SCOPE_PERMISSIONS: Readonly<Partial<Record<Scope, Permission>>> = {
  'brain:write': 'brain.write',
  'studio:generate': 'generate',
};

/** Whether a scope changes or spends something. */
export function isWritingScope(scope: Scope): boolean {
  return (WRITING_SCOPES as readonly Scope[]).includes(scope);
}

export type { MemberRole };

/** `spaces`: the only Spaces within reach; absent: all. */
type MemberIdentity = Reach & {
  accountId: string;
  memberId: string;
  role: MemberRole;
  permissions: readonly Permission[];
};

export type MemberActor = MemberIdentity & {
  type: 'member';
  sessionId: string;
  /** Whether the account is the operator's. No key and no application ever acts for the operator. */
  operator: boolean;
  /** Whether the account is closed: it can still be read, exported and reopened; every other change is refused. */
  closed?: boolean;
  /** When the person behind this session last proved their identity: sign-in, passkey or mailed code. Absent: never (recent-verification.ts). */
  verifiedAt?: Date;
};
export type KeyActor = MemberIdentity & {
  type: 'key';
  keyId: string;
  scopes: readonly Scope[];
  /** Whether the account is closed: the credential then keeps its reading scopes only. */
  closed?: boolean;
  /** What it may spend of its member's wallet; absent: nothing. */
  allowanceId?: string;
};
export type OAuthActor = MemberIdentity & {
  type: 'oauth';
  grantId: string;
  clientId: string;
  scopes: readonly Scope[];
  closed?: boolean;
  allowanceId?: string;
};
/** Somebody signed in who has not chosen an account, or acts on invitations to others. */
export type PersonActor = { type: 'person'; personId: string; sessionId: string };
/** Jobs that run on nobody's behalf: the scheduled jobs, and the calls of outside services. */
export const SYSTEM_JOBS = [
  'generations-sweep',
  'retention',
  'webhooks',
  'video-webhook',
  'render-callback',
  'upload-callback',
] as const;
export type SystemJob = (typeof SYSTEM_JOBS)[number];
export type SystemActor = { type: 'system'; job: SystemJob };
export type AdminActor = { type: 'admin' };
export type AnonymousActor = { type: 'anonymous' };

/** A reader of the Brain, as access control sees it: the Spaces granted, and a credential's scopes (a session has none). */
export type Reader = Reach & { readonly scopes?: readonly Scope[] };

/** Whether this reader may read the Brain's texts: a session always, a key or an application with the scope `brain:read`. */
export function readsBrain({ scopes }: Reader): boolean {
  return scopes === undefined || scopes.includes('brain:read');
}

/** A program or assistant that acts for a member. */
export type CredentialActor = KeyActor | OAuthActor;
/** Who acts. Every verb and every audit entry names one. */
export type Actor = MemberActor | CredentialActor | PersonActor | SystemActor | AdminActor | AnonymousActor;
/** Any actor that belongs to an account. */
export type AccountActor = MemberActor | CredentialActor;

/**
 * Whether the actor has this permission. The service, the shell and founders have all (for the whole service, only the operator's signed-in
 * founders); a member, those granted; anybody else, none.
 */
export function hasPermission(actor: Actor, permission: Permission): boolean {
  switch (actor.type) {
    case 'system':
    case 'admin':
      return true;
    case 'anonymous':
    case 'person':
      return false;
    default:
      if (OPERATOR_ONLY.has(permission))
        return actor.type === 'member' && actor.operator && actor.role === 'FOUNDER';
      if (actor.role === 'FOUNDER') return true;
      return !FOUNDER_ONLY.has(permission) && actor.permissions.includes(permission);
  }
}

/** The stable identifier written in audit entries: `key:key_…`, `member:mbr_…`, `system:generations-sweep`. */
export function actorLabel(actor: Actor): string {
  switch (actor.type) {
    case 'member':
      return `member:${actor.memberId}`;
    case 'key':
      return `key:${actor.keyId}`;
    case 'oauth':
      return `oauth:${actor.grantId}`;
    case 'person':
      return `person:${actor.personId}`;
    case 'system':
      return `system:${actor.job}`;
    default:
      return actor.type;
  }
}
