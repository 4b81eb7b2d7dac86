import type { ClipboardEvent } from 'react';
import { toast } from '#app/_ui/toast.ts';
import { markdownOfPasted } from '#lib/brain/imports/parse/pasted.ts';

/**
 * Pastes what Word, Google Docs or a page laid on the clipboard as Markdown, in one step that undo takes back; anything else as ever. An
 * image alone, of which a field takes nothing, is answered by what a Memory keeps.
 */
export function pasteMarkdown(event: ClipboardEvent<HTMLTextAreaElement>): void {
  const { clipboardData } = event;
  if (!clipboardData) return;
  if (isImageAlone(clipboardData)) {
    event.preventDefault();
    toast({
      title: 'Une mémoire garde du texte',
      description:
        'L’image n’a pas été ajoutée. Écrivez ce qu’elle montre\u00a0; comme référence d’une génération, collez-la dans «\u00a0Créer\u00a0».',
      name: 'image-pasted',
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
function isImageAlone({ types, files }: DataTransfer): boolean {
  return !types.includes('text/plain') && [...files].some(({ type }) => type.startsWith('image/'));
}
