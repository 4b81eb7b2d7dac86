import type { ChosenFile } from './import-event.ts';

/** As many as one form may hold, and one more: the service says that there are too many. */
const MAX_FILES = 2_001;

/** What was chosen in a field: a folder's files come with their paths. */
export function filesOf(list: FileList | null): ChosenFile[] {
  return [...(list ?? [])].map((file) => ({ file, path: file.webkitRelativePath || file.name }));
}

/** The files that were dropped, those of folders with their paths. To be called as the drop happens: the browser forgets it right after. */
export async function droppedFiles(data: DataTransfer): Promise<ChosenFile[]> {
  const entries = [...data.items].flatMap((item) => item.webkitGetAsEntry?.() ?? []);
  if (!entries.some((entry) => entry.isDirectory)) return filesOf(data.files);
  const found: ChosenFile[] = [];
  const waiting: FileSystemEntry[] = entries.reverse();
  for (let entry = waiting.pop(); entry && found.length < MAX_FILES; entry = waiting.pop()) {
    if (entry.name.startsWith('.')) continue;
    const path = entry.fullPath.replace(/^\//, '');
    if (isFile(entry)) found.push({ file: await fileOf(entry), path });
    else waiting.push(...(await listOf(entry as FileSystemDirectoryEntry)).reverse());
  }
  return found;
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile;
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject));
}

/** A browser gives a folder a hundred entries at a time, until it gives none. */
async function listOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader();
  const all: FileSystemEntry[] = [];
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0 || all.length > MAX_FILES) return all;
    all.push(...some);
  }
}
