import { Search, SearchX } from 'lucide';
import type { Metadata } from 'next';
import { memberPage } from '#app/_cockpit/member-page.tsx';
import { LinkButton } from '#app/_ui/action/button.tsx';
import { count } from '#app/_ui/format.ts';
import { PageHeader } from '#app/_ui/shell/page-header.tsx';
import { EmptyState } from '#app/_ui/state/states.tsx';
import { MAX_QUESTION_LENGTH } from '#lib/brain/limits.ts';
import { listSpaceNames } from '#lib/brain/queries/list-space-names.ts';
import {
  cutTextNote,
  ignoredWordsNote,
  isSearchable,
  searchWithReasons,
  unmatchedWordsNote,
} from '#lib/brain/queries/search-with-reasons.ts';
import { isPillarRole, PILLAR_ROLES, TEMPLATES } from '#lib/brain/templates.ts';
import { shorten } from '#lib/brain/text/cut.ts';
import { ResultKeys } from './result-keys.tsx';
import { Results } from './results.tsx';
import { SearchControls } from './search-controls.tsx';

export const metadata: Metadata = { title: 'Recherche' };

const LIMIT = 50;

export default memberPage({}, async ({ ctx, query, now }) => {
  const q = (query.q ?? '').slice(0, MAX_QUESTION_LENGTH).toWellFormed().replaceAll('\0', '');
  const spaces = await listSpaceNames(ctx);
  const space = spaces.find(({ id }) => id === query.espace);
  const pillar = isPillarRole(query.pilier) ? query.pilier : undefined;
  const asked = q.trim() !== '' && isSearchable(q);
  const unread = [cutTextNote(query.q), ignoredWordsNote(q)].filter((note) => note !== null).join(' ');
  const { hits, unmatched, isNear } = asked
    ? await searchWithReasons(ctx, {
        q,
        limit: LIMIT,
        ...(space ? { spaceId: space.id } : {}),
        ...(pillar ? { pillar } : {}),
      })
    : { hits: [], unmatched: [], isNear: false };
  const searched = pillar ? 'de ce pilier' : space ? 'de cet espace' : '';
  // Without any result, the empty state names the whole question instead.
  const absent = hits.length > 0 ? unmatchedWordsNote(unmatched, searched) : null;
  // The labels of the pillars are those of the chosen Space's template, or of the neutral template for all Spaces.
  const words = TEMPLATES[space?.template ?? 'blank'].pillars;
  return (
    <>
      <PageHeader
        title="Recherche"
        description="Dans toutes vos mémoires. Chercher ici ne coûte rien&nbsp;; la même recherche par l’API ou un assistant coûte 1 lecture."
      />
      <SearchControls
        spaces={spaces}
        pillars={PILLAR_ROLES.map((value) => ({ value, label: words[value].label }))}
      />
      {unread ? <p className="wrap-anywhere mb-3 text-ink-soft text-sm">{unread}</p> : null}
      {/* Rendered before it has content: a live region added together with its text is not always announced. */}
      <div role="status" className={hits.length > 0 ? 'mb-3 space-y-1 text-ink-soft text-sm' : 'sr-only'}>
        <p className="tabular">
          {hits.length === LIMIT
            ? `Les ${LIMIT} meilleurs résultats`
            : hits.length > 0
              ? count(hits.length, 'résultat')
              : q.trim() !== ''
                ? 'Aucun résultat'
                : ''}
        </p>
        {absent ? (
          <p className="wrap-anywhere">{isNear ? `${absent} Ces résultats ont des mots proches.` : absent}</p>
        ) : null}
      </div>
      {hits.length > 0 ? (
        <>
          <ResultKeys />
          <Results hits={hits} grouped={query.groupe === 'espace'} now={now} />
        </>
      ) : q.trim() !== '' ? (
        <EmptyState
          icon={SearchX}
          title={`Aucune mémoire ${searched === '' ? '' : `${searched} `}ne contient «\u00a0${shorten(q.trim(), 60)}\u00a0»`}
          action={
            space || pillar ? (
              <LinkButton href={`/recherche?q=${encodeURIComponent(q.trim())}`}>Chercher partout</LinkButton>
            ) : undefined
          }
        >
          {asked
            ? 'Essayez un mot plus court ou un autre mot\u00a0: les accents, les majuscules et les pluriels ne comptent pas.'
            : 'Donnez au moins un mot ou un chiffre.'}
        </EmptyState>
      ) : (
        <EmptyState
          icon={Search}
          title="Retrouvez ce que votre équipe a déjà écrit"
          example={
            <p className="text-sm">
              « promesse de <mark>marque</mark> » trouve d’abord les titres, puis l’expression exacte, puis
              les textes qui ont tous les mots.
            </p>
          }
        >
          Accents, majuscules et pluriels ne comptent pas. La touche «&nbsp;/&nbsp;» revient à ce champ.
        </EmptyState>
      )}
    </>
  );
});
