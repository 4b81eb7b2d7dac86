import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { projectFiles, SOURCE_FOLDERS } from './project-files.ts';

// node scripts/reports/check-paths.ts: fails when a document or a comment names a path that does not exist.
const NAMED = new RegExp(
  `(?<![\\w/.@~$-])#?(?:${SOURCE_FOLDERS.map((name) => name.replace('.', '\\.')).join('|')})/[\\w.\\-/\\[\\]()*{},]*`,
  'g',
);
/** A file name alone, as documents write it: \`file-facts.ts\`. */
const FILE_NAME = /`([\w.[\]-]+\.(?:tsx?|mjs|md|prisma|ya?ml))`/g;
const LINK = /\]\((?!https?:|#|mailto:)([^)\s#]+)[^)]*\)/g;
const COMMENT = /^\s*(?:\/\/|\/\*\*?|\*)(.*)$|\s\/\/ (.*)$/;
/** What commands write, and git does not hold. */
const NOT_OURS = /^(?:lib\/db\/generated|tests\/e2e\/screenshots)/;

type PathFaults = { named: number; faults: string[] };

/** Every path that a Markdown document, or a comment of the code, names, checked against the tree. */
export async function checkPaths(): Promise<PathFaults> {
  const files = await projectFiles();
  const tree = new Tree(files);
  const faults: string[] = [];
  let named = 0;
  for (const file of files) {
    const isDocument = file.endsWith('.md') && !file.includes('/fixtures/') && !file.includes('/data/');
    if (!isDocument && !/\.(?:ts|tsx|mjs|prisma|yml)$/.test(file)) continue;
    const text = await readFile(path.join(repositoryRoot, file), 'utf8');
    const searched = isDocument ? text : commentsOf(text);
    const missing = (what: string) => faults.push(`${file} names ${what}, which does not exist`);
    for (const [found] of searched.matchAll(NAMED)) {
      const place = tidy(found);
      if (NOT_OURS.test(place)) continue;
      named += 1;
      if (!tree.has(place)) missing(place);
    }
    if (!isDocument) continue;
    for (const [, name] of searched.matchAll(FILE_NAME)) {
      named += 1;
      if (!tree.hasName(name as string)) missing(`\`${name}\``);
    }
    for (const [, link] of searched.replace(/`[^`\n]*`/g, '').matchAll(LINK)) {
      named += 1;
      if (!tree.has(path.posix.join(path.posix.dirname(file), link as string))) missing(`(${link})`);
    }
  }
  return { named, faults };
}

class Tree {
  private readonly places = new Set<string>();
  private readonly names = new Set<string>();

  constructor(files: readonly string[]) {
    for (const file of files) {
      const segments = file.split('/');
      for (let i = 1; i <= segments.length; i++) this.places.add(segments.slice(0, i).join('/'));
      this.names.add(segments.at(-1) as string);
    }
  }

  hasName(name: string): boolean {
    return this.names.has(name);
  }

  /** Whether a file, a folder, or something that a pattern (`*`, `{a,b}`) matches is there. */
  has(place: string): boolean {
    const plain = place.replace(/\/$/, '');
    if (!/[*{]/.test(plain)) return this.places.has(plain);
    const escaped = plain.replace(/[.+?^$()|[\]\\]/g, '\\$&');
    const pattern = escaped
      .replace(/\{([^}]*)\}/g, (_, list: string) => `(?:${list.replaceAll(',', '|')})`)
      .replace(/\*+/g, '.*');
    return [...this.places].some((known) => new RegExp(`^${pattern}$`).test(known));
  }
}

/** Without the punctuation of the sentence, an alias' \`#\`, and a parenthesis that the path did not open. */
function tidy(found: string): string {
  let place = found
    .replace(/^#/, '')
    // An image that is itself a link.
    .replace(/\)\]\(.*$/, '')
    .replace(/[.,*]+$/, (end) => (end.includes('*') ? end.replace(/[.,]+$/, '') : ''));
  const pairs = [
    ['(', ')'],
    ['[', ']'],
    ['{', '}'],
  ] as const;
  for (const [open, close] of pairs) {
    while (place.split(close).length > place.split(open).length)
      place = place.slice(0, place.lastIndexOf(close));
    while (place.split(open).length > place.split(close).length)
      place = place.slice(0, place.lastIndexOf(open));
  }
  return place.replace(/[.,]+$/, '');
}

function commentsOf(code: string): string {
  return code
    .split('\n')
    .map((line) => {
      const found = COMMENT.exec(line);
      return found ? (found[1] ?? found[2] ?? '') : '';
    })
    .join('\n');
}

if (import.meta.main) {
  const { named, faults } = await checkPaths();
  console.log(`${named} paths named`);
  for (const fault of faults) console.error(`✗ ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}
