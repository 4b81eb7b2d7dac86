import { Inbox } from 'lucide';
import type { Metadata } from 'next';
import Link from 'next/link';
import { pageOf, placeOn } from '#app/_cockpit/address/page-number.ts';
import { LeavingLine } from '#app/_cockpit/focus/leaving-line.tsx';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { withQuery } from '#app/_cockpit/money.ts';
import { Pagination } from '#app/_ui/data/navigation.tsx';
import { PillarBadge } from '#app/_ui/data/pillar.tsx';
import { count, date, number, ofName } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { Diff } from '#app/_ui/text/diff.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { Time } from '#app/_ui/text/time.tsx';
import {
  listProposals,
  PROPOSALS_A_PAGE,
  type WaitingProposal,
} from '#lib/brain/proposals/list-proposals.ts';
import { PROPOSAL_DAYS } from '#lib/brain/proposals/proposal-rules.ts';
import { canWriteIn } from '#lib/brain/require-brain-write.ts';
import { TEMPLATES } from '#lib/brain/templates.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { InvisibleNotice } from '../espaces/[id]/_notices/invisible-notice.tsx';
import { Accept, AcceptEdited, Refuse } from './controls.tsx';
import { drawnFirst } from './drawn-first.ts';

export const metadata: Metadata = { title: 'Propositions' };

export default memberPage({}, async ({ ctx, query, now }) => {
  const asked = pageOf(query.page);
  const found = await listProposals(ctx, { page: asked });
  // The last one of the last page was decided.
  const page = found.total === 0 ? 1 : asked;
  const { proposals, total } = page === asked ? found : await listProposals(ctx);
  const place = placeOn({
    page,
    size: PROPOSALS_A_PAGE,
    shown: proposals.length,
    total,
    words: count(total, 'proposition'),
  });
  const at = (to: number, voir?: string) =>
    withQuery('/propositions', { page: to > 1 ? String(to) : undefined, voir });
  const drawn = drawnFirst(proposals, query.voir);
  const mayWrite = hasPermission(ctx.actor, 'brain.write');
  const mayDecide = ({ spaceId }: WaitingProposal) => canWriteIn(ctx.actor, spaceId);
  return (
    <>
      <PageHeader
        title="Propositions"
        description={`Ce que vos assistants proposent d’écrire dans le Brain. Rien n’y entre avant que vous ne l’acceptiez\u00a0; une proposition attend ${PROPOSAL_DAYS} jours.`}
      />
      {proposals.length === 0 ? (
        <EmptyState icon={Inbox} title="Aucune proposition n’attend">
          Un assistant à qui vous accordez «&nbsp;Proposer des mémoires&nbsp;» soumet ici ses textes. Vous
          voyez la différence, puis vous acceptez, modifiez ou refusez.
        </EmptyState>
      ) : (
        <>
          {proposals.every(mayDecide) ? null : (
            <Notice tone="info" className="mb-6">
              {mayWrite
                ? 'Dans un espace qui vous est ouvert en lecture, une proposition se lit sans que vous en décidiez. Un fondateur du compte peut vous y donner l’écriture.'
                : 'Vous pouvez lire ces propositions. Pour en décider, il faut le droit d’écrire dans le Brain, qu’un fondateur du compte peut vous donner.'}
            </Notice>
          )}
          <p className="tabular mb-3 text-ink-soft text-sm">
            {place.isFirst && !place.isLast
              ? `Les ${proposals.length} plus anciennes, sur ${number(total)}`
              : place.isFirst
                ? count(total, 'proposition attend', 'propositions attendent')
                : place.summary}
          </p>
          <ul role="list" className="space-y-8">
            {proposals.map((one) => (
              <LeavingLine key={one.id}>
                <Proposal
                  one={one}
                  now={now}
                  mayDecide={mayDecide(one)}
                  isDrawn={drawn.has(one.id)}
                  seeHref={at(page, one.id)}
                />
              </LeavingLine>
            ))}
          </ul>
          {place.isFirst && place.isLast ? null : (
            <Pagination
              summary={place.summary}
              previousHref={place.isFirst ? undefined : at(page - 1)}
              nextHref={place.isLast ? undefined : at(page + 1)}
            />
          )}
        </>
      )}
    </>
  );
});

type ProposalProps = {
  one: WaitingProposal;
  now: Date;
  mayDecide: boolean;
  /** Whether the text is shown. If not, a link shows it, and the proposal can only be refused: nobody should accept an unread text. */
  isDrawn: boolean;
  /** Leads to the same page, with the text. */
  seeHref: string;
};

function Proposal({ one, now, mayDecide, isDrawn, seeHref }: ProposalProps) {
  const pillar = TEMPLATES[one.template].pillars[one.role];
  const gone = one.memoryId !== null && one.current === null;
  const changed = one.current !== null && one.current.version !== one.baseVersion;
  const seenVersion = one.current?.version ?? null;
  return (
    <article className="space-y-3" aria-labelledby={one.id}>
      <header>
        <h2 id={one.id} className="wrap-anywhere font-medium text-base">
          {one.title}
        </h2>
        <div className="mt-1.5 flex flex-wrap items-center gap-x-2 gap-y-1.5 text-ink-faint text-xs">
          <PillarBadge role={one.role} icon={pillar.icon} label={pillar.label} />
          <Link
            href={
              one.memoryId ? `/espaces/${one.spaceId}?memoire=${one.memoryId}` : `/espaces/${one.spaceId}`
            }
            prefetch={false}
            className="wrap-anywhere min-w-0 hover:underline"
          >
            {one.spaceName}
          </Link>
          <span>{one.memoryId ? 'Changement d’une mémoire' : 'Nouvelle mémoire'}</span>
          <span className="wrap-anywhere">
            Proposé{one.memoryId ? '' : 'e'} <Time at={one.createdAt} now={now} />
            {one.by ? ` par ${one.by}` : ''}
            {one.memberName ? `, au nom ${ofName(one.memberName)}` : ''}
          </span>
          <span className="whitespace-nowrap">
            Expire le <time dateTime={one.expiresAt.toISOString()}>{date(one.expiresAt)}</time>
          </span>
        </div>
        {one.note ? (
          <p className="wrap-anywhere mt-2 text-ink-soft text-sm">Pourquoi&nbsp;: {one.note}</p>
        ) : null}
      </header>
      {gone ? (
        <Notice tone="warn">
          La mémoire à changer a été supprimée&nbsp;: cette proposition ne peut plus être acceptée.
        </Notice>
      ) : null}
      {changed ? (
        <Notice tone="warn">
          La mémoire a changé depuis cette proposition. La différence ci-dessous est avec son texte
          d’aujourd’hui&nbsp;: accepter remplace aussi ce qui a été écrit entre-temps.
        </Notice>
      ) : null}
      {one.current && one.current.title !== one.title ? (
        <Diff before={one.current.title} after={one.title} />
      ) : null}
      <InvisibleNotice title={one.title} body={one.body} />
      {isDrawn ? <Proposed one={one} /> : <Undrawn one={one} href={seeHref} />}
      {mayDecide ? (
        <div className="flex flex-wrap gap-2">
          {gone || !isDrawn ? null : (
            <>
              <Accept proposalId={one.id} title={one.title} seenVersion={seenVersion} />
              <AcceptEdited proposalId={one.id} title={one.title} body={one.body} seenVersion={seenVersion} />
            </>
          )}
          <Refuse proposalId={one.id} title={one.title} />
        </div>
      ) : null}
    </article>
  );
}

function Proposed({ one }: { one: WaitingProposal }) {
  if (one.current) return <Diff before={one.current.body} after={one.body} />;
  return (
    <p className="wrap-anywhere whitespace-pre-wrap rounded-md border border-line bg-ok-soft px-3 py-2 text-sm">
      {one.body}
    </p>
  );
}

/** The length of a text that is not shown, with a link that shows it. */
function Undrawn({ one, href }: { one: WaitingProposal; href: string }) {
  return (
    <p className="text-sm">
      Un texte de {count(one.body.length, 'caractère')}.{' '}
      <Link href={href} scroll={false} prefetch={false} className="font-medium underline">
        <Named about={`de «\u00a0${one.title}\u00a0»`}>
          {one.current ? 'Voir la différence' : 'Voir le texte'}
        </Named>
      </Link>
    </p>
  );
}
