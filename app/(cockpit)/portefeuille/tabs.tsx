import { Tabs } from '#app/_ui/data/navigation.tsx';

type WalletTabsProps = { current: 'mine' | 'team' | 'other'; otherName?: string; otherHref?: string };

/** A founder's three views: one's own wallet, everybody's, and the one that was opened. */
export function WalletTabs({ current, otherName, otherHref }: WalletTabsProps) {
  return (
    <Tabs
      label="Portefeuilles"
      tabs={[
        { href: '/portefeuille', label: 'Le mien', current: current === 'mine' },
        { href: '/portefeuille/equipe', label: 'Membres du compte', current: current === 'team' },
        ...(current === 'other' && otherHref
          ? [{ href: otherHref, label: otherName ?? 'Membre', current: true }]
          : []),
      ]}
    />
  );
}
