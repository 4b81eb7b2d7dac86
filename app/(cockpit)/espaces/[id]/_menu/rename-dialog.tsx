'use client';
import { useState } from 'react';
import { onlyChanged } from '#app/_cockpit/only-changed.ts';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { changeSpace } from '../../actions.ts';

type RenameDialogProps = {
  space: { id: string; name: string; websiteUrl: string | null };
  onClose: () => void;
};

/** Name and website of a Space. Only changed fields are sent, so that a colleague's concurrent change is kept. */
export default function RenameDialog({ space, onClose }: RenameDialogProps) {
  // The initial values: the page may be refreshed while the dialog is open.
  const [shown] = useState({ name: space.name, websiteUrl: space.websiteUrl ?? '' });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Renommer, site web">
      <Form action={onlyChanged(changeSpace, shown)} onDone={onClose}>
        <input type="hidden" name="spaceId" value={space.id} />
        <div className="space-y-4">
          <Field label="Nom" name="name" required>
            <Input defaultValue={shown.name} autoComplete="off" />
          </Field>
          <Field label="Site web" name="websiteUrl" optional>
            <Input defaultValue={shown.websiteUrl} inputMode="url" autoComplete="off" autoCapitalize="none" />
          </Field>
          <FormFoot close={onClose} label="Enregistrer" />
        </div>
      </Form>
    </Dialog>
  );
}
