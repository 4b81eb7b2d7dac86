import Link from 'next/link';
import { PillarBadge } from '#app/_ui/data/pillar.tsx';
import { count } from '#app/_ui/format.ts';
import type { Deletion } from '#lib/brain/bin/list-bin.ts';
import { TEMPLATES } from '#lib/brain/templates.ts';
import { Deleted } from './deleted.tsx';

/** A deleted Memory in the bin, with the number of Memories deleted with it. */
export function DeletedMemory({ one, now }: { one: Deletion; now: Date }) {
  const pillar = TEMPLATES[one.template].pillars[one.role];
  return (
    <Deleted
      one={one}
      now={now}
      word="Supprimée"
      until="Sera effacée"
      title={
        <>
          {one.title}
          {one.memories > 1 ? (
            <span className="font-normal text-ink-soft">
              {' '}
              et {count(one.memories - 1, 'mémoire qu’elle contenait', 'mémoires qu’elle contenait')}
            </span>
          ) : null}
        </>
      }
      excerpt={one.excerpt}
    >
      <PillarBadge role={one.role} icon={pillar.icon} label={pillar.label} />
      <Link
        href={`/espaces/${one.spaceId}`}
        prefetch={false}
        className="wrap-anywhere min-w-0 hover:underline"
      >
        {one.spaceName}
      </Link>
      {one.archived ? <span>Espace archivé&nbsp;: réactivez-le pour la rétablir</span> : null}
    </Deleted>
  );
}
