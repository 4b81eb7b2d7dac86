import { isTyping } from '../typing.ts';

/** Firefox searches for a text in place of the page, as it goes to an address. */
const WORDS = ['text/uri-list', 'text/plain'];

/** Whether a browser would open what is dragged in place of the page. A field of files takes files itself, a field of text an address or a text. */
function wouldOpen({ dataTransfer, target }: DragEvent): boolean {
  if (!dataTransfer || (target instanceof Element && target.matches('input[type=file]'))) return false;
  const { types } = dataTransfer;
  return types.includes('Files') || (WORDS.some((type) => types.includes(type)) && !isTyping(target));
}

/**
 * Has a file, an address or a text that nothing on the page takes do nothing: a browser would open it in place of the page, with what was typed
 * there. Heard on the window, after whoever takes it. Returns what stops it.
 */
export function holdStrayDrops(): () => void {
  const hold = (event: DragEvent) => {
    if (event.defaultPrevented || !wouldOpen(event)) return;
    event.preventDefault();
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'none';
  };
  window.addEventListener('dragover', hold);
  window.addEventListener('drop', hold);
  return () => {
    window.removeEventListener('dragover', hold);
    window.removeEventListener('drop', hold);
  };
}
