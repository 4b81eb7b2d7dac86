'use client';
import { FileVideo } from 'lucide';
import { useEffect, useRef, useState } from 'react';
import { answerOf } from '#app/_cockpit/act.ts';
import { call, type JournalAnswer } from '#app/_studio/journal/api.ts';
import { thumbnailUrl } from '#app/_studio/media.tsx';
import { titleOf } from '#app/_studio/title.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { ApiError, type Failure, failureOf } from '#app/_ui/api-error.ts';
import { SegmentedControl } from '#app/_ui/form/choice.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { Notice } from '#app/_ui/state/notice.tsx';
import { Picture } from '#app/_ui/state/picture.tsx';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { FREE_PRODUCT } from '#lib/products/types.ts';
import { journalRef } from '#lib/studio/journal-ref.ts';
import type { Draft } from '../draft/draft.ts';
import { listFaces, listSentFiles } from './actions.ts';
import type { Bring, NewReference } from './use-bring.ts';

type From = 'journal' | 'avatars' | 'uploads';
type Offered = NewReference & { ref: string };
type Sent = Offered & { productId: string };
type Page = { offered: Offered[]; next: string | null };

const PER_PAGE = 24;
const EMPTY: Record<From, string> = {
  journal: 'Rien au journal que cette demande puisse prendre.',
  avatars: 'Aucun avatar pour ce produit. Une image du journal se garde comme avatar.',
  uploads: 'Aucun envoi que cette demande puisse prendre.',
};
const FROM = [
  { value: 'journal', label: 'Journal' },
  { value: 'avatars', label: 'Avatars' },
  { value: 'uploads', label: 'Envois' },
];

/** A dialog to choose references among the files of the account, one press for each. */
export default function Picker({
  draft,
  bring,
  onClose,
}: {
  draft: Draft;
  bring: Bring;
  onClose: () => void;
}) {
  const [from, setFrom] = useState<From>('journal');
  const [pages, setPages] = useState<Page[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [loading, setLoading] = useState(false);
  const { productId } = draft;
  const { takesClips, takesImages } = bring;
  const fits = (one: { productId: string }) => one.productId === productId || one.productId === FREE_PRODUCT;

  const read = async (cursor: string | null): Promise<Page> => {
    if (from === 'avatars' && !takesImages) return { offered: [], next: null };
    if (from !== 'journal') {
      const before = cursor ?? undefined;
      const answer = await answerOf<{ files: Sent[]; nextBefore: string | null }>(
        from === 'avatars'
          ? listFaces({ productId, before })
          : listSentFiles({ takesClips, takesImages, before }),
      );
      if (answer?.status === 'refused') {
        const { message, requestId } = answer;
        throw new ApiError(0, { code: 'refused', message, ...(requestId ? { requestId } : {}) });
      }
      if (answer?.status !== 'done' || !answer.data) throw new Error('no answer');
      const { files, nextBefore } = answer.data;
      return { offered: files.filter(fits), next: nextBefore };
    }
    const query = new URLSearchParams({
      status: 'done',
      limit: String(PER_PAGE),
      ...(cursor ? { cursor } : {}),
    });
    const { generations, nextCursor } = await call<JournalAnswer>(`/api/generations?${query}`);
    const offered = generations.filter(fits).flatMap((row) =>
      row.files.flatMap((file, at) => {
        const isImage = file.contentType.startsWith('image/') && file.contentType !== 'image/svg+xml';
        const isClip = file.contentType.startsWith('video/');
        // The index of a file also counts the deleted files before it.
        if (file.deletedAt || !((isImage && takesImages) || (isClip && takesClips))) return [];
        return [
          {
            ref: journalRef(row.id, at),
            name: cutShort(titleOf(row), 80),
            contentType: file.contentType,
            ...(file.durationMs === null ? {} : { durationMs: file.durationMs }),
            ...(isImage ? { thumbnail: thumbnailUrl(file) } : {}),
          },
        ];
      }),
    );
    return { offered, next: nextCursor };
  };
  const latest = useRef(from);
  latest.current = from;
  /** A page of this source; null if it could not be read, undefined if another source was chosen meanwhile. */
  const load = async (cursor: string | null): Promise<Page | null | undefined> => {
    setFailure(null);
    try {
      const page = await read(cursor);
      return latest.current === from ? page : undefined;
    } catch (error) {
      if (latest.current !== from) return undefined;
      setFailure(failureOf(error, 'Ces fichiers n’ont pas pu être lus.'));
      return null;
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another source changes the offer
  useEffect(() => {
    let current = true;
    setPages(null);
    void load(null).then((page) => {
      if (current && page !== undefined) setPages(page ? [page] : []);
    });
    return () => {
      current = false;
    };
  }, [from]);

  const chosen = new Map(draft.references.flatMap((one) => (one.ref ? [[one.ref, one.key] as const] : [])));
  const offered = pages?.flatMap((page) => page.offered) ?? [];
  const next = pages?.at(-1)?.next ?? null;
  const showMore = async (button: HTMLElement) => {
    if (loading) return;
    setLoading(true);
    const page = await load(next);
    setLoading(false);
    if (!page) return;
    // The button disappears with the last page: the focus moves to the file before the new ones.
    if (page.next === null && document.activeElement === button)
      [...document.querySelectorAll<HTMLElement>('[data-offered]')].at(-1)?.focus({ preventScroll: true });
    setPages((before) => [...(before ?? []), page]);
  };
  const toggle = (one: Offered) => {
    if (chosen.has(one.ref)) bring.remove(chosen.get(one.ref) ?? '');
    else bring.add(one);
  };
  return (
    <Dialog
      wide
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Choisir des références"
      footer={
        <Button variant="primary" onClick={onClose}>
          {chosen.size > 0
            ? `Garder ${chosen.size > 1 ? `ces ${chosen.size} références` : 'cette référence'}`
            : 'Fermer'}
        </Button>
      }
    >
      <SegmentedControl
        label="D’où"
        name="from"
        value={from}
        options={FROM}
        onChange={(value) => setFrom(value as From)}
        className="mb-4"
      />
      {failure ? (
        <Notice tone="fail" role="alert" requestId={failure.requestId} className="mb-4">
          {failure.message}
        </Notice>
      ) : null}
      <div className="min-h-64" aria-busy={pages === null}>
        {pages !== null && offered.length === 0 && !failure && next === null ? (
          <p className="py-10 text-center text-ink-soft text-sm">{EMPTY[from]}</p>
        ) : null}
        <ul role="list" className="grid grid-cols-3 gap-2 sm:grid-cols-5">
          {offered.map((one) => (
            <li key={one.ref}>
              <button
                type="button"
                aria-pressed={chosen.has(one.ref)}
                aria-label={one.name}
                data-tip={one.name}
                data-offered={one.ref}
                onClick={() => toggle(one)}
                className="relative grid aspect-square w-full place-items-center overflow-hidden rounded-md border border-line bg-sunken text-ink-faint hover:border-line-strong focus-visible:outline-2 focus-visible:outline-accent-ink aria-pressed:border-accent-ink aria-pressed:outline-2 aria-pressed:outline-accent-ink"
              >
                {one.thumbnail ? (
                  <Picture src={one.thumbnail} alt="" loading="lazy" className="size-full object-cover" />
                ) : (
                  <Icon of={FileVideo} size={24} strokeWidth={1.5} />
                )}
              </button>
            </li>
          ))}
        </ul>
        {next ? (
          <div className="mt-4 text-center">
            <Button
              size="sm"
              variant="quiet"
              pending={loading}
              onClick={({ currentTarget }) => void showMore(currentTarget)}
            >
              Afficher la suite
            </Button>
          </div>
        ) : null}
      </div>
    </Dialog>
  );
}
