import { Trash2 } from 'lucide-react';
import type { Metadata } from 'next';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { PillarBadge } from '#app/_ui/data/pillar.tsx';
import { count, date } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { BIN_DAYS } from '#lib/core/bin-time.ts';
import { type Deletion, listBin } from '#lib/brain/bin/list-bin.ts';
import { TEMPLATES } from '#lib/brain/templates.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { Erase, Restore, RestoreAll } from './controls.tsx';

export const metadata: Metadata = { title: 'Corbeille' };

export default memberPage({}, async ({ ctx, now }) => {
  const { deletions, total } = await listBin(ctx);
  const mayRestore = hasPermission(ctx.actor, 'brain.write');
  const mayErase = hasPermission(ctx.actor, 'storage.purge');
  const memories = deletions.reduce((sum, one) => sum + one.memories, 0);
  return (
    <>
      <PageHeader
        title="Corbeille"
        description={`Les mémoires supprimées attendent ici ${BIN_DAYS} jours, avec leur historique. Elles n’occupent pas de capacité, et ni la recherche ni un contexte ne les voient.`}
        action={
          mayRestore && deletions.length > 1 ? (
            <RestoreAll
              said={
                total > deletions.length
                  ? `Les ${deletions.length} dernières suppressions`
                  : `Les ${memories} mémoires`
              }
            />
          ) : undefined
        }
      />
      {deletions.length === 0 ? (
        <EmptyState icon={Trash2} title="La corbeille est vide">
          Ce que vous supprimez d’un espace vient ici. Vous avez {BIN_DAYS} jours pour le rétablir.
        </EmptyState>
      ) : (
        <>
          <p className="tabular mb-3 text-ink-soft text-sm">
            {total > deletions.length
              ? `Les ${deletions.length} dernières suppressions, sur ${total}`
              : count(memories, 'mémoire supprimée', 'mémoires supprimées')}
          </p>
          <ul className="divide-y divide-line border-line border-y">
            {deletions.map((one) => (
              <li key={one.deletionId} className="flex flex-wrap items-center gap-x-6 gap-y-2 px-2 py-3">
                <Deleted one={one} now={now} />
                <span className="flex gap-2">
                  {mayRestore && !one.archived ? (
                    <Restore deletionId={one.deletionId} title={one.title} />
                  ) : null}
                  {mayErase ? (
                    <Erase deletionId={one.deletionId} title={one.title} memories={one.memories} />
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
});

function Deleted({ one, now }: { one: Deletion; now: Date }) {
  const pillar = TEMPLATES[one.template].pillars[one.role];
  return (
    <div className="min-w-0 grow basis-72">
      <h2 className="wrap-anywhere font-medium text-base">
        {one.title}
        {one.memories > 1 ? (
          <span className="font-normal text-ink-soft">
            {' '}
            et {count(one.memories - 1, 'mémoire qu’elle contenait', 'mémoires qu’elle contenait')}
          </span>
        ) : null}
      </h2>
      <p className="truncate text-ink-soft text-sm">{one.excerpt}</p>
      <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-ink-faint text-xs">
        <PillarBadge role={one.role} icon={pillar.icon} label={pillar.label} />
        <Link
          href={`/espaces/${one.spaceId}`}
          prefetch={false}
          className="wrap-anywhere min-w-0 hover:underline"
        >
          {one.spaceName}
        </Link>
        {one.archived ? <span>Espace archivé&nbsp;: réactivez-le pour la rétablir</span> : null}
        <span className="whitespace-nowrap">
          Supprimée <Time at={one.deletedAt} now={now} />
          {one.by ? ` par ${one.by}` : ''}
        </span>
        <span className="whitespace-nowrap">
          {/* A day, not an age: « le mois prochain » would be read as far away. */}
          Effacée le <time dateTime={one.erasedAt.toISOString()}>{date(one.erasedAt)}</time>
        </span>
      </div>
    </div>
  );
}
