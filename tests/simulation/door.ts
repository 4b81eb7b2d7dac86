import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { authenticateKey } from '#lib/identity/keys/authenticate-key.ts';
import { authenticateSession } from '#lib/identity/sessions/authenticate-session.ts';

/** What whoever asks later shows to be let in. */
export type Credential = { memberId: string } & ({ keyId: string; secret: string } | { sessionId: string });

/** Who a credential lets in, or nobody; the proof that the simulation bites puts a broken one here. */
export type Door = (ctx: Context, credential: Credential) => Promise<AccountActor | null>;

export const honestDoor: Door = async (ctx, credential) => {
  const options = { isWrite: true };
  const found =
    'secret' in credential
      ? await authenticateKey(ctx, credential.secret, options)
      : await authenticateSession(ctx, credential.sessionId, options);
  if (!found) return null;
  const { actor } = found;
  // As at the edges (lib/http): in a closed account a session reads and a key has lost what it generates by.
  const mayWrite = actor.type === 'key' ? actor.scopes.includes('studio:generate') : !actor.closed;
  return mayWrite ? actor : null;
};
