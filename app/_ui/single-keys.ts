import { isTyping } from './typing.ts';

/** Kept per browser, not per member: it depends on the hands or the voice at this device. */
const KEPT_UNDER = 'atelier:single-keys';

/** The choice, where the browser stores nothing. */
let unkept = true;

/** Whether single-key shortcuts are active in this browser. They are until they are turned off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEPT_UNDER) !== 'off';
  } catch {
    return unkept;
  }
}

/** Turns single-key shortcuts on or off in this browser. */
export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEPT_UNDER);
    else localStorage.setItem(KEPT_UNDER, 'off');
  } catch {
    unkept = isOn;
  }
}

/**
 * While single-key shortcuts are off, a letter, a digit or a sign pressed alone reaches only fields and menus: the event is stopped before any other
 * listener. Space, Enter, arrows and combinations with Ctrl, Command or Alt pass. Returns a function that stops it.
 */
export function holdSingleKeys(): () => void {
  const hold = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey, target } = event;
    if (ctrlKey || metaKey || altKey || key.length !== 1 || key === ' ') return;
    if (!isTyping(target) && !areSingleKeysOn()) event.stopPropagation();
  };
  window.addEventListener('keydown', hold, { capture: true });
  return () => window.removeEventListener('keydown', hold, { capture: true });
}
