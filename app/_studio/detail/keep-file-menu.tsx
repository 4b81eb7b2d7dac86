'use client';
import { BookUser, Ellipsis, GraduationCap, Shapes } from 'lucide';
import { useState } from 'react';
import { attachFile, saveAvatarAction } from '#app/_studio/journal/actions.ts';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { Menu } from '#app/_ui/action/menu.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input, Select } from '#app/_ui/form/input.tsx';
import { ShownInput } from '#app/_ui/form/shown-input.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';

const LessonForm = lazyPart(() => import('./lesson-form.tsx'));

type Concept = { id: string; name: string };
type Props = {
  file: { id: string; type: string; concept: Concept | null };
  productId: string;
  concepts: Concept[];
  /** Whether an avatar of this file exists already. */
  isAvatar: boolean;
};
type Way = 'avatar' | 'concept' | 'lesson';

const WAYS = {
  avatar: {
    title: 'Garder comme avatar',
    description: 'Le fichier est gardé aussi longtemps que l’avatar. Rien n’est débité.',
    icon: BookUser,
  },
  concept: {
    title: 'Rattacher à un concept',
    description: 'Un concept rassemble des fichiers et les garde.',
    icon: Shapes,
  },
  lesson: {
    title: 'Retenir une leçon',
    description:
      'Ce que ce fichier apprend à l’équipe. Il est gardé comme exemple, aussi longtemps que la leçon.',
    icon: GraduationCap,
  },
} satisfies Record<Way, object>;

/** The ways to keep a file without judging it: as an avatar, in a concept, as the example of a lesson. */
export function KeepFileMenu({ file, productId, concepts, isAvatar }: Props) {
  const [way, setWay] = useState<Way>('lesson');
  const [open, setOpen] = useState(false);
  const close = () => setOpen(false);
  const ways: Way[] = [
    ...(file.type === 'IMAGE' && !isAvatar ? (['avatar'] as const) : []),
    ...(file.concept ? [] : (['concept'] as const)),
    'lesson',
  ];
  return (
    <>
      <Menu
        label="Garder autrement"
        tip="Garder autrement"
        align="start"
        className={buttonClass('secondary', 'sm')}
        items={ways.map((one) => ({
          label: WAYS[one].title,
          icon: WAYS[one].icon,
          onSelect: () => {
            setWay(one);
            setOpen(true);
          },
        }))}
      >
        <Icon of={Ellipsis} size={16} />
      </Menu>
      <Dialog open={open} onOpenChange={setOpen} title={WAYS[way].title} description={WAYS[way].description}>
        {way === 'concept' ? (
          <AttachForm assetId={file.id} productId={productId} concepts={concepts} onDone={close} />
        ) : way === 'lesson' ? (
          <LessonForm assetId={file.id} onDone={close} />
        ) : (
          <Form action={saveAvatarAction} onDone={close} className="flex flex-col gap-4">
            <input type="hidden" name="assetId" value={file.id} />
            <Field label="Nom de ce visage" name="name" required>
              <Input maxLength={80} autoComplete="off" data-autofocus />
            </Field>
            <div className="flex justify-end">
              <SubmitButton>Garder ce visage</SubmitButton>
            </div>
          </Form>
        )}
      </Dialog>
    </>
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
      {/* Only offered for a file that is in no concept. */}
      <ShownInput shown={{ conceptId: '' }} />
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
