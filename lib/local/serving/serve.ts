import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { randomHex } from '#lib/core/crypto.ts';
import { repositoryRoot } from '../paths.ts';
import { isAlive, waitFor } from '../processes.ts';
import { nextCli } from './build.ts';
import { PATIENCE, untilServing } from './until-serving.ts';

export type Served = {
  url: string;
  /** Settles when the server ends by itself. */
  ended: Promise<number>;
  stop(): Promise<void>;
  /** SIGKILL, to it and its children, in the middle of whatever it does: what a machine that fails does. */
  kill(): Promise<void>;
};

/** Why a loopback port cannot be listened on, as the system says it (`EADDRINUSE`); undefined when it can. */
export async function portFault(port: number): Promise<string | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** The first free port from `from` on. */
export async function nextFreePort(from: number): Promise<number> {
  for (let port = from; port < Math.min(from + 200, 65_536); port += 1)
    if ((await portFault(port)) === undefined) return port;
  throw new Error(`No free port between ${from} and ${from + 200}.`);
}

/** The server is up and its answers are faulty: told with what it answered and its last words. */
export class ServedFaulty extends Error {}

/** Somebody else took the port before the server did. */
export class PortTaken extends ServedFaulty {}

/** Requests under way when it is asked to stop may end within this. */
const STOP_PATIENCE_MS = 30_000;
const LAST_WORDS_MS = 2_000;
/**
 * How long a connection stays open between two requests: longer than a proxy in front keeps its own (60 s for most), which would
 * otherwise send a request on one that is being closed, and answer 502.
 */
const KEEP_ALIVE_MS = 75_000;

/**
 * Starts Next's server, for production or with hot reload, and returns once it has served: `/api/health` (database, migrations, store)
 * answers 200 and the first page no error. Throws ServedFaulty with the cause when its answers stay wrong, PortTaken when another has its port.
 */
export async function serve(options: {
  mode: 'start' | 'dev';
  port: number;
  env: NodeJS.ProcessEnv;
  /** The server's log goes nowhere: for a bench. */
  quiet?: boolean;
}): Promise<Served> {
  const url = `http://127.0.0.1:${options.port}`;
  const hooks = pathToFileURL(path.join(import.meta.dirname, 'serve-hooks.ts')).href;
  const mark = randomHex(16);
  const child = spawn(
    process.execPath,
    [
      nextCli(),
      options.mode,
      '-H',
      '127.0.0.1',
      '-p',
      String(options.port),
      ...(options.mode === 'start' ? ['--keepAliveTimeout', String(KEEP_ALIVE_MS)] : []),
    ],
    {
      cwd: repositoryRoot,
      env: {
        ...options.env,
        PORT: String(options.port),
        // Who owns the tables migrates before; what serves cannot become it.
        DATABASE_DIRECT_URL: '',
        NEXT_TELEMETRY_DISABLED: '1',
        NODE_OPTIONS: `${options.env.NODE_OPTIONS ?? ''} --import=${hooks}`.trim(),
        ATELIER_WATCH_STDIN: '1',
        ATELIER_SERVED_BY: mark,
      },
      // Its own group, so that it and its children end together; our end of its input closes when we end.
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  );
  child.stdin?.on('error', () => undefined);
  const said = forwardOutput(child, options.quiet ? 'nothing' : options.mode === 'dev' ? 'all' : 'lines');
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(127));
    child.on('exit', (code) => resolve(code ?? 1));
  });
  const heard = new Promise<void>((resolve) => child.on('close', () => resolve()));
  const stop = () => stopGroup(child);
  const kill = async () => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    } catch {
      // It had ended by itself.
    }
    await ended;
  };
  const fault = await untilServing(url, () => child.signalCode ?? child.exitCode, { ...PATIENCE, mark });
  if (fault === undefined) return { url, ended, stop, kill };
  await kill();
  // Its last words may come after its end.
  await Promise.race([heard, new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS))]);
  const Fault = said().includes('EADDRINUSE') ? PortTaken : ServedFaulty;
  throw new Fault(`${fault}\n${said()}`);
}

/** The server's own lines go to the terminal, except Next's banner at the start. */
function forwardOutput(child: ChildProcess, what: 'all' | 'lines' | 'nothing'): () => string {
  let kept = '';
  const banner =
    /^\s*(▲ Next\.js|- (Local|Network|Environments|Experiments)|✓ (Starting|Ready|Running next.config)|$)/;
  for (const [from, to] of [
    [child.stdout, process.stdout],
    [child.stderr, process.stderr],
  ] as const)
    from?.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      kept = (kept + text).slice(-8000);
      if (what === 'nothing') return;
      const lines = text.split('\n').filter((line) => what === 'all' || !banner.test(line));
      if (lines.length > 0) to.write(`${lines.join('\n').replace(/\n$/, '')}\n`);
    });
  return () => kept.trim();
}

/** Requests under way end first: the server alone is asked, then whatever is left of its group is ended. */
async function stopGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  const isGone = () => child.exitCode !== null || child.signalCode !== null || !isAlive(pid);
  try {
    process.kill(pid, 'SIGTERM');
    await waitFor(isGone, STOP_PATIENCE_MS, 20);
  } catch {
    // It had ended by itself.
  }
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody is left in the group.
  }
  await waitFor(isGone, STOP_PATIENCE_MS, 20);
}
