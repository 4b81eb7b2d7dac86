import { isTyping } from '../typing.ts';

/** Types of dropped text and addresses: Firefox leaves the page to open or search for them. */
const WORDS = ['text/uri-list', 'text/plain'];

/** Whether the browser would leave the page to open what is dragged. A file field takes files itself; a text field takes addresses and texts. */
function wouldOpen({ dataTransfer, target }: DragEvent): boolean {
  if (!dataTransfer || (target instanceof Element && target.matches('input[type=file]'))) return false;
  const { types } = dataTransfer;
  return types.includes('Files') || (WORDS.some((type) => types.includes(type)) && !isTyping(target));
}

/**
 * Makes the drop of a file, an address or a text do nothing if no part of the page takes it: the browser would open it instead of the page, and what
 * was typed would be lost. Listens on the window, after all other listeners. Returns a function that stops it.
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
