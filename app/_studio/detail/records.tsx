import Link from 'next/link';
import { Fragment } from 'react';
import { actionWords, auditActor } from '#app/_cockpit/audit-words.ts';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';
import { Facts, Section } from '#app/_ui/data/card.tsx';
import { DataTable } from '#app/_ui/data/data-table.tsx';
import { exactTime } from '#app/_ui/format.ts';
import { Money, Mono } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { LINE_LABELS } from '#lib/messages/ledger.ts';
import type { TrailEntry, TrailLine } from '#lib/studio/journal/read-trail.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';

/** The ledger lines of a generation; `lines` is null for a member who may not read them. */
export function Ledger({ lines, now }: { lines: TrailLine[] | null; now: Date }) {
  if (lines === null)
    return (
      <Section title="Écritures">
        <p className="text-ink-soft text-sm">
          Les écritures du portefeuille ne se montrent qu’à leur membre et aux fondateurs.
        </p>
      </Section>
    );
  if (lines.length === 0) return null;
  return (
    <Section title="Écritures">
      <DataTable
        caption="Écritures du portefeuille pour cette génération"
        rows={lines}
        rowKey={(line) => line.id}
        columns={[
          {
            key: 'kind',
            label: 'Écriture',
            primary: true,
            render: (line) => (
              <>
                {LINE_LABELS[line.kind]}
                <Time at={line.at} now={now} className="block text-ink-faint text-xs" />
              </>
            ),
          },
          {
            key: 'held',
            label: 'Retenu',
            numeric: true,
            render: (line) => <Money micros={line.heldMicros} signed />,
          },
          {
            key: 'amount',
            label: 'Mouvement',
            numeric: true,
            render: (line) => <Money micros={line.amountMicros} signed />,
          },
        ]}
      />
    </Section>
  );
}

type AuditProps = {
  entries: TrailEntry[] | null;
  /** Whether there are older entries than these: the generation and its files, by what the reader calls them, lead to the whole audit of each. */
  isCut: boolean;
  subjects: { id: string; name: string }[];
  now: Date;
};

/** The audit entries of a generation; nothing for a member who may not read them. */
export function Audit({ entries, isCut, subjects, now }: AuditProps) {
  if (!entries || entries.length === 0) return null;
  return (
    <Section title="Audit">
      <ul role="list" className="flex flex-col gap-2 text-sm">
        {entries.map((entry) => {
          const view = { ...entry, subjectName: null };
          return (
            <li key={entry.id} className="flex flex-wrap justify-between gap-x-4">
              <span className="min-w-0" data-tip={entry.action}>
                {auditActor(view)} {actionWords(view)}
              </span>
              <Time at={entry.at} now={now} className="text-ink-faint text-xs" />
            </li>
          );
        })}
      </ul>
      {isCut ? (
        <p className="mt-3 text-ink-soft text-sm">
          Les {entries.length} lignes les plus récentes. L’audit a toutes celles de chacun&nbsp;:{' '}
          {subjects.map(({ id, name }, index) => (
            <Fragment key={id}>
              {index > 0 ? ', ' : ''}
              <Link href={`/audit?objet=${id}`} prefetch={false} className="underline underline-offset-4">
                {name}
              </Link>
            </Fragment>
          ))}
          .
        </p>
      ) : null}
    </Section>
  );
}

/** The identifiers of a generation in other systems, each with a button to copy it. */
export function Identifiers({ row }: { row: GenerationView }) {
  const identifier = (label: string, value: string | null | undefined) =>
    value
      ? [
          {
            label,
            value: (
              <span className="inline-flex max-w-full items-center gap-1">
                <Mono className="max-w-48">{value}</Mono>
                <CopyButton compact text={value} label={`Copier\u00a0: ${label.toLowerCase()}`} />
              </span>
            ),
          },
        ]
      : [];
  return (
    <Section title="Identifiants">
      <Facts
        items={[
          ...identifier('Génération', row.id),
          ...identifier('Trace', row.traceId),
          ...identifier('Travail du fournisseur', row.providerJobId),
          ...identifier('Génération de la passerelle', row.gatewayGenerationId),
          { label: 'Demandé le', value: exactTime(row.createdAt) },
          ...(row.relaunchOfId
            ? [
                {
                  label: 'Relance de',
                  value: (
                    <Link href={`/journal/${row.relaunchOfId}`} className="text-accent-ink hover:underline">
                      la ligne d’origine
                    </Link>
                  ),
                },
              ]
            : []),
        ]}
      />
    </Section>
  );
}
