'use client';
import { Check, LockKeyhole, PackageCheck, Share2, Unlink, X } from 'lucide';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { LeavingLine } from '#app/_cockpit/focus/leaving-line.tsx';
import { deleteLessonAction, detachFile, reviewFile } from '#app/_studio/journal/actions.ts';
import { Button, LinkButton } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { lazyPart, preload } from '#app/_ui/lazy-part.ts';
import { cutShort } from '#app/_ui/text/cut-short.ts';
import { toast } from '#app/_ui/toast.ts';
import { useRefresh } from '#app/_ui/use-refresh.ts';
import type { ActionState } from '#lib/http/actions/action-state.ts';
import type { Review } from '#lib/storage/file-states.ts';
import type { Concepts } from './attach-form.tsx';
import { KeepFileMenu } from './keep-file-menu.tsx';

const loadDialog = () => import('../review/reject-dialog.tsx');
const RejectDialog = lazyPart(loadDialog, null, ({ onOpenChange }) => onOpenChange(false));

type FileFacts = {
  id: string;
  type: 'IMAGE' | 'VECTOR' | 'AUDIO' | 'VIDEO';
  state: 'GENERATED' | 'REJECTED' | 'APPROVED' | 'DELIVERED';
  reviews: Review[];
  concept: { id: string; name: string } | null;
  lessons: { id: string; text: string }[];
};

const REVIEW_WORDS: Record<Review, { label: string; icon: typeof Check }> = {
  approve: { label: 'Approuver et garder', icon: Check },
  reject: { label: 'Rejeter', icon: X },
  deliver: { label: 'Marquer comme livré', icon: PackageCheck },
};

/** The actions on a file: decisions of quality control, avatar, concept, lesson. Each answer refreshes the page. */
export function FileActions({
  file,
  productId,
  concepts,
  isAvatar,
}: {
  file: FileFacts;
  productId: string;
  concepts: Concepts;
  /** Whether an avatar of this file exists already. */
  isAvatar: boolean;
}) {
  const refresh = useRefresh();
  const [pending, setPending] = useState<string | null>(null);
  const [rejecting, setRejecting] = useState(false);
  const [asked, setAsked] = useState(false);
  const run = async (name: string, call: () => Promise<ActionState>) => {
    setPending(name);
    const done = await act(call());
    setPending(null);
    if (done?.message) toast({ title: done.message, tone: 'ok' });
    refresh();
    return done !== null;
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {file.reviews.map((review) => (
          <Button
            key={review}
            ref={focusBeside}
            size="sm"
            icon={REVIEW_WORDS[review].icon}
            pending={pending === review}
            {...(review === 'reject'
              ? {
                  'aria-haspopup': 'dialog' as const,
                  onPointerEnter: () => preload(loadDialog),
                  onFocus: () => preload(loadDialog),
                }
              : {})}
            onClick={() => {
              if (review !== 'reject')
                return run(review, () => reviewFile({ assetId: file.id, review, shown: file.state }));
              setAsked(true);
              setRejecting(true);
            }}
          >
            {REVIEW_WORDS[review].label}
          </Button>
        ))}
        {file.concept ? (
          <Button
            ref={focusBeside}
            size="sm"
            icon={Unlink}
            pending={pending === 'detach'}
            onClick={() => run('detach', () => detachFile({ assetId: file.id, conceptId: file.concept?.id }))}
          >
            Retirer de «&nbsp;{cutShort(file.concept.name, 30)}&nbsp;»
          </Button>
        ) : null}
        {asked ? (
          <RejectDialog
            open={rejecting}
            about={file.id}
            onOpenChange={setRejecting}
            files={1}
            approved={file.state === 'APPROVED' ? 1 : 0}
            onReject={(reason) =>
              run('reject', () =>
                reviewFile({ assetId: file.id, review: 'reject', reason, shown: file.state }),
              )
            }
          />
        ) : null}
        <LinkButton size="sm" icon={Share2} href={`/partages?fichier=${file.id}`}>
          Partager
        </LinkButton>
        <KeepFileMenu file={file} productId={productId} concepts={concepts} isAvatar={isAvatar} />
      </div>
      {file.lessons.length > 0 ? (
        <ul role="list" aria-label="Leçons" className="mt-3 flex flex-col gap-1 text-sm">
          {file.lessons.map((lesson) => (
            <LeavingLine key={lesson.id} className="flex items-start justify-between gap-3">
              <span className="wrap-anywhere min-w-0 py-1">{lesson.text}</span>
              <IconButton
                icon={X}
                label={`Oublier cette leçon\u00a0: ${cutShort(lesson.text.replace(/\s+/g, ' '), 60)}`}
                // Not disabled, which would lose the focus before it moves to the line beside this one.
                aria-disabled={pending === lesson.id || undefined}
                onClick={() =>
                  pending !== lesson.id && run(lesson.id, () => deleteLessonAction({ lessonId: lesson.id }))
                }
                className="aria-disabled:opacity-55"
              />
            </LeavingLine>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** Approves a file that is about to expire, which keeps it. */
export function KeepFile({
  file: { id: assetId, state: shown },
  name,
}: {
  file: Pick<FileFacts, 'id' | 'state'>;
  name: string;
}) {
  const refresh = useRefresh();
  const [pending, setPending] = useState(false);
  const keep = async () => {
    setPending(true);
    const done = await act(reviewFile({ assetId, review: 'approve', shown }));
    setPending(false);
    if (done) toast({ title: 'Fichier approuvé\u00a0: il est gardé', tone: 'ok' });
    refresh();
  };
  return (
    <Button ref={focusBeside} size="sm" icon={LockKeyhole} pending={pending} onClick={keep}>
      Garder<span className="sr-only"> {name}</span>
    </Button>
  );
}
