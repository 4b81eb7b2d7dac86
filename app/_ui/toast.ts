export type ToastMessage = {
  title: string;
  description?: string;
  tone?: 'neutral' | 'ok' | 'fail';
  /** The identifier of the refused request, shown with a button to copy it. */
  requestId?: string | undefined;
  /** Offers to undo the action; the toast then stays ten seconds. */
  undo?: Undo;
  /** Replaces the toast of this name that is still shown. */
  name?: string;
  /** Called when the toast was closed or its time is over, without an undo. */
  onGone?: () => void;
};

export type Undo = {
  label?: string;
  /** Returns false or throws if the undo failed: it is then offered again. If it returns false, it has already said why. */
  run: () => unknown;
};

type Listener = (message: ToastMessage) => void;
let listener: Listener | null = null;
const waiting: ToastMessage[] = [];

/** Shows a message at the bottom of the screen, from anywhere in the browser. The first one loads the code of toasts. */
export function toast(message: ToastMessage): void {
  if (listener) {
    listener(message);
    return;
  }
  waiting.push(message);
  window.dispatchEvent(new Event('atelier:toast'));
}

/** For the toaster only: whether a message was sent before the toaster listened. */
export const isToastWaiting = (): boolean => waiting.length > 0;

/** For the toaster only: gets the messages that wait, then each new one. Returns a function that stops it. */
export function onToast(next: Listener): () => void {
  listener = next;
  for (const message of waiting.splice(0)) next(message);
  return () => {
    if (listener === next) listener = null;
  };
}
