import { usdDigits } from '#app/_cockpit/money.ts';
import { Meter } from '#app/_ui/data/gauges.tsx';
import { count, usd } from '#app/_ui/format.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { usdFromMicros } from '#lib/core/money.ts';
import { daysLeft } from '#lib/ledger/low-balance.ts';
import type { Wallet } from '#lib/ledger/reads/read-wallet.ts';
import { usdOf } from './usd-of.ts';

/** The balance of a wallet, the amount held, the amount available, and the two caps. Warns if the balance is negative or low. */
export function Summary({
  wallet,
  reserves,
  now,
  whoHelps,
}: {
  wallet: Wallet;
  reserves: number;
  now: Date;
  /** A French sentence: what to do about a low balance, or whom to ask. */
  whoHelps: string;
}) {
  const { balanceMicros, heldMicros, availableMicros, monthSpentMicros } = wallet;
  const days = daysLeft(wallet, now);
  const digits = usdDigits([availableMicros, balanceMicros, heldMicros]);
  return (
    <section aria-label="Solde">
      {balanceMicros < 0n ? (
        <Notice tone="warn" className="mb-4">
          Le solde est négatif&nbsp;: un coût mesuré a dépassé le montant retenu. Les fichiers livrés restent
          à vous&nbsp;; aucune nouvelle génération ne part avant un crédit.
        </Notice>
      ) : null}
      {balanceMicros >= 0n && days !== null ? (
        <Notice tone="warn" className="mb-4">
          {days === 0
            ? 'Solde faible\u00a0: au rythme du mois, il ne suffit plus pour une journée.'
            : `Solde faible\u00a0: au rythme du mois, il suffit pour ${count(days, 'jour')} environ.`}{' '}
          {whoHelps}
        </Notice>
      ) : null}
      <dl className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
        <Figure
          label="Disponible"
          value={usd(availableMicros, digits)}
          strong
          hint="Ce qu’une nouvelle demande peut retenir"
        />
        <Figure label="Solde" value={usd(balanceMicros, digits)} hint="Crédits moins débits" />
        <Figure
          label="Retenu"
          value={usd(heldMicros, digits)}
          hint={
            heldMicros === 0n
              ? 'Aucune génération en cours'
              : `Pour ${count(reserves, 'génération')} en cours, rendu ou débité à la fin`
          }
        />
      </dl>
      <div className="mt-6 grid gap-x-8 gap-y-5 border-line border-t pt-5 sm:grid-cols-2">
        {wallet.monthlyCapMicros === null ? (
          <Cap
            label="Plafond du mois"
            value="Aucun"
            hint={`Débité ce mois\u00a0: ${usd(monthSpentMicros)}`}
          />
        ) : (
          <Meter
            label="Plafond du mois (UTC), débité et retenu"
            used={usdFromMicros(monthSpentMicros + heldMicros)}
            total={usdFromMicros(wallet.monthlyCapMicros)}
            format={usdOf}
            hint="Au-delà, une demande est refusée avant tout appel&nbsp;: rien n’est débité."
          />
        )}
        <Cap
          label="Plafond par génération"
          value={wallet.perGenerationCapMicros === null ? 'Aucun' : usd(wallet.perGenerationCapMicros)}
          hint="Le plus grand montant qu’une seule demande peut retenir"
        />
      </div>
    </section>
  );
}

function Figure({
  label,
  value,
  hint,
  strong,
}: {
  label: string;
  value: string;
  hint: string;
  strong?: boolean;
}) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-soft text-sm">{label}</dt>
      <dd
        className={
          strong ? 'tabular font-mono font-semibold text-xl' : 'tabular font-mono text-lg leading-8.5'
        }
      >
        {value}
      </dd>
      <dd className="mt-0.5 text-ink-faint text-xs">{hint}</dd>
    </div>
  );
}

function Cap({ label, value, hint }: { label: string; value: string; hint: string }) {
  return (
    <div className="min-w-0">
      <p className="flex items-baseline justify-between gap-3 text-sm">
        <span className="text-ink-soft">{label}</span>
        <span className="tabular whitespace-nowrap font-medium font-mono">{value}</span>
      </p>
      <p className="mt-1.5 text-ink-faint text-xs">{hint}</p>
    </div>
  );
}
