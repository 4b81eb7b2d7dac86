export type ToastMessage = {
  title: string;
  description?: string;
  tone?: 'neutral' | 'ok' | 'fail';
  /** Of the request that was refused: one click to copy. */
  requestId?: string | undefined;
  /** Offers to take the action back; the toast then stays ten seconds. */
  undo?: Undo;
  /** Takes the place of the message of this name that is still shown. */
  name?: string;
  /** It was closed, or its time is over, and nothing was taken back. */
  onGone?: () => void;
};

export type Undo = {
  label?: string;
  /** Answers false, or throws, when it did not succeed: it is offered again. A false has already said why. */
  run: () => unknown;
};

type Listener = (message: ToastMessage) => void;
let listener: Listener | null = null;
const waiting: ToastMessage[] = [];

/** Says something at the foot of the screen, from anywhere in the browser. The machinery comes with the first one. */
export function toast(message: ToastMessage): void {
  if (listener) {
    listener(message);
    return;
  }
  waiting.push(message);
  window.dispatchEvent(new Event('atelier:toast'));
}

/** For the toaster alone: whether something was said before it listened. */
export const isToastWaiting = (): boolean => waiting.length > 0;

/** For the toaster alone: takes what waits, then everything that comes. */
export function onToast(next: Listener): () => void {
  listener = next;
  for (const message of waiting.splice(0)) next(message);
  return () => {
    if (listener === next) listener = null;
  };
}
