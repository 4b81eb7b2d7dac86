// In memory alone: a file outlives neither a reload nor the tab.
let brought: File | null = null;

/** Hands a file to « Créer », which takes it as a reference when it opens next. */
export function bringFile(file: File): void {
  brought = file;
}

/** The file that was handed over, once. */
export function takeBroughtFile(): File | null {
  const file = brought;
  brought = null;
  return file;
}
