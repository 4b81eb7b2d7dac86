import { randomBytes } from 'node:crypto';
import { canWriteIn } from '#lib/brain/require-brain-write.ts';
import { hasPermission, type MemberActor, type Permission } from '#lib/core/actor.ts';
import { sha256 } from '#lib/core/crypto.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { reachOf, type SpaceRights } from '#lib/db/space-rights.ts';

/** How long a link may live, in days. */
export const SHARE_DAYS = [1, 7, 30, 90] as const;
/** Links that live at once in one account. */
export const MAX_SHARES = 500;

const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** A new token: 256 bits of chance, kept as its SHA-256 alone. */
export function newShareToken(): { token: string; tokenHash: Uint8Array<ArrayBuffer> } {
  const token = randomBytes(32).toString('base64url');
  return { token, tokenHash: hashOf(token) };
}

/** The hash under which a token is looked for; null for what no token looks like. Looking for a hash tells nothing of the tokens beside it. */
export function shareTokenHash(token: string): Uint8Array<ArrayBuffer> | null {
  return TOKEN_SHAPE.test(token) ? hashOf(token) : null;
}

function hashOf(token: string): Uint8Array<ArrayBuffer> {
  return sha256(`atelier:share:${token}`);
}

type AuthorRow = {
  accountId: string;
  createdById: string;
  role: MemberActor['role'];
  permissions: readonly string[];
  spaces: SpaceRights | null;
};

/** In whose name a link is read: the member who made it, with the rights that their row gives. */
export function authorOf({ accountId, createdById, role, permissions, spaces }: AuthorRow): MemberActor {
  return {
    type: 'member',
    sessionId: '',
    accountId,
    memberId: createdById,
    role,
    permissions: permissions as readonly Permission[],
    operator: false,
    ...reachOf(spaces),
  };
}

/** Whether a member may show a file (`spaceId` is null) or the context of this Space by a link: asked as it is made, and each time it opens. */
export function mayShow(author: MemberActor, spaceId: string | null): boolean {
  return spaceId === null ? hasPermission(author, 'generate') : canWriteIn(author, spaceId);
}

/** What a withdrawn, expired or unknown link says, and one of another account. */
export function shareNotFound(): ServiceError {
  return new ServiceError('not_found', { message: 'Ce partage n’existe pas, ou n’existe plus.' });
}
