import { spawn } from 'node:child_process';
import path from 'node:path';

/** What a server did under a load; `cpuSeconds` is what the load itself took. */
export type Load = {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  cpuSeconds: number;
};

type LoadJob = {
  /** `%7Bn%7D` in it is another number each time. */
  url: string;
  /** Who asks: developer keys in turn, or one browser's session. */
  keys?: readonly string[];
  cookie?: string;
  connections: number;
  /** How long, */
  seconds?: number;
  /** or how many answers: what a slow machine does too, later. */
  amount?: number;
};

/** Asks a server from a process of its own: its event loop and the load's must not be one. */
export function load(job: LoadJob): Promise<Load> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [path.join(import.meta.dirname, 'load.mjs')], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
    });
    child.on('error', reject);
    child.on('close', (code) =>
      code === 0 ? resolve(JSON.parse(output) as Load) : reject(new Error(`load ended with ${code}`)),
    );
    child.stdin.end(JSON.stringify(job));
  });
}
