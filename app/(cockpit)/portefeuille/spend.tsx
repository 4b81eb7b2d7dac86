import { usdDigits } from '#app/_cockpit/money.ts';
import { BarChart } from '#app/_ui/data/bar-chart.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { count, ofName, percent, shortDate, usd, usdThat } from '#app/_ui/format.ts';
import { usdFromMicros } from '#lib/core/money.ts';
import { monthWords } from '#lib/core/text/month-words.ts';
import type { Spend } from '#lib/ledger/reads/read-spend.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import { usdOf } from './usd-of.ts';

/** The debits of a month by day and by kind of generation. `today` is a UTC date, as `2026-05-31`. */
export function SpendCharts({ spend, today }: { spend: Spend; today: string }) {
  const total = usdFromMicros(spend.totalMicros);
  const digits = usdDigits(spend.kinds.map(({ micros }) => micros));
  return (
    <Section
      title={`Dépenses ${ofName(monthWords(spend.month))}`}
      description={
        spend.totalMicros === 0n
          ? 'Rien n’a été débité ce mois-là.'
          : `${usdThat(spend.totalMicros, 'débité')}, pour ${count(
              spend.kinds.reduce((sum, kind) => sum + kind.debits, 0),
              'génération livrée',
              'générations livrées',
            )}.`
      }
    >
      {spend.totalMicros === 0n ? null : (
        <div className="grid gap-x-10 gap-y-6 lg:grid-cols-[3fr_2fr]">
          <BarChart
            title="Par jour (UTC)"
            height={128}
            format={usdOf}
            data={spend.days.map(({ day, micros }) => ({
              label: shortDate(`${day}T12:00:00Z`, 'UTC'),
              short: String(Number(day.slice(8))),
              value: usdFromMicros(micros),
              pending: day > today,
            }))}
          />
          <figure className="min-w-0">
            <figcaption className="mb-3 font-medium text-sm">Par type de génération</figcaption>
            <ul role="list" className="space-y-2.5">
              {spend.kinds.map(({ kind, micros, debits }) => (
                <li key={kind} data-tip={count(debits, 'débit')}>
                  <p className="flex items-baseline justify-between gap-3 text-sm">
                    <span className="truncate">{KIND_LABELS[kind]}</span>
                    <span className="tabular whitespace-nowrap font-mono">
                      {usd(micros, digits)}
                      <span className="ml-2 inline-block w-10 text-right font-sans text-ink-faint text-xs">
                        {percent(usdFromMicros(micros) / total)}
                      </span>
                    </span>
                  </p>
                  <span aria-hidden className="mt-1 block h-1.5 overflow-hidden rounded-full bg-line">
                    <span
                      className="block h-full min-w-0.5 rounded-full bg-accent-ink/75"
                      style={{ width: `${(usdFromMicros(micros) / total) * 100}%` }}
                    />
                  </span>
                </li>
              ))}
            </ul>
          </figure>
        </div>
      )}
    </Section>
  );
}
