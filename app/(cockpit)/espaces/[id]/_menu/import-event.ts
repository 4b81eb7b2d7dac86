/** A file and its path in the dropped or chosen folder. */
export type ChosenFile = { file: File; path: string };

/** The event that opens the import dialog of the current Space. Its `detail` holds the files to import. */
export const IMPORT_EVENT = 'atelier:import';

export function askImport(files: ChosenFile[] = []): void {
  window.dispatchEvent(new CustomEvent<ChosenFile[]>(IMPORT_EVENT, { detail: files }));
}
