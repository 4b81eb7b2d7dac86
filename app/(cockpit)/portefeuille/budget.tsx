import { Meter } from '#app/_ui/data/gauges.tsx';
import { usd } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';
import { usdFromMicros } from '#lib/core/money.ts';
import type { Budget } from '#lib/ledger/budget/read-budget.ts';
import { AskButton } from './ask-button.tsx';
import { usdOf } from './usd-of.ts';

const DAY_MS = 24 * 3_600_000;

/** The account's credit from the operator: what is left to distribute, the monthly ceiling of all members together, and a request for more. */
export function AccountBudget({ budget, now }: { budget: Budget; now: Date }) {
  const { balanceMicros, heldMicros, monthSpentMicros, monthlyCeilingMicros, askedAt } = budget;
  const waits = askedAt !== null && now.getTime() - askedAt.getTime() < DAY_MS;
  return (
    <section aria-label="Crédit du compte" className="grid gap-x-8 gap-y-5 sm:grid-cols-3">
      <div className="min-w-0">
        <p className="text-ink-soft text-sm">À répartir</p>
        <p className="tabular font-mono font-semibold text-xl">{usd(balanceMicros)}</p>
        <p className="mt-0.5 text-ink-faint text-xs">
          Reçu de l’exploitant du service et pas encore passé à un membre
        </p>
      </div>
      {monthlyCeilingMicros === null ? (
        <div className="min-w-0">
          <p className="text-ink-soft text-sm">Plafond mensuel du compte</p>
          <p className="text-lg leading-8.5">Aucun</p>
          <p className="mt-0.5 text-ink-faint text-xs">
            Débité ce mois par tous les membres&nbsp;: {usd(monthSpentMicros)}
          </p>
        </div>
      ) : (
        <Meter
          label="Plafond mensuel du compte (UTC)"
          used={usdFromMicros(monthSpentMicros + heldMicros)}
          total={usdFromMicros(monthlyCeilingMicros)}
          format={usdOf}
          hint="Débité et retenu, tous membres confondus. Au-delà, une demande est refusée avant tout appel."
        />
      )}
      <div className="flex flex-col items-start gap-1.5 sm:items-end sm:text-right">
        <AskButton waits={waits} />
        <p className="text-ink-faint text-xs">
          {waits && askedAt ? (
            <>
              Demandé <Time at={askedAt} now={now} />. L’exploitant a reçu un message.
            </>
          ) : (
            'Un message part aux fondateurs du compte de l’exploitant.'
          )}
        </p>
      </div>
    </section>
  );
}
