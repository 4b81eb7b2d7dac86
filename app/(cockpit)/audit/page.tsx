import { ArrowUpRight, Download, History } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { AUDIT_FILTERS, actionWords, auditActor } from '#app/_cockpit/audit-words.ts';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { LeavingLine } from '#app/_cockpit/focus/leaving-line.tsx';
import { memberChoices } from '#app/_cockpit/member-choices.ts';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { Facts } from '#app/_ui/data/card.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count, date, exactTime, number } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Mono } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { shorten } from '#lib/brain/text/cut.ts';
import { AUDIT_COUNT_LIMIT, type AuditView, countAudit, readAudit } from '#lib/identity/audit/read-audit.ts';
import { listMemberNames } from '#lib/identity/members/list-member-names.ts';
import { auditChanges } from './changes.ts';
import { FilterForm } from './filter-form.tsx';
import { type AuditQuery, auditFilters, auditHref, ignoredNote } from './filters.ts';
import { type AuditObject, auditObject } from './objects.ts';

export const metadata: Metadata = { title: 'Audit' };

const PER_PAGE = 50;

/** Who did what, newest first. The filters and the page number are in the address. */
export default memberPage(
  { permission: 'audit.read', action: 'consulter l’audit' },
  async ({ ctx, query, now }) => {
    const filters = auditFilters(query);
    const ignored = ignoredNote(query);
    const cursor = /^\d{1,15}-aud_[0-9a-z]{26}$/.test(query.apres ?? '') ? query.apres : undefined;
    const [page, total, members] = await Promise.all([
      readAudit(ctx, { ...filters, limit: PER_PAGE, cursor }),
      countAudit(ctx, filters),
      listMemberNames(ctx),
    ]);
    const people = memberChoices(members, filters.memberId);
    const filtered = Object.values(filters).some((value) => value !== undefined);
    const bare = { ...query, apres: undefined };
    return (
      <>
        <PageHeader
          title="Audit"
          description="Qui a fait quoi, et quand. Rien ne peut y être modifié ni effacé."
          action={
            <>
              <AskedDownload
                href={auditHref(bare, { format: 'csv' }, '/audit/export')}
                className={buttonClass()}
              >
                <Icon of={Download} size={16} strokeWidth={1.75} />
                Exporter en CSV
              </AskedDownload>
              <AskedDownload
                href={auditHref(bare, { format: 'json' }, '/audit/export')}
                className={buttonClass()}
              >
                JSON
              </AskedDownload>
            </>
          }
        />
        {ignored ? (
          <Notice tone="warn" className="mb-4">
            {ignored}
          </Notice>
        ) : null}
        <FilterForm members={people} />
        <Chips query={bare} members={people} subject={page.entries[0]} />
        {page.entries.length === 0 ? (
          <EmptyState
            icon={History}
            title={filtered ? 'Rien ne correspond à ces filtres' : 'Rien n’a encore été fait'}
          >
            {filtered
              ? 'Élargissez la période ou choisissez une autre action.'
              : 'Chaque connexion, clé, droit ou dépense laissera une ligne ici.'}
          </EmptyState>
        ) : (
          <>
            <ol role="list" className="divide-y divide-line border-line border-y">
              {page.entries.map((entry) => (
                <Entry key={entry.id} entry={entry} now={now} />
              ))}
            </ol>
            <Pagination
              summary={
                total > AUDIT_COUNT_LIMIT
                  ? `Plus de ${number(AUDIT_COUNT_LIMIT)} lignes`
                  : count(total, 'ligne')
              }
              toFirst
              previousHref={cursor ? auditHref(bare) : undefined}
              nextHref={page.nextCursor ? auditHref(query, { apres: page.nextCursor }) : undefined}
            />
          </>
        )}
      </>
    );
  },
);

/** One line of the audit, with its subject. It opens on what changed, then on the exact record. */
function Entry({ entry, now }: { entry: AuditView; now: Date }) {
  const data = Object.keys(entry.data).length > 0 ? JSON.stringify(entry.data, null, 2) : null;
  const object = auditObject(entry);
  const changes = auditChanges(entry);
  const words = object ? `${object.kind}${object.name ? `\u00a0: ${object.name}` : ''}` : '';
  const who = auditActor(entry);
  const said = actionWords(entry);
  // The subject is shown beside the sentence when the sentence does not contain its name.
  const which = entry.subjectName && !`${who} ${said}`.includes(entry.subjectName) ? entry.subjectName : null;
  return (
    <li className="flex items-start gap-1">
      <details className="group min-w-0 grow">
        <summary className="flex min-h-11 list-none flex-wrap items-baseline gap-x-3 gap-y-0.5 py-2.5 hover:bg-hover/50 [&::-webkit-details-marker]:hidden">
          <span className="wrap-anywhere min-w-0 grow basis-60">
            <span className="font-medium">{who}</span> {said}
            {which ? (
              <span data-tip={which.length > 80 ? which : undefined} className="text-ink-soft">
                {' · '}
                {shorten(which, 80)}
              </span>
            ) : null}
          </span>
          <Time
            at={entry.at}
            now={now}
            className="w-32 whitespace-nowrap text-right text-ink-faint text-xs max-sm:text-left"
          />
        </summary>
        <div className="mb-3 rounded-md bg-sunken px-4 py-1">
          {changes.length > 0 ? (
            <Facts
              className="border-line border-b"
              items={changes.map(({ label, before, after }) => ({
                label,
                value:
                  before === undefined ? (
                    after
                  ) : (
                    <>
                      <del className="text-ink-faint">{before}</del> <span aria-hidden>→</span>{' '}
                      <ins className="no-underline">{after}</ins>
                    </>
                  ),
              }))}
            />
          ) : null}
          <Facts
            items={[
              { label: 'Date', value: exactTime(entry.at) },
              { label: 'Auteur', value: who },
              ...(entry.subjectId && object
                ? [
                    {
                      label: 'Objet',
                      value: (
                        <>
                          {words}{' '}
                          <Link
                            href={auditHref({ objet: entry.subjectId })}
                            prefetch={false}
                            className="underline underline-offset-2"
                          >
                            Tout ce qui lui est arrivé
                          </Link>
                        </>
                      ),
                    },
                  ]
                : []),
            ]}
          />
          <details className="border-line border-t py-2 text-sm">
            <summary className="w-fit text-ink-soft">Enregistrement exact</summary>
            <Facts
              items={[
                { label: 'Action', value: <Mono>{entry.action}</Mono> },
                { label: 'Auteur', value: <Mono>{entry.actor}</Mono> },
                ...(entry.subjectId ? [{ label: 'Objet', value: <Mono>{entry.subjectId}</Mono> }] : []),
                { label: 'Requête', value: <Mono>{entry.requestId}</Mono> },
                ...(entry.traceId ? [{ label: 'Trace', value: <Mono>{entry.traceId}</Mono> }] : []),
              ]}
            />
            {data ? (
              <pre className="wrap-anywhere mt-2 whitespace-pre-wrap font-mono text-xs">{data}</pre>
            ) : null}
          </details>
        </div>
      </details>
      {object?.href ? (
        <Link
          href={object.href}
          prefetch={false}
          aria-label={`Voir ${words}`}
          data-tip={words}
          className="touch mt-1 grid size-9 shrink-0 place-items-center rounded-md text-ink-faint hover:bg-hover hover:text-ink"
        >
          <Icon of={ArrowUpRight} size={16} />
        </Link>
      ) : (
        <span aria-hidden className="size-9 shrink-0" />
      )}
    </li>
  );
}

function Chips({
  query,
  members,
  subject,
}: {
  query: AuditQuery;
  members: { id: string; name: string }[];
  /** The last entry about the subject that the address filters by: it holds the subject's name. */
  subject: AuditView | undefined;
}) {
  const object = subject && auditObject(subject);
  const day = (value: string | undefined) => value && date(`${value}T12:00:00Z`);
  const chips: [name: string, label: string | undefined][] = [
    ['action', AUDIT_FILTERS.find((filter) => filter.value === query.action)?.label],
    ['membre', members.find((member) => member.id === query.membre)?.name],
    ['objet', auditFilters(query).subjectId && objectWords(object)],
    ['du', auditFilters({ du: query.du }).from && `Depuis le ${day(query.du)}`],
    ['au', auditFilters({ au: query.au }).to && `Jusqu’au ${day(query.au)}`],
  ];
  const active = chips.filter(([, label]) => label);
  if (active.length === 0) return null;
  return (
    <ul role="list" aria-label="Filtres actifs" className="mb-4 flex flex-wrap gap-2">
      {active.map(([name, label]) => (
        <LeavingLine key={name}>
          <FilterChip
            active
            href={auditHref(query, { [name]: undefined })}
            label={
              <>
                {label}
                <span aria-hidden>×</span>
                <span className="sr-only">&nbsp;: retirer ce filtre</span>
              </>
            }
          />
        </LeavingLine>
      ))}
    </ul>
  );
}

function objectWords(object: AuditObject | null | undefined): string {
  if (!object) return 'Un seul objet';
  return object.name ? `${object.kind}\u00a0: ${object.name}` : object.kind;
}
