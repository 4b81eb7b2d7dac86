'use client';
import { Film } from 'lucide';
import { focusBeside } from '#app/_cockpit/focus/focus-beside.ts';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import { keepRush } from './actions.ts';

/** Keeps an uploaded rush under a title; its row then moves to the other table. `file`: its format, duration and size, in words. */
export function KeepRush({ uploadId, file }: { uploadId: string; file: string }) {
  return (
    <span ref={focusBeside}>
      <DialogButton
        label={<Named about={`(${file})`}>Garder ce rush</Named>}
        size="sm"
        icon={Film}
        title="Garder ce rush"
        description="Le fichier est gardé aussi longtemps que vous le voulez. Rien n’est débité."
      >
        {(close) => (
          <Form action={keepRush} onDone={close} className="flex flex-col gap-4">
            <input type="hidden" name="uploadId" value={uploadId} />
            <Field label="Titre" name="title" required>
              <Input autoComplete="off" />
            </Field>
            <div className="flex justify-end">
              <SubmitButton>Garder le rush</SubmitButton>
            </div>
          </Form>
        )}
      </DialogButton>
    </span>
  );
}
