import type { MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { MemberProfile } from '#lib/identity/sessions/authenticate-session.ts';
import { MEMBER_HEADER } from '../security/member-header.ts';

/**
 * Refuses a request from a page that was drawn for another member: all tabs of a browser share its session, and one may have switched to
 * another account or person. A request that does not say whose page it is from (a form without JavaScript) is let through. Errors:
 * `forbidden`, before anything is looked up, so that it tells nothing of an earlier try.
 */
export function refuseOtherPage(
  { actor, profile }: { actor: MemberActor; profile: MemberProfile },
  headers: { get(name: string): string | null },
): void {
  const drawnFor = headers.get(MEMBER_HEADER);
  if (drawnFor === null || drawnFor === actor.memberId) return;
  throw new ServiceError('forbidden', {
    detail: 'other-account',
    message:
      `Vous êtes passé au compte «\u00a0${profile.accountName}\u00a0» dans un autre onglet\u00a0: rien n’a été fait ici. ` +
      'Rechargez cette page pour continuer.',
  });
}
