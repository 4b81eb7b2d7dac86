import Link from 'next/link';
import { Unarchive } from './unarchive.tsx';

/** Archived Spaces, collapsed. */
export function ArchivedSpaces({
  spaces,
}: {
  spaces: { id: string; name: string; detail: string; mayWrite: boolean }[];
}) {
  return (
    <details className="group">
      <summary className="inline-flex min-h-10 items-center gap-2 text-ink-soft text-sm hover:text-ink">
        {spaces.length === 1 ? '1 espace archivé' : `${spaces.length} espaces archivés`}
      </summary>
      <ul role="list" className="mt-1 divide-y divide-line border-line border-y">
        {spaces.map((space) => (
          <li key={space.id} className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <Link href={`/espaces/${space.id}`} className="wrap-anywhere min-w-0 font-medium hover:underline">
              {space.name}
            </Link>
            <span className="tabular text-ink-faint text-xs">{space.detail}</span>
            {space.mayWrite ? (
              <span className="ml-auto">
                <Unarchive spaceId={space.id} name={space.name} />
              </span>
            ) : null}
          </li>
        ))}
      </ul>
    </details>
  );
}
