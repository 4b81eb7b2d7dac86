/** A file and its path in the dropped or chosen folder. */
export type ChosenFile = { file: File; path: string };

/** Asks the Space's menu to open the import dialog, with the files of the event. */
export const IMPORT_EVENT = 'atelier:import';

export function askImport(files: ChosenFile[] = []): void {
  window.dispatchEvent(new CustomEvent<ChosenFile[]>(IMPORT_EVENT, { detail: files }));
}
