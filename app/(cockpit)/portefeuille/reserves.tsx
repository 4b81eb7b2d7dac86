import Link from 'next/link';
import { usdDigits } from '#app/_cockpit/money.ts';
import { Badge } from '#app/_ui/data/badge.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { count, usd } from '#app/_ui/format.ts';
import { Time } from '#app/_ui/text/time.tsx';
import type { OpenReserves as Open } from '#lib/ledger/reads/list-open-reserves.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';

/** The amounts held for open generations, each with a link to its generation. */
export function OpenReserves({
  open: { reserves, total },
  memberId,
  now,
}: {
  open: Open;
  memberId: string;
  now: Date;
}) {
  const rest = total - reserves.length;
  const digits = usdDigits(reserves.map(({ heldMicros }) => heldMicros));
  return (
    <Section
      title="Retenu en ce moment"
      description="Débité au coût mesuré à la livraison, rendu en entier si la génération échoue."
    >
      <ul role="list" className="divide-y divide-line border-line border-y">
        {reserves.map((reserve) => (
          <li key={reserve.generationId} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2.5">
            <Link
              href={`/journal/${reserve.generationId}`}
              className="min-w-0 grow basis-56 truncate underline-offset-4 hover:underline"
              data-tip={reserve.brief ?? undefined}
            >
              <span className="font-medium">{KIND_LABELS[reserve.kind]}</span>
              {reserve.brief ? <span className="text-ink-soft"> · {reserve.brief}</span> : null}
            </Link>
            {reserve.chargePending ? (
              <Badge tone="warn" tip="Le fichier est livré&nbsp;; la relève écrira le débit au coût mesuré.">
                Livré, débit à écrire
              </Badge>
            ) : null}
            <Time at={reserve.at} now={now} className="whitespace-nowrap text-ink-faint text-xs" />
            <span className="tabular ml-auto whitespace-nowrap font-mono text-sm">
              {usd(reserve.heldMicros, digits)}
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 ? (
        <p className="mt-2 text-ink-soft text-sm">
          Et {count(rest, 'autre')}.{' '}
          <Link
            href={`/journal?status=running&memberId=${memberId}`}
            className="text-accent-ink underline underline-offset-4"
          >
            Voir tout ce qui est en cours
          </Link>
        </p>
      ) : null}
    </Section>
  );
}
