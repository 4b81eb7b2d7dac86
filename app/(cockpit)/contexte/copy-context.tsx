'use client';
import { CopyButton } from '#app/_ui/action/copy-button.tsx';

/** The element that holds the exact text: it is read from there, so that the page does not contain it twice. */
const TEXT_ID = 'texte-du-contexte';

/** Copies the text that the page shows. */
export function CopyContext() {
  return (
    <CopyButton
      variant="primary"
      label="Copier le contexte"
      text={() => document.getElementById(TEXT_ID)?.textContent ?? ''}
    />
  );
}
