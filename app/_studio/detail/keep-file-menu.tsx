'use client';
import { BookUser, Ellipsis, GraduationCap, Shapes } from 'lucide';
import { useState } from 'react';
import { saveAvatarAction } from '#app/_studio/journal/actions.ts';
import { buttonClass } from '#app/_ui/action/button.tsx';
import { Menu } from '#app/_ui/action/menu.tsx';
import { Field } from '#app/_ui/form/field.tsx';
import { Form, SubmitButton } from '#app/_ui/form/form.tsx';
import { Input } from '#app/_ui/form/input.tsx';
import { Icon } from '#app/_ui/icon.tsx';
import { lazyPart } from '#app/_ui/lazy-part.ts';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import type { Concept, Concepts } from './attach-form.tsx';

const AttachForm = lazyPart(() => import('./attach-form.tsx'));
const LessonForm = lazyPart(() => import('./lesson-form.tsx'));

type Props = {
  file: { id: string; type: string; concept: Concept | null };
  productId: string;
  concepts: Concepts;
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
          <AttachForm assetId={file.id} productId={productId} offered={concepts} onDone={close} />
        ) : way === 'lesson' ? (
          <LessonForm assetId={file.id} onDone={close} />
        ) : (
          <Form action={saveAvatarAction} onDone={close} className="flex flex-col gap-4">
            <input type="hidden" name="assetId" value={file.id} />
            <Field label="Nom de ce visage" name="name" required>
              <Input autoComplete="off" data-autofocus />
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
