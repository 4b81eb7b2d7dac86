import { Download, Wallet as WalletIcon } from 'lucide';
import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { ofName } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { readMemberName } from '#lib/identity/members/read-member-name.ts';
import { readBudget } from '#lib/ledger/budget/read-budget.ts';
import { addMonths, isMonth, utcMonth } from '#lib/ledger/month.ts';
import { listLines } from '#lib/ledger/reads/list-lines.ts';
import { listOpenReserves } from '#lib/ledger/reads/list-open-reserves.ts';
import { readSpend } from '#lib/ledger/reads/read-spend.ts';
import { readStatement } from '#lib/ledger/reads/read-statement.ts';
import { readWallet } from '#lib/ledger/reads/read-wallet.ts';
import { WalletDialogs } from './dialogs.tsx';
import { OpenReserves } from './reserves.tsx';
import { SpendCharts } from './spend.tsx';
import { Statement } from './statement.tsx';
import { Summary } from './summary.tsx';
import { WalletTabs } from './tabs.tsx';

export const metadata: Metadata = { title: 'Portefeuille' };

const PATH = '/portefeuille';

export default memberPage({}, async ({ ctx, query, now }) => {
  const isFounder = hasPermission(ctx.actor, 'ledger.grant');
  const memberId = isFounder && query.membre ? query.membre : ctx.actor.memberId;
  const own = memberId === ctx.actor.memberId;
  const current = utcMonth(now);
  const asked = query.mois ?? '';
  const month = isMonth(asked) && asked <= current ? asked : current;
  const place = { before: query.avant, after: query.apres };
  const [wallet, name, statement, lines, spend, open, founders, budget] = await Promise.all([
    readWallet(ctx, { memberId }),
    readMemberName(ctx, { memberId }),
    readStatement(ctx, { memberId, month, limit: 1 }),
    listLines(ctx, { memberId, month, place }),
    readSpend(ctx, { memberId, month }),
    listOpenReserves(ctx, { memberId }),
    isFounder ? [] : listFounderNames(ctx),
    isFounder && !ctx.actor.operator ? readBudget(ctx) : null,
  ]).catch((error: unknown) => {
    // The address may name a member who does not exist, or of another account.
    if (error instanceof ServiceError && error.code === 'not_found') notFound();
    throw error;
  });
  const base = { membre: own ? undefined : memberId, mois: month === current ? undefined : month };
  const here = (extra: Record<string, string | undefined> = {}) => withQuery(PATH, { ...base, ...extra });
  const isNew = lines.total === 0 && wallet.balanceMicros === 0n && open.total === 0;
  const isEmpty = isNew && month === current && !statement.hasEarlier;
  return (
    <>
      <PageHeader
        title={own ? 'Portefeuille' : `Portefeuille ${ofName(name)}`}
        description="Chaque montant retenu, débité ou remboursé, ligne par ligne. Aucune ligne ne s’efface."
        {...(own ? {} : { crumbs: [{ label: name }] })}
        action={
          isFounder ? (
            <WalletDialogs
              toShareMicros={budget?.balanceMicros ?? null}
              member={{
                memberId,
                name,
                availableMicros: wallet.availableMicros,
                balanceMicros: wallet.balanceMicros,
                perGenerationCapMicros: wallet.perGenerationCapMicros,
                monthlyCapMicros: wallet.monthlyCapMicros,
              }}
            />
          ) : null
        }
      />
      {isFounder ? <WalletTabs current={own ? 'mine' : 'other'} otherName={name} otherHref={here()} /> : null}
      {isEmpty ? (
        <EmptyState
          icon={WalletIcon}
          title={own ? 'Votre portefeuille paie vos générations' : `${name} n’a pas encore de crédit`}
          example={
            <p className="flex justify-between gap-4 text-sm">
              <span>Débité · Image «&nbsp;Une bougie sur une table&nbsp;»</span>
              <span className="tabular font-mono">−&nbsp;0,0421&nbsp;$US</span>
            </p>
          }
        >
          {isFounder
            ? 'Accordez un crédit pour commencer. Un montant est retenu à chaque demande, puis débité au coût mesuré.'
            : `Il est vide. Demandez un crédit à ${founderWords(founders)}.`}
        </EmptyState>
      ) : (
        <div className="space-y-10">
          <Summary
            wallet={wallet}
            reserves={open.total}
            now={now}
            whoHelps={
              isFounder
                ? 'Accordez un crédit avant que les demandes ne soient refusées.'
                : `Demandez un crédit à ${founderWords(founders)}.`
            }
          />
          {open.total > 0 ? <OpenReserves open={open} memberId={memberId} now={now} /> : null}
          <SpendCharts spend={spend} today={now.toISOString().slice(0, 10)} />
          <Statement
            month={month}
            statement={statement}
            page={lines}
            now={now}
            previousMonthHref={
              statement.hasEarlier || lines.total > 0 ? here({ mois: addMonths(month, -1) }) : undefined
            }
            nextMonthHref={
              month < current
                ? here({ mois: addMonths(month, 1) === current ? undefined : addMonths(month, 1) })
                : undefined
            }
            newerHref={lines.newer ? here({ apres: lines.newer.after }) : undefined}
            olderHref={lines.older ? here({ avant: lines.older.before }) : undefined}
            isFirstPage={!query.avant && !query.apres}
            exportLink={
              <AskedDownload
                href={withQuery('/api/wallet/statement', { month, memberId: own ? undefined : memberId })}
                className={buttonClass('secondary', 'sm')}
              >
                <Icon of={Download} size={16} strokeWidth={1.75} />
                Exporter en CSV
              </AskedDownload>
            }
          />
        </div>
      )}
    </>
  );
});
