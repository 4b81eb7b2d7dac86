import { ExternalLink } from 'lucide';
import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { badgeClass } from '#app/_ui/data/badge-class.ts';
import { Ring } from '#app/_ui/data/gauges.tsx';
import { PillarIcon } from '#app/_ui/data/pillar.tsx';
import { count, number } from '#app/_ui/format.ts';
import { Icon } from '#app/_ui/icon.tsx';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { listImports } from '#lib/brain/imports/jobs.ts';
import { findDeleted } from '#lib/brain/queries/find-deleted.ts';
import { getMemory, type MemoryDetail } from '#lib/brain/queries/get-memory.ts';
import { canWriteIn } from '#lib/brain/require-brain-write.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { Unarchive } from '../unarchive.tsx';
import { Board } from './_board/board.tsx';
import { EmptySpace } from './_menu/empty-space.tsx';
import { ShownImports } from './_menu/shown-imports.tsx';
import { SpaceActions } from './_menu/space-actions.tsx';
import { packPillars } from './_tree/tree.ts';
import { loadSpace } from './load.ts';

/** In seconds. The action that imports a web page also writes its Memories. */
export const maxDuration = 300;

export async function generateMetadata({
  params,
}: {
  params: Promise<Record<string, string>>;
}): Promise<Metadata> {
  const space = await loadSpace((await params).id ?? '');
  return { title: space.name };
}

export default memberPage({}, async ({ ctx, params, query, now }) => {
  const space = await loadSpace(params.id ?? '');
  const mayWrite = canWriteIn(ctx.actor, space.id);
  const [imports, founders, memory] = await Promise.all([
    listImports(ctx, { spaceId: space.id }),
    mayWrite ? [] : listFounderNames(ctx),
    query.memoire ? getMemory(ctx, { memoryId: query.memoire }).catch(missing) : null,
  ]);
  // A Memory of another Space redirects there: its panel would not match these pillars.
  if (memory && memory.spaceId !== space.id) {
    const view = query.vue ? `&vue=${encodeURIComponent(query.vue)}` : '';
    redirect(`/espaces/${memory.spaceId}?memoire=${memory.id}${view}`);
  }
  const here = memory;
  const deleted =
    query.memoire && !here ? await findDeleted(ctx, { spaceId: space.id, memoryId: query.memoire }) : null;
  const { usedCu, capacityCu } = space.capacity;
  const isEmpty = space.memories === 0 && !imports.some(({ state }) => state === 'RUNNING');
  return (
    <>
      <PageHeader
        title={space.name}
        crumbs={[{ label: space.name }]}
        aside={<Ring value={space.quality} label="Couverture de l’espace" size={32} />}
        description={
          <ul role="list" className="flex flex-wrap items-center gap-x-3 gap-y-1 text-sm">
            <li className={badgeClass()}>{space.templateLabel}</li>
            <li className="tabular">{count(space.memories, 'mémoire')}</li>
            <li
              className="tabular"
              data-tip={`Le compte occupe ${number(usedCu)} CU sur ${number(capacityCu)}.\nUne CU vaut 1\u00a0Kio de texte commencé, environ mille caractères.`}
            >
              {count(space.cu, 'CU', 'CU')} <span className="text-ink-faint">sur {number(capacityCu)}</span>
            </li>
            {space.websiteUrl ? (
              <li className="min-w-0">
                <a
                  href={space.websiteUrl}
                  target="_blank"
                  rel="noopener noreferrer"
                  className="flex min-w-0 items-center gap-1 hover:text-ink hover:underline"
                >
                  <span className="truncate">{new URL(space.websiteUrl).host}</span>
                  <Icon of={ExternalLink} size={14} className="shrink-0" />
                </a>
              </li>
            ) : null}
          </ul>
        }
        action={
          <SpaceActions
            space={{
              id: space.id,
              name: space.name,
              websiteUrl: space.websiteUrl,
              archived: space.archivedAt !== null,
              empty: space.memories === 0,
            }}
            canEdit={space.canEdit}
            isEmpty={isEmpty}
            pillars={space.pillars.map(({ role, label }) => ({ role, label }))}
          />
        }
      />
      {space.archivedAt ? (
        <Notice
          tone="warn"
          className="mb-6"
          action={mayWrite ? <Unarchive spaceId={space.id} name={space.name} /> : undefined}
        >
          Cet espace est archivé&nbsp;: programmes et assistants ne le voient plus. Ses CU restent comptées.
        </Notice>
      ) : mayWrite ? null : (
        <Notice tone="info" className="mb-6">
          Vous pouvez lire cet espace sans le modifier. Pour y écrire, demandez-en le droit à{' '}
          {founderWords(founders)}.
        </Notice>
      )}
      <ShownImports imports={imports} />
      {isEmpty && space.canEdit ? <EmptySpace /> : null}
      <Board
        memberId={ctx.actor.memberId}
        spaceId={space.id}
        canEdit={space.canEdit}
        mayGenerate={hasPermission(ctx.actor, 'generate')}
        pillars={packPillars(space.pillars)}
        icons={Object.fromEntries(
          space.pillars.map(({ role, icon }) => [role, <PillarIcon key={role} role={role} icon={icon} />]),
        )}
        now={now}
        drawn={{ id: query.memoire ?? null, view: query.vue ?? 'texte' }}
        opened={here}
        deleted={deleted}
      />
    </>
  );
});

function missing(error: unknown): MemoryDetail | null {
  if (error instanceof ServiceError && error.code === 'not_found') return null;
  throw error;
}
