import { Tabs } from '#app/_ui/data/navigation.tsx';

type WalletTabsProps = { current: 'mine' | 'team' | 'other'; otherName?: string; otherHref?: string };

/** The tabs of a founder: their own wallet, the wallets of all members, and another member's wallet while it is open. */
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
