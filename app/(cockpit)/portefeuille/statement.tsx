import { ChevronLeft, ChevronRight, ReceiptText } from 'lucide';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { signedUsd, usdDigits } from '#app/_cockpit/money.ts';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count, number, ofName, usd } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { monthWords } from '#lib/core/text/month-words.ts';
import { type LinesPage, MAX_COUNT, type NamedLine } from '#lib/ledger/reads/list-lines.ts';
import type { Statement as MonthStatement } from '#lib/ledger/reads/read-statement.ts';
import { LINE_LABELS } from '#lib/messages/ledger.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';

type StatementProps = {
  month: string;
  statement: MonthStatement;
  page: LinesPage;
  now: Date;
  previousMonthHref: string | undefined;
  nextMonthHref: string | undefined;
  newerHref: string | undefined;
  olderHref: string | undefined;
  isFirstPage: boolean;
  exportLink: ReactNode;
};

/** The statement of a UTC month: opening balance, credits, debits, closing balance, and the lines, latest first. */
export function Statement(props: StatementProps) {
  const { month, statement, page } = props;
  const total = page.total >= MAX_COUNT ? `${number(MAX_COUNT)} lignes ou plus` : count(page.total, 'ligne');
  return (
    <Section
      id="releve"
      title={`Relevé ${ofName(monthWords(month))}`}
      description="Les mois sont comptés en heure UTC, le dernier mouvement en premier."
      action={
        <div className="flex flex-wrap items-center gap-2">
          <MonthStep href={props.previousMonthHref} label="Mois précédent" forward={false} />
          <MonthStep href={props.nextMonthHref} label="Mois suivant" forward />
          {props.exportLink}
        </div>
      }
    >
      <dl className="mb-4 grid grid-cols-2 gap-x-8 gap-y-3 rounded-md bg-sunken px-4 py-3 text-sm sm:grid-cols-4">
        <Sum label="Au début" value={usd(statement.openingMicros)} />
        <Sum label="Crédits" value={signedUsd(statement.grantedMicros)} />
        <Sum label="Débits" value={signedUsd(-statement.settledMicros)} />
        <Sum label="À la fin" value={usd(statement.closingMicros)} />
      </dl>
      <DataTable
        caption={`Lignes ${ofName(monthWords(month))}, la dernière en premier`}
        columns={columns(props.now, page.lines)}
        rows={page.lines}
        rowKey={(line) => line.id}
        empty={
          <EmptyState icon={ReceiptText} title="Aucun mouvement ce mois-là" className="py-8">
            Le solde n’a pas changé.
          </EmptyState>
        }
      />
      {page.total > 0 ? (
        <Pagination
          summary={
            props.isFirstPage
              ? page.lines.length === 1
                ? `La dernière sur ${total}`
                : `Les ${number(page.lines.length)} dernières sur ${total}`
              : `${number(page.lines.length)} sur ${total}`
          }
          previousHref={props.newerHref && `${props.newerHref}#releve`}
          nextHref={props.olderHref && `${props.olderHref}#releve`}
        />
      ) : null}
    </Section>
  );
}

function columns(now: Date, lines: readonly NamedLine[]): Column<NamedLine>[] {
  const moved = usdDigits(lines.map(({ amountMicros }) => amountMicros));
  const held = usdDigits(lines.map(({ heldMicros }) => heldMicros));
  const after = usdDigits(lines.map(({ balanceAfterMicros }) => balanceAfterMicros));
  return [
    {
      key: 'what',
      label: 'Ligne',
      primary: true,
      className: 'w-full max-w-0 max-sm:max-w-none',
      render: (line) => <What line={line} now={now} />,
    },
    {
      key: 'at',
      label: 'Quand',
      wide: true,
      render: (line) => <Time at={line.at} now={now} className="whitespace-nowrap text-ink-soft" />,
    },
    {
      key: 'amount',
      label: 'Mouvement',
      numeric: true,
      render: (line) =>
        line.amountMicros === 0n ? (
          <span className="text-ink-faint" data-tip="Le solde ne change pas">
            <span className="max-sm:hidden">—</span>
            <span className="font-mono sm:hidden">
              {line.heldMicros > 0n ? 'retenu' : 'rendu'}{' '}
              {usd(line.heldMicros < 0n ? -line.heldMicros : line.heldMicros)}
            </span>
          </span>
        ) : (
          <span className={line.amountMicros > 0n ? 'font-mono text-ok' : 'font-mono'}>
            {signedUsd(line.amountMicros, moved)}
          </span>
        ),
    },
    {
      key: 'held',
      label: 'Retenu',
      wide: true,
      numeric: true,
      render: (line) =>
        line.heldMicros === 0n ? (
          <span className="text-ink-faint">—</span>
        ) : (
          <span className="font-mono text-ink-soft">{signedUsd(line.heldMicros, held)}</span>
        ),
    },
    {
      key: 'after',
      label: 'Solde',
      wide: true,
      numeric: true,
      render: (line) => <span className="font-mono">{usd(line.balanceAfterMicros, after)}</span>,
    },
  ];
}

function What({ line, now }: { line: NamedLine; now: Date }) {
  const phone = (
    <span className="block font-normal text-ink-faint text-xs sm:hidden">
      <Time at={line.at} now={now} /> · solde {usd(line.balanceAfterMicros)}
    </span>
  );
  const words = LINE_LABELS[line.kind];
  if (line.generationId)
    return (
      <span className="block min-w-0">
        <Link
          href={`/journal/${line.generationId}`}
          data-tip={line.brief ?? undefined}
          className="block truncate underline-offset-4 hover:underline"
        >
          {words}
          <span className="font-normal text-ink-soft">
            {line.generationKind ? ` · ${KIND_LABELS[line.generationKind]}` : ''}
            {line.brief ? ` · ${line.brief}` : ''}
          </span>
        </Link>
        {phone}
      </span>
    );
  const by = line.actorName ? `par ${line.actorName}` : 'par l’administration';
  return (
    <span className="block">
      <span className="block truncate">
        {words} <span className="font-normal text-ink-soft">{by}</span>
      </span>
      {line.note ? (
        <span className="wrap-anywhere block font-normal text-ink-faint text-xs">{line.note}</span>
      ) : null}
      {phone}
    </span>
  );
}

function Sum({ label, value }: { label: string; value: string }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-faint text-xs">{label}</dt>
      <dd className="tabular whitespace-nowrap font-mono">{value}</dd>
    </div>
  );
}

function MonthStep({ href, label, forward }: { href: string | undefined; label: string; forward: boolean }) {
  const icon = <Icon of={forward ? ChevronRight : ChevronLeft} size={16} />;
  return href ? (
    <Link
      href={`${href}#releve`}
      aria-label={label}
      data-tip={label}
      className={buttonClass('secondary', 'sm', 'px-2')}
    >
      {icon}
    </Link>
  ) : (
    <span aria-hidden className={buttonClass('secondary', 'sm', 'px-2 opacity-40')}>
      {icon}
    </span>
  );
}
