import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';

const CLI = path.join(repositoryRoot, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');

export type Check = {
  id: string;
  status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  errorMessage?: string;
};

/** Runs the conformance suite in a process of its own; every line it says goes to `onLine` as it comes. */
export async function runSuite(
  args: string[],
  onLine: (line: string) => void = () => undefined,
): Promise<{ scenarios: Map<string, Check[]>; output: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
  try {
    let output = '';
    await new Promise<void>((resolve, reject) => {
      const child = spawn(process.execPath, [CLI, ...args, '--output-dir', folder], {
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          const said = chunk.toString();
          output += said;
          for (const line of said.split('\n')) onLine(line);
        });
      child.on('error', reject);
      child.on('close', () => resolve());
    });
    return { scenarios: await readChecks(folder), output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** One folder per scenario, `server-<name>-<time>`, each with its checks. */
async function readChecks(folder: string): Promise<Map<string, Check[]>> {
  const scenarios = new Map<string, Check[]>();
  for (const entry of await readdir(folder, { recursive: true })) {
    if (path.basename(entry) !== 'checks.json') continue;
    const name = path
      .basename(path.dirname(entry))
      .replace(/-\d{4}-\d\d-\d\dT.*$/, '')
      .replace(/^(authorization-server|server)-(?=.)/, '');
    scenarios.set(name, JSON.parse(await readFile(path.join(folder, entry), 'utf8')) as Check[]);
  }
  return scenarios;
}
