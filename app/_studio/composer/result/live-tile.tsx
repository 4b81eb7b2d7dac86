'use client';
import { CloudOff, RefreshCw, X } from 'lucide';
import Link from 'next/link';
import { useEffect, useRef } from 'react';
import { AskedDownload } from '#app/_cockpit/downloads/asked-download.tsx';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { FullPages } from '#app/_studio/journal/rows/full-pages.tsx';
import { TilePages } from '#app/_studio/journal/rows/pages.tsx';
import type { Reviewing } from '#app/_studio/review/use-review.tsx';
import { shortTitle, titleOf } from '#app/_studio/title.ts';
import { Button, buttonClass, LinkButton } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { cx } from '#app/_ui/cx.ts';
import { Status } from '#app/_ui/data/badge.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { RequestId } from '#app/_ui/state/notice.tsx';
import { useOnline } from '#app/_ui/use-online.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { ShownFileRetention } from '../../journal/rows/retention-words.ts';
import type { Sent } from '../sending/use-sending.ts';
import { ActionRoom } from './action-room.tsx';
import { ResultActions } from './actions.tsx';
import { Progress } from './progress.tsx';
import { kindOfShown, standOf } from './stand.ts';
import { Standing } from './standing.tsx';
import type { Shown } from './use-results.ts';

type Props = {
  shown: Shown;
  filesOf: (id: string) => readonly ShownFileRetention[];
  review: Reviewing;
  /** The last delivered generation of the same kind before this one. */
  previous: string | null;
  onAgain: (one: Sent) => void;
  onDismiss: (key: string) => void;
  onChoose: (id: string) => void;
  onTogether: () => void;
};

/** The current result: its progress and cost, then its file and what can be done with it. */
export function LiveTile(props: Props) {
  const { shown, onTogether } = props;
  const { sent, rows, focus } = shown;
  const tile = useRef<HTMLElement>(null);
  const pressed = sent?.flying || sent?.waiting ? sent.key : null;
  // On a phone the result is below the form: sending scrolls to it.
  useEffect(() => {
    if (!pressed) return;
    const isNarrow = window.matchMedia('(max-width: 1023px)').matches;
    const isStill = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    tile.current?.scrollIntoView({
      block: isNarrow ? 'start' : 'nearest',
      behavior: isStill ? 'auto' : 'smooth',
    });
  }, [pressed]);
  const title = focus ? titleOf(focus) : (sent?.title ?? '');
  const isSpoken = kindOfShown(shown) === 'voice';
  const several = rows.length > 1;
  const place = focus ? rows.findIndex(({ id }) => id === focus.id) + 1 : 0;
  return (
    <section
      ref={tile}
      aria-label="Résultat"
      tabIndex={-1}
      data-live
      data-sent={standOf(shown)}
      className="scroll-mt-20 overflow-hidden rounded-md border border-line bg-surface outline-none max-lg:scroll-mt-52"
    >
      <div
        data-picture
        className={cx(
          'relative grid grid-cols-1 grid-rows-1 overflow-y-auto border-line border-b bg-sunken',
          isSpoken ? 'h-80' : 'h-[max(18rem,min(56svh,100vw,34rem))]',
        )}
      >
        <Picture {...props} title={title} />
        {sent && !sent.flying && rows.length === 0 ? (
          <IconButton
            ref={focusBeside}
            icon={X}
            label="Oublier cette demande"
            onClick={() => props.onDismiss(sent.key)}
            className="absolute! top-2 right-2 bg-surface/90"
          />
        ) : null}
      </div>
      <div className="flex flex-col gap-3 p-4">
        <div className="flex min-w-0 items-start justify-between gap-3 pointer-coarse:min-h-10">
          <h2 className="min-w-0 font-semibold text-base">
            <span className="wrap-anywhere line-clamp-2">{title}</span>
          </h2>
          {focus ? (
            <Link
              href={`/journal/${focus.id}`}
              className="touch shrink-0 text-accent-ink text-sm hover:underline"
            >
              Ouvrir
            </Link>
          ) : null}
        </div>
        {several && focus ? (
          <p className="flex flex-wrap items-center gap-x-3 text-ink-soft text-sm">
            <span className="tabular">
              {place} sur {rows.length}
            </span>
            <button type="button" onClick={onTogether} className="touch text-accent-ink hover:underline">
              Les voir ensemble
            </button>
          </p>
        ) : null}
        <Standing shown={shown} filesOf={props.filesOf} />
        {focus ? <OneRow {...props} row={focus} /> : <Together {...props} />}
      </div>
    </section>
  );
}

/** The content of the tile's frame, whose height does not depend on it: nothing below moves when the file arrives. */
function Picture({ shown, title, onChoose }: Props & { title: string }) {
  const online = useOnline();
  const { sent, rows, focus } = shown;
  if (focus) {
    if (focus.files.length > 0)
      return (
        <div className="relative grid min-h-0 grid-cols-1 grid-rows-1 items-center">
          <FullPages key={focus.id} files={focus.files} alt={shortTitle(title)} className="max-h-full" />
        </div>
      );
    if (focus.status === 'running')
      return <Progress at={focus.createdAt} kind={kindOfShown(shown)} row={focus} />;
    return (
      <p className="grid place-items-center p-8 text-center text-ink-soft text-sm">
        <span className="text-balance">
          {focus.message ??
            (focus.status === 'deleted'
              ? 'Le fichier a été supprimé. La ligne et son coût restent.'
              : focus.label)}
        </span>
      </p>
    );
  }
  if (rows.length > 0)
    return (
      <ul
        role="list"
        className={cx(
          'grid min-h-0 auto-rows-fr gap-0.5 [&_img]:object-contain',
          rows.length > 2 ? 'grid-cols-2' : 'grid-cols-1',
        )}
      >
        {rows.map((row, at) => (
          <li key={row.id} data-variant={row.status} className="relative min-h-0 overflow-hidden bg-sunken">
            {row.files.length > 0 ? (
              <TilePages files={row.files} alt={`${shortTitle(title)}, ${at + 1} sur ${rows.length}`} />
            ) : (
              <span className="grid size-full place-items-center p-3 text-center text-ink-soft text-xs">
                <span className="line-clamp-5">{row.message ?? row.label}</span>
              </span>
            )}
            <span className="absolute top-2 left-2">
              <Status status={row.status} />
            </span>
            <button
              type="button"
              onClick={() => onChoose(row.id)}
              aria-label={`Voir la ${at + 1}${at === 0 ? 're' : 'e'} sur ${rows.length}`}
              className="absolute inset-0 hover:bg-ink/5 focus-visible:outline-2 focus-visible:outline-accent-ink focus-visible:-outline-offset-2"
            />
          </li>
        ))}
      </ul>
    );
  if (!sent) return null;
  if (sent.waiting)
    return (
      <p className="flex flex-col items-center justify-center gap-3 p-8 text-center text-sm">
        <Icon of={CloudOff} size={24} strokeWidth={1.5} className="text-ink-faint" />
        <span role="status" className="text-balance">
          {/* A waiting request that a reloaded page finds while it has a network is only sent on demand. */}
          {online
            ? 'Le réseau manquait\u00a0: cette demande n’est pas partie, et attend ici. Rien n’est débité d’ici là.'
            : 'Sans réseau, cette demande attend ici. Elle partira dès son retour\u00a0: rien n’est débité d’ici là.'}
        </span>
      </p>
    );
  if (sent.refusal)
    return (
      <div className="flex flex-col items-center justify-center gap-3 p-8 text-center text-sm">
        <span role="alert" className="wrap-anywhere text-balance text-fail">
          {sent.refusal.message}
        </span>
        {sent.refusal.requestId ? <RequestId id={sent.refusal.requestId} /> : null}
      </div>
    );
  return <Progress at={sent.at} kind={kindOfShown(shown)} row={null} />;
}

/** The actions on one generation. */
function OneRow({ shown, row, filesOf, review, previous }: Props & { row: GenerationView }) {
  const files = filesOf(row.id);
  const delivered = shown.rows.filter(({ status }) => status === 'done').map(({ id }) => id);
  const others = delivered.filter((id) => id !== row.id);
  const compared = [row.id, ...(others.length > 0 ? others : previous ? [previous] : [])];
  return (
    <>
      {row.message && row.files.length > 0 ? <p className="text-ink-soft text-sm">{row.message}</p> : null}
      <ActionRoom kind={kindOfShown(shown)} several={compared.length > 1} awaited={row.status === 'running'}>
        {row.status === 'done' ? (
          <ResultActions row={row} files={files} review={review} compared={compared} />
        ) : row.status === 'running' ? null : (
          <LinkButton size="sm" icon={RefreshCw} href={`/creer?reprendre=${row.id}`} scroll={false}>
            Reprendre cette demande
          </LinkButton>
        )}
      </ActionRoom>
    </>
  );
}

/** The actions on several generations, or on a request that has none yet. */
function Together({ shown, previous, onAgain, onDismiss }: Props) {
  const { sent, rows } = shown;
  if (rows.length === 0) {
    if (!sent) return null;
    const kind = sent.variants > 1 ? 'together' : kindOfShown(shown);
    return (
      <ActionRoom kind={kind} several={previous !== null} awaited={sent.flying}>
        <div className="flex flex-wrap gap-2">
          {sent.waiting || sent.refusal?.code === 'network' ? (
            <Button
              size="sm"
              icon={RefreshCw}
              onClick={({ currentTarget }) => {
                // The button disappears with the press: the focus moves to the tile.
                currentTarget.closest<HTMLElement>('[data-live]')?.focus({ preventScroll: true });
                onAgain(sent);
              }}
            >
              {sent.waiting ? 'Envoyer maintenant' : 'Réessayer'}
            </Button>
          ) : null}
          {sent.waiting ? (
            <Button ref={focusBeside} size="sm" variant="quiet" onClick={() => onDismiss(sent.key)}>
              Ne plus l’envoyer
            </Button>
          ) : null}
        </div>
      </ActionRoom>
    );
  }
  const delivered = rows.filter(({ status }) => status === 'done').map(({ id }) => id);
  const isAwaited = rows.some(({ status }) => status === 'running');
  return (
    <ActionRoom kind="together" several awaited={isAwaited && delivered.length < 2}>
      {delivered.length > 1 ? (
        <div className="flex flex-wrap gap-2">
          <LinkButton size="sm" href={`/journal/comparer?ids=${delivered.join(',')}`}>
            Comparer
          </LinkButton>
          <AskedDownload
            href={`/api/generations/archive?ids=${delivered.join(',')}`}
            className={buttonClass('secondary', 'sm')}
          >
            Tout télécharger
          </AskedDownload>
        </div>
      ) : null}
    </ActionRoom>
  );
}
