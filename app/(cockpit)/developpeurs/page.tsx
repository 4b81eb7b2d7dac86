import { KeyRound } from 'lucide';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import Link from 'next/link';
import { pageOf, placeOn } from '#app/_cockpit/address/page-number.ts';
import { CapUse } from '#app/_cockpit/caps/cap-use.tsx';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { givenWords } from '#app/_cockpit/spaces/given-words.ts';
import { Badge } from '#app/_ui/data/badge.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { type Column, DataTable } from '#app/_ui/data/data-table.tsx';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { count, number } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Mono } from '#app/_ui/text/inline.tsx';
import { LastTime, Time } from '#app/_ui/text/time.tsx';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { hasPermission, PERMISSIONS, type Scope } from '#lib/core/actor.ts';
import { givenWithin } from '#lib/db/space-rights.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { countKeys, KEYS_A_PAGE, listKeys } from '#lib/identity/keys/list-keys.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { CreateKey, KeyCap, KeySpaces, RevokeKey, RotateKey } from './controls.tsx';
import { DeveloperTabs } from './evenements/tabs.tsx';
import { quickStart } from './quick-start.ts';

export const metadata: Metadata = { title: 'Développeurs' };

type Key = Awaited<ReturnType<typeof listKeys>>[number];

/** The API keys of the account, and a first request to make with one. */
export default memberPage({}, async ({ ctx, query, now }) => {
  const { accountId } = ctx.actor;
  const page = pageOf(query.page);
  const [listed, counted, spaces] = await Promise.all([
    listKeys(ctx, { accountId, page }),
    countKeys(ctx, { accountId }),
    listSpaceNames(ctx),
  ]);
  const origin = pageOrigin(await headers());
  const isFounder = hasPermission(ctx.actor, 'members.manage');
  const showsAll = query.cles === 'toutes';
  // Active keys are on the first pages.
  const keys = showsAll ? listed : listed.filter((key) => isAlive(key, now));
  const total = showsAll ? counted.all : counted.living;
  const place = placeOn({
    page,
    size: KEYS_A_PAGE,
    shown: keys.length,
    total,
    words: count(total, 'clé'),
  });
  const at = (to: number) =>
    withQuery('/developpeurs', {
      cles: showsAll ? 'toutes' : undefined,
      page: to > 1 ? String(to) : undefined,
    });
  const forKey = {
    origin,
    spaces,
    permissions: PERMISSIONS.filter((permission) => hasPermission(ctx.actor, permission)),
  };
  const columns: Column<Key>[] = [
    {
      key: 'name',
      label: 'Clé',
      primary: true,
      className: 'max-sm:block',
      render: (key) => (
        <span className="block min-w-0">
          <span className="wrap-anywhere block font-medium">{key.name}</span>
          <span className="block font-normal text-ink-faint text-xs">
            <Mono>{`${key.prefix}…`}</Mono>
            {isFounder && key.member.id !== ctx.actor.memberId ? ` · ${key.member.name}` : null}
          </span>
        </span>
      ),
    },
    {
      key: 'scopes',
      label: 'Droits',
      className: 'sm:max-w-64',
      render: (key) => (
        <span className="inline-flex flex-wrap gap-1 max-sm:justify-end">
          {(key.scopes as Scope[]).map((scope) => (
            <Badge key={scope} tip={scope}>
              {SCOPE_WORDS[scope]?.label ?? scope}
            </Badge>
          ))}
          {key.spaces === null ? null : (
            <Badge tip={givenWords(key.spaces, spaces).tip}>{givenWords(key.spaces, spaces).label}</Badge>
          )}
        </span>
      ),
    },
    {
      key: 'cap',
      label: 'Ce mois',
      render: (key) => <CapUse cap={key.monthlyCapMicros} used={key.monthUsedMicros} />,
    },
    { key: 'expires', label: 'Fin', render: (key) => <Ending row={key} now={now} /> },
    {
      key: 'used',
      label: 'Dernier usage',
      render: (key) => <LastTime at={key.lastUsedAt} now={now} />,
    },
    {
      key: 'actions',
      label: 'Actions',
      actions: true,
      render: (key) =>
        isAlive(key, now) ? (
          <span className="flex justify-end gap-1 max-sm:-ml-2.5 max-sm:justify-start sm:max-xl:flex-col sm:max-xl:items-end sm:max-xl:gap-0">
            {key.monthlyCapMicros === null ? null : (
              <KeyCap row={{ id: key.id, name: key.name, monthlyCapMicros: key.monthlyCapMicros }} />
            )}
            {spaces.length > 0 ? (
              <KeySpaces
                row={{
                  id: key.id,
                  name: key.name,
                  given: givenWithin(ctx.actor, key.spaces),
                  writes: key.scopes.includes('brain:write'),
                }}
                spaces={spaces}
              />
            ) : null}
            {key.successorId || key.member.id !== ctx.actor.memberId ? null : (
              <RotateKey row={{ id: key.id, name: key.name }} origin={origin} />
            )}
            <RevokeKey row={{ id: key.id, name: key.name }} />
          </span>
        ) : null,
    },
  ];
  return (
    <>
      <PageHeader
        title="Développeurs"
        description="Une clé laisse un programme agir à votre place, dans la limite de ses droits et des vôtres."
        action={<CreateKey {...forKey} primary />}
      />
      <DeveloperTabs active="keys" />
      <div className="grid gap-12">
        <div>
          {counted.all > counted.living ? (
            <div className="mb-4 flex flex-wrap gap-2">
              <FilterChip
                href="/developpeurs"
                active={!showsAll}
                label={`En service (${number(counted.living)})`}
              />
              <FilterChip
                href="/developpeurs?cles=toutes"
                active={showsAll}
                label={`Toutes (${number(counted.all)})`}
              />
            </div>
          ) : null}
          <DataTable
            caption={isFounder ? 'Clés du compte' : 'Vos clés'}
            columns={columns}
            rows={keys}
            rowKey={(key) => key.id}
            empty={
              place.isFirst ? (
                <EmptyState
                  icon={KeyRound}
                  title="Une clé ouvre vos espaces à un programme"
                  action={<CreateKey {...forKey} />}
                  className="py-10"
                >
                  Elle est montrée une seule fois&nbsp;; vous choisissez ce qu’elle permet et jusqu’à quand.
                </EmptyState>
              ) : null
            }
          />
          {place.isFirst && place.isLast ? null : (
            <Pagination
              summary={place.summary}
              previousHref={place.isFirst ? undefined : at(page - 1)}
              nextHref={place.isLast ? undefined : at(page + 1)}
            />
          )}
        </div>
        <Section
          title="Premier appel"
          description="Remplacez VOTRE_CLE. À la création, la clé est déjà en place dans l’exemple."
          className="max-w-3xl"
          action={
            <p className="text-sm">
              <Link href="/docs/developpeur" className="text-accent-ink underline underline-offset-4">
                Démarrer
              </Link>
              {' · '}
              <Link href="/docs/api" className="text-accent-ink underline underline-offset-4">
                Documentation de l’API
              </Link>
              {' · '}
              <Link href="/projets" className="text-accent-ink underline underline-offset-4">
                Projets
              </Link>
            </p>
          }
        >
          <CodeBlock label="Premier appel" samples={quickStart(origin, 'VOTRE_CLE')} />
        </Section>
      </div>
    </>
  );
});

function isAlive(key: Key, now: Date): boolean {
  return key.revokedAt === null && (key.expiresAt === null || key.expiresAt > now);
}

const WEEK_MS = 7 * 86_400_000;

function Ending({ row, now }: { row: Key; now: Date }) {
  if (row.revokedAt) return <Badge>Révoquée</Badge>;
  if (!row.expiresAt) return <span className="text-ink-faint">Sans fin</span>;
  if (row.expiresAt <= now) return <Badge>Expirée</Badge>;
  const soon = row.expiresAt.getTime() - now.getTime() < WEEK_MS;
  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Time at={row.expiresAt} now={now} />
      {row.successorId ? (
        <Badge tone="warn">Remplacée</Badge>
      ) : soon ? (
        <Badge tone="warn">Bientôt</Badge>
      ) : null}
    </span>
  );
}
