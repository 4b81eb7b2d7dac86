import { Brain } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { badgeClass } from '#app/_ui/data/badge-class.ts';
import { Card } from '#app/_ui/data/card.tsx';
import { Bar, Ring } from '#app/_ui/data/gauges.tsx';
import { count, number, ofName } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { PageCommands } from '#app/_ui/shell/palette/commands.ts';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import { countProposals } from '#lib/brain/proposals/list-proposals.ts';
import { getMonthReads } from '#lib/brain/queries/get-month-reads.ts';
import { listSpaceCards, type SpaceCard } from '#lib/brain/queries/list-space-cards.ts';
import { canWriteIn } from '#lib/brain/require-brain-write.ts';
import { PILLAR_ROLES, SPACE_TEMPLATES, TEMPLATES } from '#lib/brain/templates.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { getFirstSteps } from '#lib/identity/first-steps/get-first-steps.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { ArchivedSpaces } from './archived.tsx';
import { CreateSpace } from './create-space.tsx';
import { FirstSteps } from './first-steps.tsx';
import { Usage } from './usage.tsx';

export const metadata: Metadata = { title: 'Espaces' };

const TEMPLATE_CHOICES = SPACE_TEMPLATES.map((value) => ({
  value,
  label: TEMPLATES[value].label,
  pillars: PILLAR_ROLES.map((role) => TEMPLATES[value].pillars[role].label),
}));

export default memberPage({}, async ({ ctx, now }) => {
  const canEdit = hasPermission(ctx.actor, 'brain.write');
  const isRestricted = ctx.actor.spaces !== undefined;
  const creates = canEdit && !isRestricted;
  const [{ spaces, archived, capacity }, reads, founders, waiting, first] = await Promise.all([
    listSpaceCards(ctx),
    getMonthReads(ctx),
    creates ? [] : listFounderNames(ctx),
    canEdit ? countProposals(ctx) : 0,
    getFirstSteps(ctx),
  ]);
  return (
    <>
      <PageHeader
        title="Espaces"
        description="Ce que votre équipe sait d’une marque, d’une application ou d’un travail, prêt pour vos prompts."
        action={creates && spaces.length > 0 ? <CreateSpace templates={TEMPLATE_CHOICES} /> : undefined}
      />
      {canEdit ? (
        <PageCommands
          owner="espaces"
          commands={
            creates ? [{ id: 'create-space', label: 'Créer un espace', href: '/espaces?nouveau' }] : []
          }
        />
      ) : (
        <Notice tone="info" className="mb-6">
          {isRestricted
            ? 'Vous pouvez lire les espaces qui vous sont ouverts, sans rien modifier.'
            : 'Vous pouvez tout lire ici, sans rien modifier.'}{' '}
          Pour écrire dans le Brain, demandez-en le droit à {founderWords(founders)}.
        </Notice>
      )}
      {waiting > 0 ? (
        <Notice
          tone="info"
          className="mb-6"
          action={
            <Link href="/propositions" className="font-medium underline underline-offset-2">
              Voir les propositions
            </Link>
          }
        >
          {count(
            waiting,
            'texte proposé par un assistant attend',
            'textes proposés par des assistants attendent',
          )}{' '}
          votre avis.
        </Notice>
      ) : null}
      {first ? <FirstSteps steps={first.steps} spaceId={first.spaceId} /> : null}
      <div className="space-y-12">
        {spaces.length > 0 ? (
          <section aria-labelledby="espaces">
            <h2 id="espaces" className="sr-only">
              Vos espaces
            </h2>
            <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {spaces.map((space) => (
                <SpaceTile key={space.id} space={space} capacityCu={capacity.capacityCu} now={now} />
              ))}
            </div>
          </section>
        ) : isRestricted ? (
          <EmptyState icon={Brain} title="Aucun espace actif ne vous est ouvert">
            Ceux que l’on vous ouvrira paraîtront ici. Demandez-en l’accès à {founderWords(founders)}.
          </EmptyState>
        ) : (
          <EmptyState
            icon={Brain}
            title="Un espace réunit ce qu’il faut savoir d’une marque"
            action={creates ? <CreateSpace templates={TEMPLATE_CHOICES} /> : undefined}
            example={
              <div className="text-sm">
                <p className="font-medium">Ton de la marque</p>
                <p className="text-ink-soft">Nous vouvoyons, nous expliquons, nous ne crions jamais.</p>
              </div>
            }
          >
            Vos textes y sont rangés en cinq piliers. Programmes et assistants les lisent quand ils écrivent
            pour vous.
          </EmptyState>
        )}
        {archived.length > 0 ? (
          <ArchivedSpaces
            spaces={archived.map(({ id, name, memories, cu }) => ({
              id,
              name,
              mayWrite: canWriteIn(ctx.actor, id),
              detail: `${count(memories, 'mémoire')} · ${count(cu, 'CU toujours comptée', 'CU toujours comptées')}`,
            }))}
          />
        ) : null}
        <Usage reads={reads} capacity={capacity} />
      </div>
    </>
  );
});

function SpaceTile({ space, capacityCu, now }: { space: SpaceCard; capacityCu: number; now: Date }) {
  const words = `${number(space.cu)} sur ${count(capacityCu, 'CU', 'CU')} du compte`;
  return (
    <Card href={`/espaces/${space.id}`} title={space.name} className="flex flex-col">
      <div className="mt-2 mb-5 flex items-center gap-4">
        <div className="min-w-0 grow">
          <span className={badgeClass()}>{space.templateLabel}</span>
          <p className="tabular mt-2 text-ink-soft text-sm">{count(space.memories, 'mémoire')}</p>
          <p className="text-ink-faint text-xs">
            Modifié <Time at={space.updatedAt} now={now} />
          </p>
        </div>
        <Ring value={space.quality} label="Couverture" size={64} />
      </div>
      <div className="tabular mt-auto mb-1.5 flex justify-between gap-3 font-medium text-xs">
        {count(space.cu, 'CU', 'CU')}
        <span className="font-normal text-ink-faint">{`sur ${number(capacityCu)}`}</span>
      </div>
      <Bar
        share={capacityCu > 0 ? space.cu / capacityCu : 0}
        label={`CU ${ofName(space.name)}`}
        words={words}
      />
    </Card>
  );
}
