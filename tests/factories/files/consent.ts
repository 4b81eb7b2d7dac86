import { createId } from '#lib/core/ids.ts';
import type { FilesScene } from './files.ts';

/** Records a consent, given to the account's member, whose signed document lies at this pathname. */
export async function addConsent(s: FilesScene, { pathname }: { pathname: string }): Promise<void> {
  const now = s.clock.now();
  await s.service.db.consent.create({
    data: {
      id: createId('consent', now),
      accountId: s.owner.accountId,
      memberId: s.owner.memberId,
      voiceId: 'v',
      personName: 'Agnès',
      signedAt: now,
      createdAt: now,
      pathname,
    },
  });
}
