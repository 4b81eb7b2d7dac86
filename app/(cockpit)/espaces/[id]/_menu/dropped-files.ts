import { isFolderOfTools, isLeftByTools } from '#lib/brain/imports/parse/left-by-tools.ts';
import type { ChosenFile } from './import-event.ts';

/** As many as one form may hold, and one more: the service says that there are too many. */
const MAX_FILES = 2_001;

/** What was chosen in a field: a folder's files come with their paths. What programs hide in it is left there. */
export function filesOf(list: FileList | null): ChosenFile[] {
  return [...(list ?? [])].flatMap((file) => {
    const inFolder = file.webkitRelativePath;
    return inFolder && isLeftByTools(inFolder.split('/')) ? [] : [{ file, path: inFolder || file.name }];
  });
}

type Found = { entry: FileSystemEntry; path: string };

/**
 * The files that were dropped, those of folders with their paths; of two folders of one name, the second is numbered. What programs hide in folders is left there.
 * To be called as the drop happens: the browser forgets it right after.
 */
export async function droppedFiles(data: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some((entry) => entry.isDirectory)) return filesOf(data.files);
  const found: ChosenFile[] = [];
  const waiting = underOwnNames(entries.filter(isSomebodys)).reverse();
  for (let next = waiting.pop(); next && found.length < MAX_FILES; next = waiting.pop()) {
    const { entry, path } = next;
    if (isFile(entry)) found.push({ file: await fileOf(entry), path });
    else {
      const inside = await listOf(entry as FileSystemDirectoryEntry);
      waiting.push(...inside.map((one) => ({ entry: one, path: `${path}/${one.name}` })).reverse());
    }
  }
  return found;
}

/** « Notes » of one disk beside « Notes » of another: what lies in each stays together, and apart from the other's. */
function underOwnNames(entries: readonly FileSystemEntry[]): Found[] {
  const taken = new Set<string>();
  return entries.map((entry) => {
    let path = entry.name;
    if (entry.isDirectory)
      for (let number = 2; taken.has(path); number += 1) path = `${entry.name} (${number})`;
    taken.add(path);
    return { entry, path };
  });
}

function isSomebodys({ name, isDirectory }: FileSystemEntry): boolean {
  return !(isDirectory ? isFolderOfTools(name) : isLeftByTools([name]));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A browser gives a folder a hundred entries at a time, until it gives none; hidden ones, one for each file on some disks, take no room. */
async function listOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0 || all.length > MAX_FILES) return all;
    all.push(...some.filter(isSomebodys));
  }
}
