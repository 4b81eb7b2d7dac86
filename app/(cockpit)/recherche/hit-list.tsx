'use client';
import Link from 'next/link';
import type { ReactNode } from 'react';
import { badgeClass } from '#app/_ui/data/badge-class.ts';
import { Highlight } from '#app/_ui/text/inline.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import type { FoundMemory } from '#lib/brain/queries/search-with-reasons.ts';

/** A result as it is shown. */
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
  /** Of its pillar, among the badges. */
  pillar: string;
  source: string;
  /** How many children are not named, in words; empty when all are. */
  others: string;
  score: string;
  /** Why it is where it is, a line each. */
  reasons: string;
};

type HitListProps = {
  hits: readonly Hit[];
  badges: Readonly<Record<string, ReactNode>>;
  now: Date;
  /** Under the name of their Space, which no row repeats. */
  inSpace?: boolean;
};

/**
 * Fifty rows of much markup and few words: drawn by the browser's component, only the words are described to it. Their style is `.hit`
 * (`app/_ui/styles`).
 */
export function HitList({ hits, badges, now, inSpace }: HitListProps) {
  // Under the name of their Space, or right under the page's own title.
  const Title = inSpace ? 'h3' : 'h2';
  return (
    <ol role="list" className="divide-y divide-line border-line border-y">
      {hits.map((hit) => (
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

/** Where a result is nested, and what is nested in it, each a link. */
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
