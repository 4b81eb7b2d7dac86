import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readText } from '../files.ts';
import { withLock } from '../lock.ts';
import { repositoryRoot } from '../paths.ts';

/** Folders that the built app does not contain. */
const NOT_BUILT = new Set([
  'node_modules',
  'docs',
  // Published by itself; what is built of it lies there too.
  'packages',
  'tests',
  'scripts',
  'generated',
  'migrations',
]);

/** Another process of this clone may be building, on a machine that does other things. */
const BUILD_LIMIT_MS = 1_800_000;

/** Where the build goes: `SERVICE_BUILD_DIR` keeps a test's build apart from the one being served. */
function buildFolder(): string {
  return process.env.SERVICE_BUILD_DIR?.trim() || '.next';
}

/** Builds the app unless the same sources were built already. Returns whether it built. Throws with the build's output. */
export async function ensureBuild(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<boolean> {
  const lock = path.join(repositoryRoot, `${buildFolder()}.lock`);
  await mkdir(path.dirname(lock), { recursive: true });
  return withLock(lock, () => buildIfChanged(env, say), BUILD_LIMIT_MS);
}

/** The build that lies there is not to be trusted: the next start makes it again. */
export async function invalidateBuild(): Promise<void> {
  await rm(stampOf(buildFolder()), { force: true });
}

const stampOf = (folder: string) => path.join(repositoryRoot, folder, '.inputs');

async function buildIfChanged(env: NodeJS.ProcessEnv, say: (line: string) => void): Promise<boolean> {
  const folder = path.join(repositoryRoot, buildFolder());
  const stampFile = stampOf(buildFolder());
  const [built, wanted] = [(await readText(stampFile))?.trim(), await sourcesFingerprint()];
  if (built === wanted) return false;
  say('Building…');
  await rm(stampFile, { force: true });
  await mkdir(folder, { recursive: true });
  // Next writes its folder into the tsconfig it uses: another folder gets another file, and the repository stays clean.
  if (buildFolder() !== '.next') {
    const config = {
      extends: path.relative(path.dirname(folder), path.join(repositoryRoot, 'tsconfig.json')),
    };
    await writeFile(`${folder}.tsconfig.json`, JSON.stringify(config));
  }
  // Most clones build once, a fresh one for its tests: only who builds again has the next build in mind (next.config.ts).
  await runNext(['build'], built ? env : { ...env, SERVICE_FIRST_BUILD: '1' });
  await writeFile(stampFile, `${wanted}\n`);
  return true;
}

async function runNext(args: string[], env: NodeJS.ProcessEnv): Promise<void> {
  const child = spawn(process.execPath, [nextCli(), ...args], {
    cwd: repositoryRoot,
    env: { ...env, NEXT_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(-20_000);
    });
  const stop = () => child.kill('SIGTERM');
  process.once('exit', stop);
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 1));
  });
  process.off('exit', stop);
  if (code !== 0) throw new Error(`next ${args.join(' ')} failed (${code}):\n${said.trim()}`);
}

/** Next's command, to be run by this very Node. */
export function nextCli(): string {
  return path.join(repositoryRoot, 'node_modules/next/dist/bin/next');
}

async function sourcesFingerprint(): Promise<string> {
  const hash = createHash('sha256').update(`${process.version} ${process.platform}-${process.arch}\0`);
  for (const [name, value] of Object.entries(process.env).sort())
    if (name.startsWith('NEXT_PUBLIC_')) hash.update(`${name}=${value}\0`);
  const files: string[] = [];
  await collect('', files);
  for (const file of files.sort()) {
    const content = await readFile(path.join(repositoryRoot, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

async function collect(folder: string, files: string[]): Promise<void> {
  for (const entry of await readdir(path.join(repositoryRoot, folder), { withFileTypes: true })) {
    const place = folder ? `${folder}/${entry.name}` : entry.name;
    if (entry.isDirectory()) {
      const isHidden = entry.name.startsWith('.') && entry.name !== '.well-known';
      if (!isHidden && !NOT_BUILT.has(entry.name)) await collect(place, files);
    } else if (entry.isFile() && !entry.name.startsWith('.env') && isSource(folder, entry.name))
      files.push(place);
  }
}

/** Beside the folders, the files at the root that steer the build. */
function isSource(folder: string, name: string): boolean {
  if (name === 'next-env.d.ts' || name === 'vitest.config.ts' || name.endsWith('.tsbuildinfo')) return false;
  return folder !== '' || /^(package(-lock)?\.json|tsconfig\.json|[\w.]+\.(ts|mjs|js|css))$/.test(name);
}
