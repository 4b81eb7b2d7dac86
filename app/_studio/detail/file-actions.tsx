'use client';
import { BookUser, Check, GraduationCap, LockKeyhole, PackageCheck, Shapes, Unlink, X } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { act } from '#app/_cockpit/act.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { IconButton } from '#app/_ui/action/icon-button.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select, Textarea } from '#app/_ui/form/input.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { toast } from '#app/_ui/overlay/toast.ts';
import {
  attachFile,
  detachFile,
  dropLesson,
  noteLesson,
  reviewFile,
  saveFace,
} from '#app/(cockpit)/journal/actions.ts';
import type { ActionState } from '#lib/http/callers/action-state.ts';
import type { Review } from '#lib/storage/file-states.ts';

type FileFacts = {
  id: string;
  type: 'IMAGE' | 'VECTOR' | 'AUDIO' | 'VIDEO';
  reviews: Review[];
  concept: { id: string; name: string } | null;
  lessons: { id: string; text: string }[];
};

const REVIEW_WORDS: Record<Review, { label: string; icon: typeof Check }> = {
  approve: { label: 'Approuver et garder', icon: Check },
  reject: { label: 'Rejeter', icon: X },
  deliver: { label: 'Marquer livré', icon: PackageCheck },
};

/** What can be decided about a file: quality control, avatar, concept, lesson. Each answer redraws the page. */
export function FileActions({
  file,
  productId,
  concepts,
  isFace,
}: {
  file: FileFacts;
  productId: string;
  concepts: { id: string; name: string }[];
  /** An avatar shows this very file already. */
  isFace: boolean;
}) {
  const router = useRouter();
  const [pending, setPending] = useState<string | null>(null);
  const run = async (name: string, call: () => Promise<ActionState>) => {
    setPending(name);
    const done = await act(call());
    setPending(null);
    if (done?.message) toast({ title: done.message, tone: 'ok' });
    router.refresh();
  };
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {file.reviews.map((review) => (
          <Button
            key={review}
            size="sm"
            variant={review === 'approve' ? 'primary' : 'secondary'}
            icon={REVIEW_WORDS[review].icon}
            pending={pending === review}
            onClick={() => run(review, () => reviewFile({ assetId: file.id, review }))}
          >
            {REVIEW_WORDS[review].label}
          </Button>
        ))}
        {file.type === 'IMAGE' && !isFace ? (
          <DialogButton
            label="Garder comme avatar"
            size="sm"
            icon={BookUser}
            title="Garder comme avatar"
            description="Le fichier est gardé aussi longtemps que l’avatar. Rien n’est débité."
          >
            {(close) => (
              <Form action={saveFace} onDone={close} className="flex flex-col gap-4">
                <input type="hidden" name="assetId" value={file.id} />
                <Field label="Nom de ce visage" name="name" required>
                  <Input maxLength={80} autoComplete="off" />
                </Field>
                <div className="flex justify-end">
                  <SubmitButton>Garder ce visage</SubmitButton>
                </div>
              </Form>
            )}
          </DialogButton>
        ) : null}
        {file.concept ? (
          <Button
            size="sm"
            icon={Unlink}
            pending={pending === 'detach'}
            onClick={() => run('detach', () => detachFile({ assetId: file.id }))}
          >
            Retirer de «&nbsp;{file.concept.name.slice(0, 30)}&nbsp;»
          </Button>
        ) : (
          <DialogButton
            label="Rattacher à un concept"
            size="sm"
            icon={Shapes}
            title="Rattacher à un concept"
            description="Un concept rassemble des fichiers et les garde."
          >
            {(close) => (
              <AttachForm assetId={file.id} productId={productId} concepts={concepts} onDone={close} />
            )}
          </DialogButton>
        )}
        <DialogButton
          label="Retenir une leçon"
          size="sm"
          icon={GraduationCap}
          title="Retenir une leçon"
          description="Ce que ce fichier apprend à l’équipe. Il est gardé comme exemple, aussi longtemps que la leçon."
        >
          {(close) => (
            <Form action={noteLesson} onDone={close} className="flex flex-col gap-4">
              <input type="hidden" name="assetId" value={file.id} />
              <Field label="Leçon" name="text" required>
                <Textarea maxLength={2000} />
              </Field>
              <div className="flex justify-end">
                <SubmitButton>Retenir la leçon</SubmitButton>
              </div>
            </Form>
          )}
        </DialogButton>
      </div>
      {file.lessons.length > 0 ? (
        <ul aria-label="Leçons" className="mt-3 flex flex-col gap-1 text-sm">
          {file.lessons.map((lesson) => (
            <li key={lesson.id} className="flex items-start justify-between gap-3">
              <span className="wrap-anywhere min-w-0 py-1">{lesson.text}</span>
              <IconButton
                icon={X}
                label="Oublier cette leçon"
                disabled={pending === lesson.id}
                onClick={() => run(lesson.id, () => dropLesson({ lessonId: lesson.id }))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </>
  );
}

/** The one press that a file about to expire wants: approved, it stays. */
export function KeepFile({ assetId, name }: { assetId: string; name: string }) {
  const router = useRouter();
  const [pending, setPending] = useState(false);
  const keep = async () => {
    setPending(true);
    const done = await act(reviewFile({ assetId, review: 'approve' }));
    setPending(false);
    if (done) toast({ title: 'Fichier approuvé\u00a0: il est gardé', tone: 'ok' });
    router.refresh();
  };
  return (
    <Button size="sm" icon={LockKeyhole} pending={pending} onClick={keep}>
      Garder<span className="sr-only"> {name}</span>
    </Button>
  );
}

function AttachForm({
  assetId,
  productId,
  concepts,
  onDone,
}: {
  assetId: string;
  productId: string;
  concepts: { id: string; name: string }[];
  onDone: () => void;
}) {
  const [concept, setConcept] = useState(concepts[0]?.id ?? '');
  return (
    <Form action={attachFile} onDone={onDone} className="flex flex-col gap-4">
      <input type="hidden" name="assetId" value={assetId} />
      <input type="hidden" name="productId" value={productId} />
      <Field label="Concept" name="conceptId">
        <Select value={concept} onChange={(event) => setConcept(event.currentTarget.value)}>
          {concepts.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
          <option value="">Nouveau concept…</option>
        </Select>
      </Field>
      {concept === '' ? (
        <Field label="Nom du concept" name="name" required>
          <Input maxLength={120} autoComplete="off" />
        </Field>
      ) : null}
      <div className="flex justify-end">
        <SubmitButton>Rattacher le fichier</SubmitButton>
      </div>
    </Form>
  );
}
