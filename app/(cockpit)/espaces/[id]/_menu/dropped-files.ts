import { isFolderOfTools, isLeftByTools } from '#lib/brain/imports/parse/left-by-tools.ts';
import type { ChosenFile } from './import-event.ts';

/** The limit of a form plus one: the service then answers that there are too many files. */
const MAX_FILES = 2_001;

/** The files chosen in a field, with their paths in a chosen folder. Only in a folder, files left by programs (`isLeftByTools`) are omitted. */
export function filesOf(list: FileList | null): ChosenFile[] {
  return [...(list ?? [])].flatMap((file) => {
    const inFolder = file.webkitRelativePath;
    return inFolder && isLeftByTools(inFolder.split('/')) ? [] : [{ file, path: inFolder || file.name }];
  });
}

type Found = { entry: FileSystemEntry; path: string };

/**
 * The dropped files, with their paths in dropped folders; folders of the same name are numbered. If a folder is among them, files left by
 * programs are omitted. To be called during the drop event: the browser clears the data afterwards. Rejects if a file cannot be read.
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

/** Two dropped folders may have the same name: the second is renamed, so that their contents stay apart. */
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

/** Whether people may have put this entry here; false for what programs leave in folders. */
function isSomebodys({ name, isDirectory }: FileSystemEntry): boolean {
  return !(isDirectory ? isFolderOfTools(name) : isLeftByTools([name]));
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** `readEntries` returns a hundred entries at most, and none at the end. Entries left by programs do not count: some disks have one per file. */
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
