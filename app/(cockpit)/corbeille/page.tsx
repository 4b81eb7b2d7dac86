import { Trash2 } from 'lucide';
import type { Metadata } from 'next';
import { pageOf } from '#app/_cockpit/address/page-number.ts';
import { LeavingLine } from '#app/_cockpit/focus/leaving-line.tsx';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { FilterChip } from '#app/_ui/data/filter-chip.tsx';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { number, bytes as weight } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { listBin } from '#lib/brain/bin/list-bin.ts';
import { canWriteIn } from '#lib/brain/require-brain-write.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { BIN_DAYS, BIN_PAGE } from '#lib/core/bin-time.ts';
import { findProduct } from '#lib/products/registry.ts';
import { listBinned } from '#lib/storage/bin/list-binned.ts';
import { EraseMemories, EraseThing, Restore, RestoreAll } from './controls.tsx';
import { DeletedMemory } from './deleted-memory.tsx';
import { DeletedThing, titleOfThing } from './deleted-thing.tsx';
import { type BinType, type Entry, entriesOf, everythingOf, kindOf, saidOf, TYPES } from './entries.ts';

export const metadata: Metadata = { title: 'Corbeille' };
/** In seconds. Erasing an item also deletes its file from the store. */
export const maxDuration = 60;

const PATH = '/corbeille';
const EVERY_TYPE = Object.keys(TYPES) as BinType[];

export default memberPage({}, async ({ ctx, query, now }) => {
  const type = EVERY_TYPE.find((one) => one === query.type);
  const page = pageOf(query.page);
  const skip = (page - 1) * BIN_PAGE;
  // The first page counts everything, whichever is shown.
  const [memories, things, later] = await Promise.all([
    listBin(ctx),
    listBinned(ctx),
    page > 1 ? Promise.all([listBin(ctx, { skip }), listBinned(ctx, { skip })]) : null,
  ]);
  const { entries: first, totals, total, bytes } = entriesOf(memories, things, type);
  const entries = later ? entriesOf(...later, type).entries : first;
  const longest = Math.max(...(type ? [totals[type]] : Object.values(totals)));
  const pages = Math.max(1, Math.ceil(longest / BIN_PAGE));
  const at = (to: number) => withQuery(PATH, { type, page: to > 1 ? String(to) : undefined });
  const mayGenerate = hasPermission(ctx.actor, 'generate');
  const mayErase = hasPermission(ctx.actor, 'storage.purge');
  const nameOf = (id: string) => findProduct(ctx.actor.accountId, id)?.name ?? id;
  const kind = kindOf(type);
  const comesBack = (entry: Entry) =>
    'memory' in entry ? canWriteIn(ctx.actor, entry.memory.spaceId) && !entry.memory.archived : mayGenerate;
  const back = everythingOf(
    first.filter(comesBack),
    memories.restorable,
    mayGenerate ? things.total : null,
    type,
  );
  const of = { memories: back.memories > 0, things: back.things > 0, ...(kind ? { kind } : {}) };
  const shownTypes = EVERY_TYPE.filter((one) => totals[one] > 0 || one === type);
  return (
    <>
      <PageHeader
        title="Corbeille"
        description={`Ce qui est supprimé attend ici ${BIN_DAYS} jours, puis est effacé. Les mémoires n’occupent pas de capacité, et ni la recherche ni un contexte ne les voient\u00a0; les fichiers gardent leur place dans le stockage.`}
        action={back.all > 1 ? <RestoreAll said={`${back.said} reviennent.`} of={of} /> : undefined}
      />
      {shownTypes.length > 1 || type ? (
        <nav aria-label="Natures" className="mb-5 flex flex-wrap gap-2">
          <FilterChip href={PATH} label="Tout" active={!type} />
          {shownTypes.map((one) => (
            <FilterChip
              key={one}
              href={withQuery(PATH, { type: one })}
              label={`${TYPES[one]} ${totals[one]}`}
              active={type === one}
            />
          ))}
        </nav>
      ) : null}
      {total === 0 ? (
        <EmptyState icon={Trash2} title={type ? 'Rien de cette nature' : 'La corbeille est vide'}>
          Ce que vous supprimez d’un espace, du journal, des envois, des avatars ou des concepts vient ici.
          Vous avez {BIN_DAYS} jours pour le rétablir.
        </EmptyState>
      ) : (
        <>
          <p className="tabular mb-3 text-ink-soft text-sm">
            {saidOf(entries, total, page)}
            {bytes > 0 ? (
              <span className="text-ink-faint"> · {weight(bytes)} de fichiers dans le stockage</span>
            ) : null}
          </p>
          <ul role="list" className="divide-y divide-line border-line border-y">
            {entries.map((entry) => (
              <LeavingLine
                key={keyOf(entry)}
                className="flex flex-wrap items-center gap-x-6 gap-y-2 px-2 py-3"
              >
                {'memory' in entry ? (
                  <>
                    <DeletedMemory one={entry.memory} now={now} />
                    <span className="flex gap-2">
                      {comesBack(entry) ? (
                        <Restore line={{ deletionId: entry.memory.deletionId }} title={entry.memory.title} />
                      ) : null}
                      {mayErase ? (
                        <EraseMemories
                          deletionId={entry.memory.deletionId}
                          title={entry.memory.title}
                          memories={entry.memory.memories}
                        />
                      ) : null}
                    </span>
                  </>
                ) : (
                  <>
                    <DeletedThing one={entry.thing} now={now} nameOf={nameOf} />
                    <span className="flex gap-2">
                      {mayGenerate ? (
                        <Restore line={refOf(entry.thing)} title={titleOfThing(entry.thing)} />
                      ) : null}
                      {mayErase ? (
                        <EraseThing thing={refOf(entry.thing)} title={titleOfThing(entry.thing)} />
                      ) : null}
                    </span>
                  </>
                )}
              </LeavingLine>
            ))}
          </ul>
          {pages > 1 || page > 1 ? (
            <Pagination
              summary={`Page ${number(page)} sur ${number(pages)}`}
              previousHref={page > 1 ? at(Math.min(page - 1, pages)) : undefined}
              nextHref={page < pages ? at(page + 1) : undefined}
            />
          ) : null}
        </>
      )}
    </>
  );
});

const keyOf = (entry: Entry) =>
  'memory' in entry ? entry.memory.deletionId : `${entry.thing.kind} ${entry.thing.id}`;
const refOf = ({ kind, id }: Extract<Entry, { thing: unknown }>['thing']) => ({ kind, id });
