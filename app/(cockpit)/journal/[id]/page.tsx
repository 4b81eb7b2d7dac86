import { RotateCcw } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { notFound } from 'next/navigation';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { Comments } from '#app/_studio/comments/comments.tsx';
import { Delivered } from '#app/_studio/detail/delivered.tsx';
import { ReferenceList, RequestFacts, SentPrompt } from '#app/_studio/detail/facts.tsx';
import { KeepFile } from '#app/_studio/detail/file-actions.tsx';
import { GenerationPager } from '#app/_studio/detail/generation-pager.tsx';
import { Lineage } from '#app/_studio/detail/lineage.tsx';
import { LiveDetail, Waiting } from '#app/_studio/detail/live.tsx';
import { Audit, Identifiers, Ledger } from '#app/_studio/detail/records.tsx';
import { DeleteFiles, Relaunch, RestoreFiles } from '#app/_studio/detail/row-actions.tsx';
import { askedWord, fileSteps, jobSteps, moneySteps, retentionLine } from '#app/_studio/detail/steps.tsx';
import { Timeline } from '#app/_studio/detail/timeline.tsx';
import { journalHref, listName, rowHref } from '#app/_studio/journal/filters/query.ts';
import { readAddress } from '#app/_studio/journal/filters/read-address.ts';
import { leftFiles } from '#app/_studio/left-files.ts';
import { pageStudio } from '#app/_studio/page-studio.ts';
import { titleOf } from '#app/_studio/title.ts';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Status } from '#app/_ui/data/badge.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { date, usd } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { shorten } from '#lib/brain/text/cut.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { listMemberNames } from '#lib/identity/members/list-member-names.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import { findProduct } from '#lib/products/registry.ts';
import { listAvatars } from '#lib/storage/assets/avatars.ts';
import { listConceptNames } from '#lib/storage/assets/concepts.ts';
import { listLessons } from '#lib/storage/assets/lessons.ts';
import { LISTED } from '#lib/storage/assets/older-than.ts';
import { type GenerationFile, readGenerationFiles } from '#lib/storage/assets/read-generation-files.ts';
import { readLineage } from '#lib/storage/assets/read-lineage.ts';
import { readBinnedFiles } from '#lib/storage/bin/read-binned-files.ts';
import { listComments } from '#lib/studio/comments/list-comments.ts';
import { listMentionable } from '#lib/studio/comments/list-mentionable.ts';
import { getGeneration } from '#lib/studio/journal/get-generation.ts';
import { listNeighbours } from '#lib/studio/journal/list-neighbours.ts';
import { readTrail } from '#lib/studio/journal/read-trail.ts';
import { relaunchMicros } from '#lib/studio/journal/relaunch-price.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import { findSkill } from '#lib/studio/prompt/skills.ts';

export const metadata: Metadata = { title: 'Génération' };
/** In seconds. An upper limit: the actions only write to the database. */
export const maxDuration = 60;

/** The tone of the message: a warning if the member only has to wait or try again, else a failure if it was refunded or cancelled. */
function noticeTone({ status, charge }: GenerationView): 'fail' | 'warn' | 'info' {
  if (status === 'quota' || status === 'no-callback') return 'warn';
  return charge === 'refunded' || status === 'cancelled' ? 'fail' : 'info';
}

const GUARD = { permission: 'generate', action: 'consulter le journal du Studio' } as const;

/** One generation: its files, what was sent, its steps, its costs, its comments and its audit. */
export default memberPage(GUARD, async ({ ctx, params, query, now }) => {
  const { filters } = readAddress(query);
  const studio = pageStudio(ctx);
  const row = await getGeneration(studio, { generationId: params.id ?? '' }).catch((error: unknown) => {
    if (error instanceof ServiceError && error.code === 'not_found') notFound();
    throw error;
  });
  const [files, [binned], lineage, members, concepts, beside] = await Promise.all([
    readGenerationFiles(ctx, { generationIds: [row.id] }),
    row.filesDeletedAt ? readBinnedFiles(ctx, { generationIds: [row.id] }) : [],
    readLineage(ctx, { generationId: row.id }),
    listMemberNames(ctx),
    listConceptNames(ctx, { productId: row.productId }),
    listNeighbours(studio, { place: { id: row.id, createdAt: new Date(row.createdAt) }, filters }),
  ]);
  const assetIds = files.map(({ id }) => id);
  const [trail, avatars, lessons, comments, mentionable] = await Promise.all([
    readTrail(ctx, { generationId: row.id, memberId: row.memberId, assetIds }),
    listAvatars(ctx, { assetIds }),
    listLessons(ctx, { assetIds, limit: LISTED + 1 }),
    listComments(ctx, { generationId: row.id }),
    listMentionable(ctx),
  ]);
  const nameOf = (id: string | null) => members.find((member) => member.id === id)?.name ?? null;
  /** The number of a file among those delivered, from 1. Deleted files keep their number; 0 for an unknown file. */
  const placeOf = ({ pathname }: GenerationFile) =>
    row.files.findIndex((one) => one.pathname === pathname) + 1;
  const canGenerate = hasPermission(ctx.actor, 'generate');
  const title = titleOf(row);
  const product = findProduct(ctx.actor.accountId, row.productId)?.name ?? row.productId;
  const skillKind = row.kind === 'VECTOR' ? 'vector' : row.kind === 'IMAGE' ? 'image' : 'video';
  const skills = (row.params.skills ?? []).map((id) => findSkill(id, skillKind)?.label ?? id);
  const isOwn = row.memberId === ctx.actor.memberId;
  const author = isOwn ? 'vous' : (nameOf(row.memberId) ?? 'un membre');
  const stepsOf = (file: GenerationFile | undefined, name: string) =>
    fileSteps(
      row,
      file,
      nameOf(file?.reviewedBy ?? null),
      now,
      file && canGenerate ? <KeepFile file={{ id: file.id, state: file.state }} name={name} /> : null,
    );
  return (
    <>
      <LiveDetail row={row} />
      <PageHeader
        title={shorten(title, 90)}
        crumbs={[
          ...(Object.keys(filters).length > 0
            ? [{ label: listName(filters), href: journalHref(query) }]
            : []),
          { label: shorten(title, 60) },
        ]}
        description={
          <span className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
            <Status status={row.status} />
            <span>
              {KIND_LABELS[row.kind]} pour {product}, {askedWord(row.kind)} par {author}{' '}
              <Time at={row.createdAt} now={now} />
            </span>
          </span>
        }
        action={
          <>
            <GenerationPager
              list={{ href: journalHref(query), name: listName(filters) }}
              newer={beside.newer && rowHref(beside.newer.id, query)}
              older={beside.older && rowHref(beside.older.id, query)}
            />
            {canGenerate ? (
              row.canRelaunch ? (
                <Relaunch generationId={row.id} held={usd(relaunchMicros())} />
              ) : (
                <LinkButton href={`/creer?reprendre=${row.id}`} variant="primary" icon={RotateCcw}>
                  Refaire
                </LinkButton>
              )
            ) : null}
          </>
        }
      />
      {row.message ? (
        <Notice tone={noticeTone(row)} className="mb-6">
          {row.message}
          {row.charge === 'refunded' ? <span className="font-medium"> Non débité.</span> : null}
        </Notice>
      ) : null}
      {binned ? (
        <Notice
          tone="info"
          className="mb-6"
          action={canGenerate ? <RestoreFiles generationId={row.id} files={binned.files} /> : undefined}
        >
          {binned.files > 1 ? 'Les fichiers attendent' : 'Le fichier attend'} dans la{' '}
          <Link href="/corbeille?type=fichiers" className="underline underline-offset-4">
            corbeille
          </Link>{' '}
          jusqu’au {date(binned.erasedAt)}, puis {binned.files > 1 ? 'sont effacés' : 'est effacé'}.
        </Notice>
      ) : null}
      <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-8">
          <Delivered
            row={row}
            title={title}
            files={files}
            canGenerate={canGenerate}
            concepts={concepts}
            avatarFiles={new Set(avatars.map((avatar) => avatar.assetId))}
            lessons={lessons.slice(0, LISTED)}
            now={now}
            filters={filters}
            query={query}
          />
          {lessons.length > LISTED ? (
            <p className="text-ink-soft text-sm">
              Ces fichiers montrent leurs {LISTED} leçons les plus récentes. Les autres sont dans la{' '}
              <Link href="/produits#gardes" className="underline underline-offset-4">
                liste des leçons
              </Link>
              .
            </p>
          ) : null}
          <Section title="Ce qui a été envoyé">
            <SentPrompt row={row} />
            <RequestFacts row={row} product={product} skills={skills} />
          </Section>
          {row.references.roles || row.references.voiceGenerationId ? (
            <Section title="Références">
              <ReferenceList row={row} />
            </Section>
          ) : null}
          {lineage.length > 1 ? (
            <Section title="Lignée" description="Approuver un fichier de la lignée garde tous les autres.">
              <Lineage entries={lineage} now={now} />
            </Section>
          ) : null}
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <Section title="Argent">
            <Timeline steps={moneySteps(row, isOwn)} now={now} />
          </Section>
          <Section title="Travail">
            <Timeline
              steps={jobSteps(row, author, <Waiting row={row} now={now.toISOString()} />)}
              now={now}
            />
          </Section>
          {files.length > 1 && !row.filesDeletedAt ? (
            <Section
              title="Fichiers"
              {...(row.kind === 'RENDER' ? { description: 'Approuver l’un d’eux les garde tous.' } : {})}
            >
              <ol role="list" className="flex flex-col gap-2">
                {files.map((file) => (
                  <li key={file.id}>
                    <details open={files.length <= 3} className="rounded-md border border-line px-3 py-2">
                      <summary className="cursor-pointer text-sm">
                        <span className="tabular font-medium">Fichier {placeOf(file)}</span>
                        <span className="text-ink-soft"> · {retentionLine(file, now)}</span>
                      </summary>
                      <div className="pt-3 pb-1">
                        <Timeline steps={stepsOf(file, `le fichier ${placeOf(file)}`)} now={now} />
                      </div>
                    </details>
                  </li>
                ))}
              </ol>
            </Section>
          ) : files.length > 0 || row.filesDeletedAt ? (
            <Section title={leftFiles(row).length > 1 ? 'Fichiers' : 'Fichier'}>
              <Timeline steps={stepsOf(files[0], 'ce fichier')} now={now} />
            </Section>
          ) : null}
          <Comments
            generationId={row.id}
            comments={comments}
            nameOf={nameOf}
            mentionable={mentionable}
            memberId={ctx.actor.memberId}
            mayDeleteAll={hasPermission(ctx.actor, 'members.manage')}
            now={now}
          />
          <Ledger lines={trail.lines} now={now} />
          <Audit
            entries={trail.audit}
            isCut={trail.isCut}
            subjects={[
              { id: row.id, name: 'cette génération' },
              ...files.map((file) => ({ id: file.id, name: `fichier ${placeOf(file)}` })),
            ]}
            now={now}
          />
          <Identifiers row={row} />
          {canGenerate && leftFiles(row).length > 0 && row.status === 'done' && row.closedAt ? (
            <div>
              <DeleteFiles generationId={row.id} files={leftFiles(row).length} />
            </div>
          ) : null}
        </div>
      </div>
    </>
  );
});
