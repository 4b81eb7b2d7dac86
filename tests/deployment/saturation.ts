import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { repositoryRoot } from '#lib/local/paths.ts';
import { startInstance } from './instances/instance.ts';
import { followImport } from './instances/shared-state.ts';
import { type Deployment, PUBLIC_URL, residentMb } from './parts.ts';
import { prepareService } from './service.ts';

const LIMIT_MB = 512;
const MEMORIES = 500;
const CONNECTIONS = 16;

/** One server of the tree as the image starts it, asked by more connections than it can answer: contexts, searches never asked before, whole pages. Its memory at the most. */
export async function runSaturation(on: Deployment): Promise<void> {
  const service = await prepareService(on, 'saturation', { SERVICE_ACCOUNT_RATE: '100000000' });
  const { cookie } = service;
  const { spaceId = '' } = service.admin('space', 'create', 'Lampes');
  const server = await startInstance(on, service);
  const atStartMb = residentMb(server.child);
  await importMemories(server.url, { spaceId, cookie });

  const figures: string[] = [];
  const faults: string[] = [];
  for (const [name, address, amount] of [
    ['context', `/api/brain/spaces/${spaceId}/context?maxChars=4000`, 500],
    ['search page', '/recherche?q=lampe%20%7Bn%7D', 80],
    ['page of the Space', `/espaces/${spaceId}`, 80],
    ['journal', '/journal', 250],
    ['context again', `/api/brain/spaces/${spaceId}/context?maxChars=4000`, 500],
  ] as const) {
    const job = { url: server.url + address, cookie, connections: CONNECTIONS, amount };
    const { requestsPerSecond, p99Ms, errors } = await load(job);
    if (errors > 0) faults.push(`${name}: ${errors} requests failed`);
    figures.push(
      `${name} ${requestsPerSecond.toFixed(0)}/s (p99 ${p99Ms} ms, ${residentMb(server.child)} MB)`,
    );
  }
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8');
  const mostMb = Math.ceil(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
  if (!(mostMb <= LIMIT_MB)) faults.push(`${mostMb} MB at the most, over ${LIMIT_MB}`);
  on.steps.push({
    what: `at saturation, ${CONNECTIONS} connections, ${MEMORIES} Memories: ${mostMb} MB resident at the most (${atStartMb} at its start): ${figures.join(', ')}`,
    ...(faults.length ? { fault: faults.join('\n    ') } : {}),
  });
  server.child.kill('SIGTERM');
}

async function importMemories(url: string, on: { spaceId: string; cookie: string }): Promise<void> {
  const form = new FormData();
  for (let n = 0; n < MEMORIES; n += 1) {
    const text = `# Lampe ${n}\n\n${`La lampe ${n} est tournée à Nantes, garantie ${n % 7} ans, couleur ${n % 331}. `.repeat(8)}`;
    form.append('files', new Blob([text], { type: 'text/markdown' }), `lampe-${n}.md`);
  }
  const response = await fetch(`${url}/api/brain/spaces/${on.spaceId}/imports`, {
    method: 'POST',
    headers: { cookie: on.cookie, origin: PUBLIC_URL, 'sec-fetch-site': 'same-origin' },
    body: form,
  });
  if (response.status !== 202) throw new Error(`${response.status} ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  await followImport({ url, cookie: on.cookie }, id);
}

export async function load(job: {
  url: string;
  cookie: string;
  connections: number;
  /** How long, */
  seconds?: number;
  /** or how many answers: what a slow machine does too, later. */
  amount?: number;
}): Promise<{ requestsPerSecond: number; p99Ms: number; errors: number }> {
  const child = spawn(process.execPath, [path.join(repositoryRoot, 'tests/bench/load.mjs')], {
    cwd: repositoryRoot,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(job));
  let said = '';
  for await (const chunk of child.stdout) said += String(chunk);
  return JSON.parse(said) as { requestsPerSecond: number; p99Ms: number; errors: number };
}
