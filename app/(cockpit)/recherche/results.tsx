import Link from 'next/link';
import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import { Badge } from '#app/_ui/data/badge.tsx';
import { PillarBadge } from '#app/_ui/data/pillar.tsx';
import { count } from '#app/_ui/format.ts';
import { Highlight } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import type { FoundMemory } from '#lib/brain/queries/search-with-reasons.ts';
import { TEMPLATES } from '#lib/brain/templates.ts';

const score = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/** Results, best first; grouped, each Space stands at the place of its best one. */
export function Results({ hits, grouped, now }: { hits: FoundMemory[]; grouped: boolean; now: Date }) {
  if (!grouped) return <HitList hits={hits} now={now} />;
  const groups = [...Map.groupBy(hits, (hit) => hit.spaceId).values()];
  return (
    <div className="space-y-8">
      {groups.map((group) => (
        <section key={group[0]?.spaceId} aria-labelledby={`groupe-${group[0]?.spaceId}`}>
          <h2
            id={`groupe-${group[0]?.spaceId}`}
            className="mb-1 flex min-w-0 items-baseline gap-2 font-semibold text-sm"
          >
            <Link href={`/espaces/${group[0]?.spaceId}`} className="truncate hover:underline">
              {group[0]?.spaceName}
            </Link>
            <span className="tabular whitespace-nowrap font-normal text-ink-faint text-xs">
              {count(group.length, 'résultat')}
            </span>
          </h2>
          <HitList hits={group} now={now} inSpace />
        </section>
      ))}
    </div>
  );
}

function HitList({ hits, now, inSpace }: { hits: FoundMemory[]; now: Date; inSpace?: boolean }) {
  // Under the name of their Space, or right under the page's own title.
  const Title = inSpace ? 'h3' : 'h2';
  return (
    <ol className="divide-y divide-line border-line border-y">
      {hits.map((hit) => {
        const pillar = TEMPLATES[hit.template].pillars[hit.role];
        return (
          <li
            key={hit.id}
            className="relative px-2 py-3 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent-ink"
          >
            <div className="flex min-w-0 items-baseline justify-between gap-3">
              <Title className="wrap-anywhere min-w-0 font-medium text-base">
                <Link
                  href={`/espaces/${hit.spaceId}?memoire=${hit.id}`}
                  prefetch={false}
                  data-hit
                  className="outline-none after:absolute after:inset-0 focus-visible:outline-none"
                >
                  <Highlight text={hit.title} ranges={hit.titleRanges} />
                </Link>
              </Title>
              <span
                data-tip={hit.reasons.join('\n')}
                className="tabular relative shrink-0 whitespace-nowrap text-ink-faint text-xs"
              >
                {`Score\u00a0${score.format(hit.score)}`}
              </span>
            </div>
            <p className="wrap-anywhere mt-0.5 text-ink-soft">
              <Highlight text={hit.snippet} ranges={hit.snippetRanges} />
            </p>
            <Neighbours hit={hit} />
            <div className="mt-2 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-ink-faint text-xs">
              <PillarBadge role={hit.role} icon={pillar.icon} label={pillar.label} />
              {inSpace ? null : <span className="wrap-anywhere min-w-0">{hit.spaceName}</span>}
              <span>{SOURCE_LABELS[hit.source]}</span>
              <Time at={hit.updatedAt} now={now} />
              {hit.highlights.length > 0 ? (
                <span className="flex flex-wrap gap-x-2 gap-y-1.5 max-sm:w-full">
                  {hit.highlights.map((reason) => (
                    <Badge key={reason}>{reason}</Badge>
                  ))}
                </span>
              ) : null}
            </div>
          </li>
        );
      })}
    </ol>
  );
}

/** Children that are named; the others are counted. */
const MOST_NAMED = 3;

/** Where a result is nested, and what is nested in it, each a link. */
function Neighbours({ hit }: { hit: FoundMemory }) {
  if (!hit.parent && hit.children.length === 0) return null;
  const named = hit.children.slice(0, MOST_NAMED);
  const others = hit.children.length - named.length;
  return (
    <ul aria-label="À côté" className="mt-1 text-ink-soft text-sm">
      {hit.parent ? (
        <li className="flex min-w-0 items-baseline gap-1.5">
          <span className="shrink-0 text-ink-faint">Rangée sous</span>
          <NeighbourLink spaceId={hit.spaceId} neighbour={hit.parent} />
        </li>
      ) : null}
      {named.length > 0 ? (
        <li className="flex min-w-0 flex-wrap items-baseline gap-x-1.5">
          <span className="shrink-0 text-ink-faint">Contient</span>
          {named.map((child) => (
            <NeighbourLink key={child.id} spaceId={hit.spaceId} neighbour={child} />
          ))}
          {others > 0 ? (
            <span className="whitespace-nowrap text-ink-faint">
              et {count(others, 'autre')}
              {hit.children.length === 50 ? ' au moins' : ''}
            </span>
          ) : null}
        </li>
      ) : null}
    </ul>
  );
}

function NeighbourLink({
  spaceId,
  neighbour,
}: {
  spaceId: string;
  neighbour: FoundMemory['children'][number];
}) {
  return (
    <Link
      href={`/espaces/${spaceId}?memoire=${neighbour.id}`}
      prefetch={false}
      className="touch relative max-w-full truncate underline decoration-line-strong underline-offset-3 hover:text-ink"
    >
      {neighbour.title}
    </Link>
  );
}
