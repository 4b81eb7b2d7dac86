'use client';
import { ArrowLeftRight, BookOpen, Keyboard, LogOut, MailOpen, Monitor } from 'lucide';
import { startTransition } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { leave } from '#app/_cockpit/leave.ts';
import { ACCOUNTS_LISTED } from '#lib/identity/people/accounts-listed.ts';
import MenuPanel, { type MenuListProps } from '../action/menu-panel.tsx';
import { applyTheme, THEMES, type Theme, themeFrom } from '../theme.ts';
import { useTheme } from '../use-theme.ts';
import { openHelp } from './palette/open.ts';
import type { ShellProps } from './types.ts';

const THEME_LABELS: Record<Theme, string> = {
  system: 'Thème du système',
  light: 'Thème clair',
  dark: 'Thème sombre',
};

/** What the menu shows about the member and their accounts. */
export type Mine = Pick<
  ShellProps,
  'account' | 'otherAccounts' | 'isInvited' | 'signOut' | 'switchAccount'
> & { member: { name: string; email: string } };

/** The list of the member's menu: identity, sessions, shortcuts, other accounts, theme, sign-out. Loaded on demand. */
export default function AccountList({
  member,
  account,
  otherAccounts,
  isInvited,
  signOut,
  switchAccount,
  ...at
}: Mine & MenuListProps) {
  const theme = useTheme('system');
  const goTo = (memberId: string) =>
    startTransition(async () => {
      if (!(await act(switchAccount({ memberId })))) return;
      // A full page load: nothing of the former account may stay on the page, in a form or in a cache.
      window.location.assign('/espaces');
    });
  return (
    <MenuPanel
      {...at}
      header={
        <>
          <p className="truncate font-medium text-sm">{member.name}</p>
          <p className="truncate text-ink-faint text-xs">{member.email}</p>
          <p className="truncate text-ink-soft text-xs">{account.name}</p>
        </>
      }
      items={[
        { label: 'Mon compte et mes sessions', icon: Monitor, href: '/compte' },
        { label: 'Documentation', icon: BookOpen, href: '/docs' },
        { label: 'Raccourcis clavier', icon: Keyboard, keys: '?', onSelect: openHelp },
        ...(isInvited ? [{ label: 'Une invitation vous attend', icon: MailOpen, href: '/invitations' }] : []),
        ...(otherAccounts.length > 0 ? [{ separator: true as const }] : []),
        ...otherAccounts.slice(0, ACCOUNTS_LISTED).map(({ memberId, name }) => ({
          label: `Passer sur ${name}`,
          icon: ArrowLeftRight,
          onSelect: () => goTo(memberId),
        })),
        ...(otherAccounts.length > ACCOUNTS_LISTED
          ? [{ label: 'Tous mes comptes', icon: ArrowLeftRight, href: '/invitations?comptes=1' }]
          : []),
        { separator: true },
        {
          label: 'Thème',
          value: theme,
          options: THEMES.map((value) => ({ value, label: THEME_LABELS[value] })),
          onChange: (value) => applyTheme(themeFrom(value)),
        },
        { separator: true },
        {
          label: 'Se déconnecter',
          icon: LogOut,
          onSelect: () => leave(signOut),
        },
      ]}
    />
  );
}
