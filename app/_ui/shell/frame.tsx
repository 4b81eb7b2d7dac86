'use client';
import { ChevronRight, Menu, Search, WifiOff } from 'lucide';
import type { ReactNode } from 'react';
import { Icon } from '#app/_ui/icon.tsx';
import { AccountMenu } from './account-menu.tsx';
import { Arriving } from './arriving/arriving.tsx';
import { Crumbs } from './crumbs.tsx';
import { OtherAccount } from './drawn-for/other-account.tsx';
import { Keys } from './keys.tsx';
import { Mark } from './mark.tsx';
import { Offline } from './offline.tsx';
import { PaletteButton } from './palette/palette-button.tsx';
import { PhoneBar } from './phone-bar.tsx';
import { NavGroups, PhoneLinks, Rail } from './rail.tsx';
import type { ShellProps } from './types.ts';

type FrameProps = Omit<ShellProps, 'reads' | 'balance'> & {
  initials: string;
  /** The path data of each page's icon, by address: with the drawings themselves, every page would load all of them. */
  icons: Readonly<Record<string, string>>;
  /** The meters of the header, also shown in the phone's sheet. */
  meters: ReactNode;
  children: ReactNode;
};

/**
 * Everything around a page: rail or bottom bar, header, palette, shortcuts. A client component: as a server component it was sent twice with each
 * page, as HTML and as data.
 */
export function Frame({
  account,
  member,
  initials,
  icons,
  meters,
  permissions,
  createsSpaces,
  toReview,
  signOut,
  switchAccount,
  otherAccounts,
  isInvited,
  children,
}: FrameProps) {
  const founder = member.role === 'FOUNDER';
  return (
    <div className="flex min-h-dvh">
      <a
        href="#contenu"
        className="fixed top-[calc(0.5rem+var(--safe-top))] left-[calc(0.5rem+var(--safe-left))] z-60 -translate-y-[calc(5rem+var(--safe-top))] rounded-md bg-accent px-4 py-2 font-medium text-on-accent text-sm focus:translate-y-0"
      >
        Aller au contenu
      </a>
      <Rail account={account.name} role={member.role} toReview={toReview} icons={icons} />
      <div className="flex min-w-0 grow flex-col lg:in-[:root:has([data-beside])]:pr-(--beside)">
        <header className="sticky top-0 z-20 flex h-[calc(3.5rem+var(--safe-top))] shrink-0 items-center gap-2 border-line border-b bg-ground/95 px-4 pt-(--safe-top) backdrop-blur-sm sm:px-6 lg:px-8">
          <Mark size={22} className="lg:hidden" />
          <Crumbs
            separator={<Icon of={ChevronRight} size={14} className="shrink-0 text-ink-faint max-sm:hidden" />}
          />
          <div className="flex items-center gap-1 text-xs max-md:hidden max-2xl:in-[:root:has([data-beside])]:hidden">
            {meters}
          </div>
          <PaletteButton icon={<Icon of={Search} size={16} strokeWidth={1.75} className="shrink-0" />} />
          <AccountMenu
            initials={initials}
            member={member}
            account={account}
            otherAccounts={otherAccounts}
            isInvited={isInvited}
            signOut={signOut}
            switchAccount={switchAccount}
          />
        </header>
        <Offline icon={<Icon of={WifiOff} size={16} className="mt-0.5 shrink-0" />}>
          <OtherAccount memberId={member.id} />
        </Offline>
        <main
          id="contenu"
          tabIndex={-1}
          className="mx-auto w-full max-w-[88rem] grow px-4 pt-6 pb-[calc(7rem+var(--safe-bottom))] outline-none focus-visible:outline-none sm:px-6 lg:px-8 lg:pt-8 lg:pb-16"
        >
          <Arriving>{children}</Arriving>
        </main>
      </div>
      <PhoneBar links={<PhoneLinks icons={icons} />} icon={<Icon of={Menu} size={20} strokeWidth={1.75} />}>
        <div className="-mx-2">
          <div className="mb-2 flex items-center gap-1 border-line border-b pb-3 text-xs md:hidden">
            {meters}
          </div>
          <NavGroups founder={founder} toReview={toReview} icons={icons} />
        </div>
      </PhoneBar>
      <Keys founder={founder} permissions={permissions} createsSpaces={createsSpaces} />
    </div>
  );
}
