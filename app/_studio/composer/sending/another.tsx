'use client';
import { severalWords } from '#app/_studio/composer/draft/variants.ts';
import { dollars } from '#app/_studio/money-words.ts';
import { Button } from '#app/_ui/action/button.tsx';
import { Dialog } from '#app/_ui/overlay/dialog.tsx';
import type { GenerationPreview } from '#lib/studio/preview/preview-generation.ts';
import type { ComposerKind } from '../draft/draft.ts';

/** Asks for confirmation before an answered request is sent again: it is a new request, paid separately. */
export default function Another({
  kind,
  variants,
  preview,
  onSend,
  onClose,
}: {
  kind: ComposerKind;
  variants: number;
  preview: GenerationPreview | null;
  onSend: () => void;
  onClose: () => void;
}) {
  const several = severalWords(kind, variants);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title="Cette demande est déjà partie"
      footer={
        <>
          <Button onClick={onClose}>Ne rien envoyer</Button>
          <Button variant="primary" data-autofocus onClick={onSend}>
            Générer encore{several ? ` ${several}` : ''}
            {preview ? ` · retient ${dollars(preview.heldUsd)}` : ''}
          </Button>
        </>
      }
    >
      <p className="text-sm">
        Rien n’y a changé depuis, et son résultat est à côté. La même encore serait une autre demande, retenue
        et débitée en plus de la première.
      </p>
    </Dialog>
  );
}
