/** A file and where it lay in the folder that was dropped or chosen. */
export type ChosenFile = { file: File; path: string };

/** Asks the Space's menu to open its import, with files already chosen. */
export const IMPORT_EVENT = 'atelier:import';

export function askImport(files: ChosenFile[] = []): void {
  window.dispatchEvent(new CustomEvent<ChosenFile[]>(IMPORT_EVENT, { detail: files }));
}
