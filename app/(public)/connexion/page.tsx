import type { Metadata } from 'next';
import { cookies, headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { systemClock } from '#lib/core/clock.ts';
import { passkeySite } from '#lib/http/security/passkey-site.ts';
import { returnPath } from '#lib/http/security/return-path.ts';
import { hasOutbox } from '#lib/http/security/shows-outbox.ts';
import { isSecureService } from '#lib/http/sessions/member-session.ts';
import { currentMember } from '#lib/http/sessions/page-member.ts';
import { currentPerson } from '#lib/http/sessions/person-session.ts';
import { Frame } from '../_frame.tsx';
import { AddressStep } from './address-step.tsx';
import { CodeStep } from './code-step.tsx';
import { readPending } from './pending.ts';

export const metadata: Metadata = { title: 'Connexion' };

type Props = { searchParams: Promise<{ retour?: string | string[] }> };

/** Signing in without a password: an address, then the code sent to it. */
export default async function SignInPage({ searchParams }: Props) {
  const { retour } = await searchParams;
  const back = returnPath(Array.isArray(retour) ? retour[0] : retour);
  if (await currentMember()) redirect(back);
  // Signed in, and a member of nothing yet: an invitation waits, or was withdrawn.
  if (await currentPerson()) redirect('/invitations');
  const store = await cookies();
  const now = systemClock.now();
  const pending = readPending((name) => store.get(name)?.value, now, isSecureService());
  const outbox = hasOutbox();
  return (
    <Frame narrow>
      {pending ? (
        <CodeStep
          email={pending.email}
          sentAt={pending.sentAt.toISOString()}
          now={now.toISOString()}
          back={back}
          outbox={outbox}
        />
      ) : (
        <AddressStep back={back} passkeys={passkeySite(await headers()) !== null} />
      )}
    </Frame>
  );
}
