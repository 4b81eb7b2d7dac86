import { usd } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';
import { monthWords } from '#lib/core/text/month-words.ts';
import { ALERTS_SHOWN, type PastAlert } from '#lib/ledger/reads/list-alerts.ts';

/** The amount that the spending exceeded: the threshold, or a multiple of it. */
const reached = (alert: PastAlert) => usd(alert.thresholdMicros * BigInt(alert.multiple));

/** The spend alerts of the account, latest first. Renders nothing if there is none. */
export function SpendAlerts({ alerts, now }: { alerts: readonly PastAlert[]; now: Date }) {
  if (alerts.length === 0) return null;
  return (
    <section aria-labelledby="alertes">
      <h2 id="alertes" className="mb-2 font-medium text-base">
        Alertes de dépense
      </h2>
      <ul role="list" className="divide-y divide-line border-line border-y">
        {alerts.map((alert) => (
          <li
            key={`${alert.month} ${alert.multiple}`}
            className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-0.5 py-2"
          >
            <p>
              Débits de <span className="tabular font-mono">{usd(alert.spentMicros)}</span> en{' '}
              {monthWords(alert.month)}
              &nbsp;: seuil de <span className="tabular font-mono">{reached(alert)}</span> passé
            </p>
            <p className="text-ink-faint text-xs">
              <Time at={alert.createdAt} now={now} /> ·{' '}
              {alert.mailedAt ? 'les fondateurs ont reçu un message' : 'le message attend d’être envoyé'}
            </p>
          </li>
        ))}
      </ul>
      {alerts.length >= ALERTS_SHOWN ? (
        <p className="mt-2 text-ink-faint text-xs">
          Les {ALERTS_SHOWN} dernières&nbsp;; il peut y en avoir eu avant elles.
        </p>
      ) : null}
    </section>
  );
}
