'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { badgeClass } from '#app/_ui/data/badge-class.ts';
import { Highlight } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { useHydrated } from '#app/_ui/use-hydrated.ts';
import type { FoundMemory } from '#lib/brain/queries/search-with-reasons.ts';

/** What the server draws of a list: more than a screen holds. The rest follows once the page is drawn. */
const DRAWN_FIRST = 20;

/** A search result, with its labels in French. */
export type Hit = Pick<
  FoundMemory,
  | 'id'
  | 'spaceId'
  | 'spaceName'
  | 'title'
  | 'titleRanges'
  | 'snippet'
  | 'snippetRanges'
  | 'updatedAt'
  | 'parent'
  | 'children'
  | 'highlights'
> & {
  /** The key of its pillar in `badges`. */
  pillar: string;
  source: string;
  /** The number of children that are not listed, in words; empty if all are listed. */
  others: string;
  score: string;
  /** The reasons of its rank, one per line. */
  reasons: string;
};

type HitListProps = {
  hits: readonly Hit[];
  badges: Readonly<Record<string, ReactNode>>;
  now: Date;
  /** Whether the list is under the name of its Space, which the rows then do not repeat. */
  inSpace?: boolean;
};

/**
 * The search results. A client component, so that the server sends the texts of up to fifty rows without their markup. The style is `.hit`
 * (`app/_ui/styles`).
 */
export function HitList({ hits, badges, now, inSpace }: HitListProps) {
  // One level below the name of the Space, or below the page's title.
  const Title = inSpace ? 'h3' : 'h2';
  const drawn = useHydrated() ? hits : hits.slice(0, DRAWN_FIRST);
  return (
    <ol role="list" className="divide-y divide-line border-line border-y">
      {drawn.map((hit) => (
        <li key={hit.id} className="hit">
          <Title>
            <Link href={`/espaces/${hit.spaceId}?memoire=${hit.id}`} prefetch={false} data-hit>
              <Highlight text={hit.title} ranges={hit.titleRanges} />
            </Link>
          </Title>
          <span data-tip={hit.reasons}>{hit.score}</span>
          <p>
            <Highlight text={hit.snippet} ranges={hit.snippetRanges} />
          </p>
          <Neighbours hit={hit} />
          <div>
            {badges[hit.pillar]}
            {inSpace ? null : <span>{hit.spaceName}</span>}
            {hit.source}
            <Time at={hit.updatedAt} now={now} />
            {hit.highlights.length > 0 ? (
              <span className="flex flex-wrap gap-x-2 gap-y-1.5 max-sm:w-full">
                {hit.highlights.map((reason) => (
                  <span key={reason} className={badgeClass()}>
                    {reason}
                  </span>
                ))}
              </span>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Links to the parent and the children of a result. */
function Neighbours({ hit: { spaceId, parent, children, others } }: { hit: Hit }) {
  if (!parent && children.length === 0) return null;
  const linkTo = ({ id, title }: Hit['children'][number]) => (
    <Link key={id} href={`/espaces/${spaceId}?memoire=${id}`} prefetch={false} className="touch truncate">
      {title}
    </Link>
  );
  return (
    <ul role="list" aria-label="À côté">
      {parent ? <li>Rangée sous{linkTo(parent)}</li> : null}
      {children.length > 0 ? (
        <li className="flex-wrap">
          Contient{children.map(linkTo)}
          {others}
        </li>
      ) : null}
    </ul>
  );
}
