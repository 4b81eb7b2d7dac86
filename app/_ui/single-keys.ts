import { isTyping } from './typing.ts';

/** Of this browser and not of a member: it is about the hands, or the voice, before this screen. */
const KEPT_UNDER = 'atelier:single-keys';

/** What was chosen, where the browser keeps nothing. */
let unkept = true;

/** Whether shortcuts of one sign answer in this browser: they do until they are turned off (WCAG 2.1.4). */
export function areSingleKeysOn(): boolean {
  try {
    return localStorage.getItem(KEPT_UNDER) !== 'off';
  } catch {
    return unkept;
  }
}

/** Turns the shortcuts of one sign on or off, in this browser and until it is told otherwise. */
export function setSingleKeys(isOn: boolean): void {
  try {
    if (isOn) localStorage.removeItem(KEPT_UNDER);
    else localStorage.setItem(KEPT_UNDER, 'off');
  } catch {
    unkept = isOn;
  }
}

/**
 * While those shortcuts are off, a letter, a digit or a sign that is pressed alone reaches nothing of the page but a field or a menu, before
 * whoever listens. Space, Enter, arrows and what is pressed with Ctrl, Command or Alt pass. Returns what stops it.
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
