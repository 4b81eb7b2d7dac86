import type { ClipboardEvent } from 'react';
import { bringFile } from '#app/_cockpit/brought-file.ts';
import { mustStay } from '#app/_ui/must-stay.ts';
import { toast } from '#app/_ui/toast.ts';
import { markdownOfPasted } from '#lib/brain/imports/parse/pasted.ts';

/**
 * Pastes what Word, Google Docs or a page laid on the clipboard as Markdown, in one step that undo takes back; anything else as ever. An
 * image alone, of which a field takes nothing, is answered by what a Memory keeps, and is offered to « Créer » as a reference (`open` goes there;
 * null: to who may not generate it is not offered).
 */
export function pasteMarkdown(
  event: ClipboardEvent<HTMLTextAreaElement>,
  open: ((address: string) => void) | null,
): void {
  const { clipboardData } = event;
  if (!clipboardData) return;
  const image = soleImage(clipboardData);
  if (image) {
    event.preventDefault();
    toast({
      title: 'Une mémoire garde du texte',
      description: `L’image n’a pas été ajoutée\u00a0: écrivez ce qu’elle montre.${open ? ' Elle peut servir de référence à une image.' : ''}`,
      name: 'image-pasted',
      ...(open
        ? {
            undo: {
              label: 'L’ouvrir dans «\u00a0Créer\u00a0»',
              run: () => {
                if (mustStay('La page «\u00a0Créer\u00a0»')) return false;
                bringFile(image);
                open('/creer?type=image');
              },
            },
          }
        : {}),
    });
    return;
  }
  const html = clipboardData.getData('text/html');
  if (!html) return;
  const markdown = markdownOfPasted(new DOMParser().parseFromString(html, 'text/html'));
  if (markdown === null) return;
  // The one way to write in a field that leaves undo whole; where a browser has it no more, the plain text is pasted.
  if (document.execCommand('insertText', false, markdown)) event.preventDefault();
}

/** A picture that a page or a screen laid there; what a word processor copies is text too. */
function soleImage({ types, files }: DataTransfer): File | undefined {
  return types.includes('text/plain') ? undefined : [...files].find(({ type }) => type.startsWith('image/'));
}
