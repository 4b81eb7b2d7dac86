import { FileText } from 'lucide';
import type { Metadata } from 'next';
import { headers } from 'next/headers';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { Section } from '#app/_ui/data/card.tsx';
import { CodeBlock } from '#app/_ui/data/code-block.tsx';
import { PillarIcon } from '#app/_ui/data/pillar.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { founderWords } from '#app/_ui/state/founder-words.ts';
import { Notice } from '#app/_ui/state/notice.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { clampMaxChars } from '#lib/brain/context/assemble.ts';
import { MAX_QUESTION_LENGTH } from '#lib/brain/limits.ts';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import { previewContext } from '#lib/brain/queries/preview-context.ts';
import { cutTextNote, ignoredWordsNote, unmatchedWordsNote } from '#lib/brain/queries/search-with-reasons.ts';
import { normalizeQueryText } from '#lib/brain/search/matching/query.ts';
import { PILLAR_ROLES, TEMPLATES } from '#lib/brain/templates.ts';
import { hasPermission } from '#lib/core/actor.ts';
import { pageOrigin } from '#lib/http/security/origin.ts';
import { listFounderNames } from '#lib/identity/members/list-founder-names.ts';
import { Controls } from './controls.tsx';
import { CopyContext } from './copy-context.tsx';
import { Preview } from './preview.tsx';
import { contextSamples } from './samples.ts';
import { previewWords, shownMemories } from './shown.ts';

export const metadata: Metadata = { title: 'Contexte' };

export default memberPage({}, async ({ ctx, query }) => {
  const spaces = await listSpaceNames(ctx);
  const space = spaces.find(({ id }) => id === query.espace) ?? spaces[0];
  const description =
    'Le texte exact que reçoit un prompt. Le lire ici ne coûte rien\u00a0; par l’API ou un assistant, il coûte 1 lecture.';
  if (!space)
    return (
      <>
        <PageHeader title="Contexte" description={description} />
        <EmptyState
          icon={FileText}
          title="Le contexte se compose à partir d’un espace"
          action={
            hasPermission(ctx.actor, 'brain.write') && ctx.actor.spaces === undefined ? (
              <LinkButton href="/espaces?nouveau" variant="primary">
                Créer un espace
              </LinkButton>
            ) : null
          }
        >
          {ctx.actor.spaces === undefined
            ? 'Choisissez les piliers et la longueur\u00a0: vous verrez ce qui entre, ce qui est coupé, et pourquoi.'
            : `Aucun espace actif ne vous est ouvert. Demandez-en l’accès à ${founderWords(await listFounderNames(ctx))}.`}
        </EmptyState>
      </>
    );
  const named = (query.piliers ?? '').split(',');
  const asked = PILLAR_ROLES.filter((role) => named.includes(role));
  const pillars = asked.length > 0 ? asked : [...PILLAR_ROLES];
  const maxChars = clampMaxChars(query.max && /^\d{1,9}$/.test(query.max) ? Number(query.max) : undefined);
  const q = askedText(query.q);
  const { payload, memories, focused, unmatched } = await previewContext(ctx, {
    spaceId: space.id,
    pillars,
    maxChars,
    q: q === '' ? undefined : q,
  });
  const origin = pageOrigin(await headers());
  const words = TEMPLATES[space.template].pillars;
  const unread = [cutTextNote(query.q), ignoredWordsNote(q)].filter((note) => note !== null).join(' ');
  const absent = unmatchedWordsNote(unmatched, asked.length > 0 ? 'de ces piliers' : 'de cet espace');
  return (
    <>
      <PageHeader title="Contexte" description={description} action={<CopyContext />} />
      <div className="grid items-start gap-x-10 gap-y-8 lg:grid-cols-[17rem_minmax(0,1fr)]">
        <div className="lg:sticky lg:top-20">
          <Controls
            spaces={spaces.map(({ id, name }) => ({ id, name }))}
            spaceId={space.id}
            pillars={PILLAR_ROLES.map((role) => ({
              role,
              label: words[role].label,
              icon: <PillarIcon key={role} role={role} icon={words[role].icon} />,
              asked: pillars.includes(role),
            }))}
            maxChars={maxChars}
            q={query.q ?? ''}
            answered={q === '' ? null : focused}
          />
        </div>
        <div className="min-w-0 space-y-4">
          {query.espace && query.espace !== space.id ? (
            <Notice tone="warn">
              L’espace de cette adresse est archivé, n’existe plus ou ne vous est pas ouvert&nbsp;: voici le
              contexte de «&nbsp;{space.name}&nbsp;».
            </Notice>
          ) : null}
          {/* Rendered before it has content: a live region added together with its text is not always announced. */}
          <div role="status" className="space-y-4 empty:mb-0">
            {unread ? <Notice tone="info">{unread}</Notice> : null}
            {absent ? <Notice tone="info">{absent}</Notice> : null}
          </div>
          {payload.omittedMemories > 0 ? (
            <Notice tone={focused ? 'info' : 'warn'}>
              {focused
                ? `Le contexte va à l’essentiel\u00a0: ${count(payload.omittedMemories, 'mémoire qui répond moins n’y est pas', 'mémoires qui répondent moins n’y sont pas')}.`
                : `Le contexte est partiel\u00a0: ${count(payload.omittedMemories, 'mémoire n’y a même pas son titre', 'mémoires n’y ont même pas leur titre')}. Allongez-le, ou choisissez moins de piliers.`}
            </Notice>
          ) : null}
          <Preview
            spaceId={space.id}
            context={payload.context}
            maxChars={payload.maxChars}
            memories={shownMemories(memories, payload.maxChars)}
            focused={focused}
            words={previewWords(payload, memories)}
          />
          <Section
            title="Le même appel"
            description="Depuis un programme ou un assistant. La clé se crée sur la page Développeurs."
          >
            <CodeBlock
              label="Langage"
              samples={contextSamples({
                origin,
                spaceId: space.id,
                pillars: asked.length > 0 && asked.length < PILLAR_ROLES.length ? asked : null,
                maxChars: payload.maxChars,
                q: q === '' ? null : q,
              })}
            />
          </Section>
        </div>
      </div>
    </>
  );
});

/** The question in the address, cut to the length that a context accepts; empty without a question. */
function askedText(asked = ''): string {
  return normalizeQueryText(asked.slice(0, MAX_QUESTION_LENGTH).toWellFormed().replaceAll('\0', ''));
}
