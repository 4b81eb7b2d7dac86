'use client';
import { type ReactNode, useState } from 'react';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { DialogButton } from '#app/_ui/overlay/dialog.tsx';
import { Named } from '#app/_ui/text/named.tsx';
import type { SpaceRights } from '#lib/db/space-rights.ts';
import type { FormAction } from '#lib/http/actions/action-state.ts';
import { type ChoosableSpace, SpaceChoice } from './space-choice.tsx';

type SpacesDialogProps = {
  /** The name of the key or the application. */
  name: string;
  description: string;
  action: FormAction<never>;
  spaces: readonly ChoosableSpace[];
  given: SpaceRights | null;
  /** Whether the key or the application may write in the Spaces that it is given. */
  writes: boolean;
  /** The hidden fields that identify the key or the application. */
  children: ReactNode;
};

/** Changes the Spaces that a key or an application may access. */
export function SpacesDialog({
  name,
  description,
  action,
  spaces,
  given,
  writes,
  children,
}: SpacesDialogProps) {
  return (
    <DialogButton
      label={<Named about={`ouverts à «\u00a0${name}\u00a0»`}>Espaces</Named>}
      variant="quiet"
      size="sm"
      title={`Espaces ouverts à «\u00a0${name}\u00a0»`}
      description={description}
    >
      {(close) => <SpacesForm {...{ action, spaces, given, writes, close }}>{children}</SpacesForm>}
    </DialogButton>
  );
}

type SpacesFormProps = Omit<SpacesDialogProps, 'name' | 'description'> & { close: () => void };

function SpacesForm({ action, spaces, given, writes, close, children }: SpacesFormProps) {
  // As the dialog opened: the page behind it may be read again.
  const [shown] = useState(given);
  return (
    <Form action={action} onDone={close} className="flex flex-col gap-4">
      {children}
      <input type="hidden" name="shown" value={JSON.stringify(shown)} />
      <SpaceChoice
        spaces={spaces}
        given={shown}
        writes={writes}
        all="Tous ceux du membre, et ceux à venir."
      />
      <FormFoot close={close} label="Enregistrer" />
    </Form>
  );
}
