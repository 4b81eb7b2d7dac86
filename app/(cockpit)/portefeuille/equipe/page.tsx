import type { Metadata } from 'next';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { usdDigits, withQuery } from '#app/_cockpit/money.ts';
import { Badge } from '#app/_ui/data/badge.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count, number, usd } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { readBudget } from '#lib/ledger/budget/read-budget.ts';
import { daysLeft } from '#lib/ledger/low-balance.ts';
import { utcMonth } from '#lib/ledger/month.ts';
import { listAlerts } from '#lib/ledger/reads/list-alerts.ts';
import { listWallets, type MemberWallet } from '#lib/ledger/reads/list-wallets.ts';
import { readSpend } from '#lib/ledger/reads/read-spend.ts';
import { SpendAlerts } from '../alerts.tsx';
import { AccountBudget } from '../budget.tsx';
import { WalletDialogs } from '../dialogs.tsx';
import { SpendCharts } from '../spend.tsx';
import { WalletTabs } from '../tabs.tsx';

export const metadata: Metadata = { title: 'Portefeuilles du compte' };

const PATH = '/portefeuille/equipe';

export default memberPage(
  { permission: 'ledger.grant', action: 'consulter les portefeuilles des membres' },
  async ({ ctx, query, now }) => {
    const [page, spend, budget, alerts] = await Promise.all([
      listWallets(ctx, { after: query.apres }),
      readSpend(ctx, { month: utcMonth(now) }),
      readBudget(ctx),
      listAlerts(ctx),
    ]);
    return (
      <>
        <PageHeader
          title="Portefeuilles du compte"
          description="Ce que chaque membre peut dépenser, ce qui est retenu, et ses plafonds."
          crumbs={[{ label: 'Membres du compte' }]}
        />
        <WalletTabs current="team" />
        <div className="space-y-10">
          {ctx.actor.operator ? null : <AccountBudget budget={budget} now={now} />}
          <SpendCharts spend={spend} today={now.toISOString().slice(0, 10)} />
          <SpendAlerts alerts={alerts} now={now} />
          <section aria-label="Portefeuilles des membres">
            <DataTable
              caption="Portefeuilles des membres"
              columns={columns(page.wallets, now, ctx.actor.operator ? null : budget.balanceMicros)}
              rows={page.wallets}
              rowKey={(wallet) => wallet.memberId}
            />
            <Pagination
              summary={`${number(page.wallets.length)} sur ${count(page.members, 'membre')}`}
              toFirst
              previousHref={query.apres ? PATH : undefined}
              nextHref={page.nextAfter ? withQuery(PATH, { apres: page.nextAfter }) : undefined}
            />
          </section>
        </div>
      </>
    );
  },
);

const nameOf = (wallet: MemberWallet) => wallet.name || (wallet.email ?? 'Ancien membre');

function columns(
  wallets: readonly MemberWallet[],
  now: Date,
  toShareMicros: bigint | null,
): Column<MemberWallet>[] {
  const available = usdDigits(wallets.map(({ availableMicros }) => availableMicros));
  const held = usdDigits(wallets.map(({ heldMicros }) => heldMicros));
  const spent = usdDigits(wallets.map(({ monthSpentMicros }) => monthSpentMicros));
  return [
    {
      key: 'name',
      label: 'Membre',
      primary: true,
      className: 'min-w-0 sm:max-w-56',
      render: (wallet) => (
        <Link
          href={`/portefeuille?membre=${wallet.memberId}`}
          className="block min-w-0 underline-offset-4 hover:underline"
        >
          <span className="flex min-w-0 items-center gap-2">
            <span className="truncate font-medium" data-tip={nameOf(wallet)}>
              {nameOf(wallet)}
            </span>
            {wallet.status === 'SUSPENDED' ? <Badge>Suspendu</Badge> : null}
            {wallet.status === 'INVITED' ? <Badge>Invité</Badge> : null}
            {wallet.status === 'REMOVED' ? <Badge>Retiré</Badge> : null}
            {wallet.status === 'ACTIVE' && daysLeft(wallet, now) !== null ? (
              <Badge tone="warn" tip="Moins d’une semaine au rythme du mois">
                Solde faible
              </Badge>
            ) : null}
          </span>
          <span className="block truncate font-normal text-ink-faint text-xs">{wallet.email}</span>
        </Link>
      ),
    },
    {
      key: 'available',
      label: 'Disponible',
      numeric: true,
      render: (wallet) => (
        <span className={wallet.availableMicros < 0n ? 'font-mono text-fail' : 'font-mono font-medium'}>
          {usd(wallet.availableMicros, available)}
        </span>
      ),
    },
    {
      key: 'held',
      label: 'Retenu',
      numeric: true,
      render: (wallet) => <Quiet micros={wallet.heldMicros} digits={held} />,
    },
    {
      key: 'spent',
      label: 'Débité ce mois',
      numeric: true,
      render: (wallet) => <Quiet micros={wallet.monthSpentMicros} digits={spent} />,
    },
    {
      key: 'caps',
      label: 'Plafonds',
      render: (wallet) => (
        <span className="text-ink-soft text-xs">
          {wallet.perGenerationCapMicros === null && wallet.monthlyCapMicros === null ? 'Aucun' : null}
          {wallet.perGenerationCapMicros === null ? null : (
            <span className="block whitespace-nowrap">
              {usd(wallet.perGenerationCapMicros)} par génération
            </span>
          )}
          {wallet.monthlyCapMicros === null ? null : (
            <span className="block whitespace-nowrap">{usd(wallet.monthlyCapMicros)} par mois</span>
          )}
        </span>
      ),
    },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (wallet) =>
        wallet.status === 'REMOVED' ? null : (
          <span className="inline-flex gap-2">
            <WalletDialogs
              small
              toShareMicros={toShareMicros}
              member={{
                memberId: wallet.memberId,
                name: nameOf(wallet),
                balanceMicros: wallet.balanceMicros,
                availableMicros: wallet.availableMicros,
                perGenerationCapMicros: wallet.perGenerationCapMicros,
                monthlyCapMicros: wallet.monthlyCapMicros,
              }}
            />
          </span>
        ),
    },
  ];
}

function Quiet({ micros, digits }: { micros: bigint; digits: number }) {
  return micros === 0n ? (
    <span className="text-ink-faint">—</span>
  ) : (
    <span className="font-mono text-ink-soft">{usd(micros, digits)}</span>
  );
}
