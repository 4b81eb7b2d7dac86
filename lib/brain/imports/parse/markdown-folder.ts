import { MAX_MEMORY_DEPTH } from '#lib/brain/limits.ts';
import type { PillarRole } from '#lib/brain/templates.ts';
import { titleFromName } from '#lib/brain/text/titles.ts';
import { filePathOf, foldedKey } from './draft-keys.ts';
import { roleNamed } from './front-matter.ts';
import { isLeftByTools } from './left-by-tools.ts';
import { leftOutSentence } from './left-out.ts';
import { nameOf, parseMarkdownFile, parsePlainText } from './markdown-file.ts';
import { readText } from './text.ts';
import type { Converted, MemoryDraft, Refusal } from './types.ts';

export type FolderFile = {
  path: string;
  bytes: Uint8Array;
  /** What another reader made of it: a Word document, a table… */
  converted?: Converted | null;
};

type FolderOptions = {
  /** Pillar of what says nothing about its own. */
  pillar: PillarRole;
  maxBytes?: number;
  /** Called with the path of each file before it is read. */
  begin?: ((path: string) => void) | undefined;
  /** Paths of files that came with these and could not be read: each is a file all the same. */
  unread?: readonly string[];
};

type Folder = { path: string; folders: Map<string, Folder>; files: Map<string, FolderFile> };

const TEXT_FILE = /\.(md|mdx|markdown|txt)$/i;
const ANY_FILE = /\.(md|mdx|markdown|txt|docx|html?|csv|tsv|pdf)$/i;
const INDEX_FILE = /^(index|readme)\.(md|mdx|markdown)$/i;
const byName = new Intl.Collator('fr', { numeric: true, sensitivity: 'variant' });

/**
 * A folder of Markdown as Memory drafts, parents first, in natural order of names. Folders become nesting: the Memory of `guides/`
 * is `guides.md` beside it, else its index or README; a folder without any is no Memory, and what it holds goes where it would. A folder named after a
 * pillar (`1-identity`, `Charte`), none above it being a Memory or a pillar, stands for the pillar, its page too. Below depth 16 the tree is flattened.
 * A child whose front matter names another pillar than its parent's becomes a root there. Files of other kinds are ignored. `leftOut`: what of files that
 * were read no Memory keeps.
 */
export function parseMarkdownFolder(
  files: readonly FolderFile[],
  options: FolderOptions,
): { drafts: MemoryDraft[]; refused: Refusal[]; leftOut: Refusal[] } {
  const reader = new FolderReader(options);
  reader.read(treeOf(files), null, options.pillar, true);
  const paths = [...files.map(({ path }) => segmentsOf(path).join('/')), ...(options.unread ?? [])];
  const drafts = withOwnPaths(reader.drafts, paths);
  return { drafts, refused: reader.refused, leftOut: fieldsLeftOut(reader.leftOut) };
}

/** « A.md » beside « a.md », read or not, are two files, each known by its exact path; alone, either may have become the other. */
function withOwnPaths(drafts: readonly MemoryDraft[], paths: readonly string[]): MemoryDraft[] {
  const ofFiles = countsFolded(paths);
  const ofDrafts = countsFolded(drafts.map(({ key }) => key));
  const isAlone = (counts: ReadonlyMap<string, number>, key: string) => counts.get(foldedKey(key)) === 1;
  return drafts.map((draft) => ({
    ...draft,
    hasOwnPath: isAlone(ofFiles, filePathOf(draft.key)) && isAlone(ofDrafts, draft.key),
  }));
}

function countsFolded(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const key of keys.map(foldedKey)) counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts;
}

/** All in one: a site of a thousand pages has the same fields in each. */
function fieldsLeftOut(files: ReadonlyMap<string, readonly string[]>): Refusal[] {
  const [path] = files.keys();
  if (path === undefined) return [];
  const others = files.size - 1;
  const named = others === 1 ? 'autre fichier' : 'autres fichiers';
  const where = others === 0 ? '' : `, ici et dans ${others} ${named}`;
  const names = new Set([...files.values()].flat());
  return [{ path, reason: leftOutSentence(`Champs d’en-tête laissés de côté${where}`, [...names]) }];
}

/** Without the `./` that some programs write before every path. */
function segmentsOf(path: string): string[] {
  return path.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function treeOf(files: readonly FolderFile[]): Folder {
  const root: Folder = { path: '', folders: new Map(), files: new Map() };
  for (const file of files) {
    const segments = segmentsOf(file.path);
    const name = segments.pop();
    if (name === undefined || !isText(name, file) || isLeftByTools([...segments, name])) continue;
    let folder = root;
    for (const segment of segments) {
      let next = folder.folders.get(segment);
      if (!next) {
        next = { path: `${folder.path}${segment}/`, folders: new Map(), files: new Map() };
        folder.folders.set(segment, next);
      }
      folder = next;
    }
    folder.files.set(name, { ...file, path: folder.path + name });
  }
  return root;
}

function isText(name: string, { converted }: FolderFile): boolean {
  return TEXT_FILE.test(name) || (converted !== undefined && converted !== null);
}

class FolderReader {
  readonly drafts: MemoryDraft[] = [];
  readonly refused: Refusal[] = [];
  /** Fields of front matter that no Memory keeps, by file. */
  readonly leftOut = new Map<string, readonly string[]>();
  private readonly byKey = new Map<string, MemoryDraft>();
  private readonly options: FolderOptions;

  constructor(options: FolderOptions) {
    this.options = options;
  }

  /** Reads a folder whose own Memory, if any, is `parent`. Iterative on purpose: paths may be very deep. */
  read(start: Folder, startParent: MemoryDraft | null, startPillar: PillarRole, top: boolean): void {
    const pending: (() => void)[] = [];
    const visit = (folder: Folder, parent: MemoryDraft | null, pillar: PillarRole, isTop: boolean) => {
      const steps: (() => void)[] = [];
      // A folder may bear the very name of a file, « guide.md/ » beside « guide.md »: each is read.
      const entries = [
        ...[...folder.files].map(([name, file]) => ({ name, file })),
        ...[...folder.folders.keys()].map((name) => ({ name, file: null })),
      ];
      const claimed = new Set<Folder>();
      for (const { name, file } of entries.sort((a, b) => naturally(a.name, b.name))) {
        const beside = folder.folders.get(file ? name.replace(ANY_FILE, '') : name);
        const nested = beside && claimed.has(beside) ? undefined : beside;
        // `guides.md` speaks for `guides/`, which is then read with it.
        if (!file && [...EXTENSIONS].some((ending) => folder.files.has(name + ending))) continue;
        if (nested) claimed.add(nested);
        steps.push(() => {
          if (!file) {
            if (nested) this.enter(nested, parent, pillar, isTop, visit);
            return;
          }
          // A page named after a pillar speaks for it, with all that lies under it.
          const role = nested && isTop ? pillarNamed(name.replace(ANY_FILE, '')) : null;
          const own =
            nested && file.converted?.onlyLinks ? null : this.readFile(file, parent, role ?? pillar);
          if (!nested) return;
          const isStillTop = isTop && own === null && role === null;
          visit(nested, own ?? parent, own?.pillar ?? role ?? pillar, isStillTop);
        });
      }
      pending.push(...steps.reverse());
    };
    visit(start, startParent, startPillar, top);
    for (let step = pending.pop(); step; step = pending.pop()) step();
  }

  private enter(
    folder: Folder,
    parent: MemoryDraft | null,
    pillar: PillarRole,
    isTop: boolean,
    visit: (folder: Folder, parent: MemoryDraft | null, pillar: PillarRole, isTop: boolean) => void,
  ): void {
    const name = nameOf(folder.path.slice(0, -1));
    const role = isTop ? pillarNamed(name) : null;
    if (role) {
      visit(folder, null, role, false);
      return;
    }
    const index = [...folder.files.keys()].sort(naturally).find((file) => INDEX_FILE.test(file));
    const file = index === undefined ? undefined : folder.files.get(index);
    if (index !== undefined) folder.files.delete(index);
    const own = file ? this.readFile(file, parent, pillar, name) : null;
    visit(folder, own ?? parent, own?.pillar ?? pillar, isTop && own === null);
  }

  /** Adds the Memories of a file and returns its own, or null when it was refused. */
  private readFile(
    { path, bytes, converted }: FolderFile,
    parent: MemoryDraft | null,
    pillar: PillarRole,
    folderName?: string,
  ): MemoryDraft | null {
    this.options.begin?.(path);
    const decoded = converted ? { ok: true as const, text: converted.text } : readText(bytes);
    const input = { path, pillar, maxBytes: this.options.maxBytes, converted };
    const parse = (converted ? converted.plain : /\.txt$/i.test(path)) ? parsePlainText : parseMarkdownFile;
    const parsed = decoded.ok ? parse({ ...input, text: decoded.text }) : decoded;
    if (!parsed.ok) {
      this.refused.push({ path, reason: parsed.reason });
      return null;
    }
    if (parsed.leftOut.length > 0) this.leftOut.set(path, parsed.leftOut);
    const [own, ...parts] = parsed.drafts;
    if (!own) return null;
    // An index without a title of its own is titled after its folder, never « Index ».
    if (folderName && own.title === titleFromName(nameOf(path))) own.title = titleFromName(folderName);
    const added = this.add(own, parent);
    for (const part of parts) this.add(part, added);
    return added;
  }

  private add(draft: MemoryDraft, parent: MemoryDraft | null): MemoryDraft {
    let above = parent?.pillar === draft.pillar ? parent : null;
    while (above && above.depth >= MAX_MEMORY_DEPTH) above = this.byKey.get(above.parentKey ?? '') ?? null;
    const placed = { ...draft, parentKey: above?.key ?? null, depth: above ? above.depth + 1 : 0 };
    this.drafts.push(placed);
    this.byKey.set(placed.key, placed);
    return placed;
  }
}

const EXTENSIONS = new Set([
  '.md',
  '.mdx',
  '.markdown',
  '.txt',
  '.docx',
  '.html',
  '.htm',
  '.csv',
  '.tsv',
  '.pdf',
]);

function pillarNamed(name: string): PillarRole | null {
  return roleNamed(name.replace(/^\d+[-_. ]+/, ''));
}

function naturally(a: string, b: string): number {
  return byName.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}
