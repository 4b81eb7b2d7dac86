import Link from 'next/link';
import type { ReactNode } from 'react';
import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import { PillarBadge } from '#app/_ui/data/pillar.tsx';
import { count } from '#app/_ui/format.ts';
import type { FoundMemory } from '#lib/brain/queries/search-with-reasons.ts';
import { TEMPLATES } from '#lib/brain/templates.ts';
import { type Hit, HitList } from './hit-list.tsx';

const score = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 1 });

/** The results, best first. If they are grouped by Space, the groups are in the order of their best result. */
export function Results({ hits, grouped, now }: { hits: FoundMemory[]; grouped: boolean; now: Date }) {
  const badges = badgesOf(hits);
  if (!grouped) return <HitList hits={hits.map(hitOf)} badges={badges} now={now} />;
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
          <HitList hits={group.map(hitOf)} badges={badges} now={now} inSpace />
        </section>
      ))}
    </div>
  );
}

const pillarKey = ({ template, role }: FoundMemory) => `${template} ${role}`;

/** The badges of the results' pillars, rendered by the server, so that the browser does not load the icons and labels of all templates. */
function badgesOf(hits: readonly FoundMemory[]): Record<string, ReactNode> {
  const pillars = new Map(hits.map((hit) => [pillarKey(hit), hit]));
  return Object.fromEntries(
    [...pillars].map(([key, { template, role }]) => {
      const { icon, label } = TEMPLATES[template].pillars[role];
      return [key, <PillarBadge key={key} role={role} icon={icon} label={label} />];
    }),
  );
}

/** The most children that are listed; the others are counted. */
const MOST_NAMED = 3;

/** A result as the list shows it. The labels are made here, so that the browser does not load their texts. */
function hitOf(hit: FoundMemory): Hit {
  const others = hit.children.length - MOST_NAMED;
  return {
    id: hit.id,
    spaceId: hit.spaceId,
    spaceName: hit.spaceName,
    pillar: pillarKey(hit),
    source: SOURCE_LABELS[hit.source],
    title: hit.title,
    titleRanges: hit.titleRanges,
    snippet: hit.snippet,
    snippetRanges: hit.snippetRanges,
    updatedAt: hit.updatedAt,
    parent: hit.parent,
    children: hit.children.slice(0, MOST_NAMED),
    others: others > 0 ? `et ${count(others, 'autre')}${hit.children.length === 50 ? ' au moins' : ''}` : '',
    score: `Score\u00a0${score.format(hit.score)}`,
    reasons: hit.reasons.join('\n'),
    highlights: hit.highlights,
  };
}
