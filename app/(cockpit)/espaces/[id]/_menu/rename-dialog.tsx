'use client';
import { useRouter } from 'next/navigation';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, FormFoot } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import { changeSpace } from '../../actions.ts';

type RenameDialogProps = {
  space: { id: string; name: string; websiteUrl: string | null };
  onClose: () => void;
};

/** Name and website of a Space. */
export default function RenameDialog({ space, onClose }: RenameDialogProps) {
  const router = useRouter();
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()} title="Renommer, site web">
      <Form
        action={changeSpace}
        onDone={() => {
          onClose();
          router.refresh();
        }}
      >
        <input type="hidden" name="spaceId" value={space.id} />
        <div className="space-y-4">
          <Field label="Nom" name="name" required>
            <Input defaultValue={space.name} autoComplete="off" />
          </Field>
          <Field label="Site web" name="websiteUrl" optional>
            <Input defaultValue={space.websiteUrl ?? ''} inputMode="url" autoComplete="off" />
          </Field>
          <FormFoot close={onClose} label="Enregistrer" />
        </div>
      </Form>
    </Dialog>
  );
}
