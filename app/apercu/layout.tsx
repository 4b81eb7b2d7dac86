import { notFound } from 'next/navigation';
import { connection } from 'next/server';
import type { ReactNode } from 'react';
import { env } from '#lib/core/env.ts';
import { Shell } from '../_ui/shell/shell.tsx';
import { demonstrationSignOut, demonstrationSwitch } from './actions.ts';

/** The style guide: every component in its states, with invented data. Does not exist in production. */
export default async function GuideLayout({ children }: { children: ReactNode }) {
  await connection();
  if (env().isProduction) notFound();
  return (
    <Shell
      otherAccounts={[]}
      isInvited={false}
      account={{ name: 'Maison Lumière & Filles' }}
      member={{ id: '', name: 'Camille Ferrand', email: 'camille@maison-lumiere.example', role: 'FOUNDER' }}
      permissions={[]}
      createsSpaces={false}
      toReview={12}
      reads={{ used: 912, total: 1000, resetsAt: new Date('2026-12-01T00:00:00Z') }}
      balance={{ availableMicros: 18_420_100n }}
      signOut={demonstrationSignOut}
      switchAccount={demonstrationSwitch}
    >
      {children}
    </Shell>
  );
}
