// In memory only: a file survives neither a reload nor the tab.
let brought: File | null = null;

/** Hands a file over to « Créer », which adds it as a reference when it opens next. */
export function bringFile(file: File): void {
  brought = file;
}

/** Returns the file that was handed over, only once; null without one. */
export function takeBroughtFile(): File | null {
  const file = brought;
  brought = null;
  return file;
}
