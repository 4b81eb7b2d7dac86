import type { MemberActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import type { MemberProfile } from '#lib/identity/sessions/authenticate-session.ts';
import { MEMBER_HEADER } from '../security/member-header.ts';

/**
 * Refuses what is asked from a page that was drawn for another member: all tabs of a browser share its session, and one of them may have
 * gone to another account, or signed in as somebody else. What does not say whose its page is (a form without JavaScript) goes on as it
 * is. Errors: `forbidden`, told before anything is looked at, so that nothing is known of an earlier try.
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
