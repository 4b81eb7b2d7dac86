import { BarChart } from '#app/_ui/data/bar-chart.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { Meter } from '#app/_ui/data/gauges.tsx';
import { count } from '#app/_ui/format.ts';
import { readsLeft } from '#app/_ui/shell/read-words.ts';
import type { getMonthReads } from '#lib/brain/queries/get-month-reads.ts';
import { ordinalDay } from '#lib/core/text/ordinal-day.ts';

type UsageProps = {
  reads: Awaited<ReturnType<typeof getMonthReads>>;
  capacity: { usedCu: number; capacityCu: number };
};

const monthName = new Intl.DateTimeFormat('fr-FR', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const dayName = new Intl.DateTimeFormat('fr-FR', { day: 'numeric', month: 'long', timeZone: 'UTC' });

/** The account's capacity, and its reads of the month. */
export function Usage({ reads, capacity }: UsageProps) {
  const room = Math.max(0, capacity.capacityCu - capacity.usedCu);
  return (
    <Section
      id="lectures"
      title="Capacité et lectures"
      description="Une lecture est comptée quand un programme ou un assistant lit un espace, un contexte ou une recherche. Lire et chercher dans le cockpit ne coûte rien."
    >
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[20rem_1fr]">
        <div className="space-y-6">
          <Meter
            label="Capacité de contexte"
            used={capacity.usedCu}
            total={capacity.capacityCu}
            unit="CU"
            hint={
              capacity.capacityCu === 0
                ? 'Aucune capacité n’est encore attribuée à ce compte\u00a0: demandez-en à l’exploitant du service.'
                : room === 0
                  ? 'Capacité pleine\u00a0: supprimez des mémoires, ou demandez davantage de capacité à l’exploitant du service.'
                  : `Reste ${count(room, 'CU', 'CU')}. Une CU vaut 1\u00a0Kio de texte commencé, environ mille caractères.`
            }
          />
          <Meter
            label="Lectures du mois"
            used={reads.used}
            total={reads.limit}
            hint={readsLeft({ ...reads, total: reads.limit }, reads.contractual)}
          />
        </div>
        <div className="min-w-0">
          <BarChart
            title={`Lectures par jour (UTC), ${monthName.format(new Date(`${reads.month}-01T00:00:00Z`))}`}
            format={(value) => count(value, 'lecture')}
            data={reads.days.map(({ day, used }, at) => ({
              label: ordinalDay(dayName, new Date(`${day}T00:00:00Z`)),
              short: String(at + 1),
              value: used,
              pending: at > reads.today,
            }))}
          />
          {reads.used === 0 && reads.limit > 0 ? (
            <p className="mt-2 text-ink-faint text-xs">
              Aucune lecture ce mois-ci&nbsp;: la première viendra d’une clé ou d’un assistant.
            </p>
          ) : null}
        </div>
      </div>
    </Section>
  );
}
