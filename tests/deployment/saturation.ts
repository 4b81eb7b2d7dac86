import { readFileSync } from 'node:fs';
import { load } from '#tests/bench/load.ts';
import { type Deployment, PUBLIC_URL, residentMb } from './deployment.ts';
import { startInstance, type TreeInstance } from './instances/instance.ts';
import { followImport } from './instances/shared-state.ts';
import { prepareService, type Service } from './service.ts';

const LIMIT_MB = 512;
const MEMORIES = 500;
const CONNECTIONS = 16;
const DEFAULT_ROUNDS = 5;

/** What is asked, and how many answers of it a round waits for. */
const asked = (spaceId: string) =>
  [
    ['context', `/api/brain/spaces/${spaceId}/context?maxChars=4000`, 500],
    ['search page', '/recherche?q=lampe%20%7Bn%7D', 80],
    ['page of the Space', `/espaces/${spaceId}`, 80],
    ['journal', '/journal', 250],
    ['context again', `/api/brain/spaces/${spaceId}/context?maxChars=4000`, 500],
  ] as const;

type Figures = { requestsPerSecond: number; p99Ms: number; residentMb: string };

/**
 * Two servers of the tree on one database, one as the image starts it and one under V8's own limits, asked by more connections than they
 * can answer: contexts, searches never asked before, whole pages. Both stay up and take turns, the first of a round being the second of
 * the next, so that a ratio compares moments seconds apart. The image's memory at the most is judged; throughput is told, with its spread.
 */
export async function runSaturation(on: Deployment): Promise<void> {
  const service = await prepareService(on, 'saturation', { SERVICE_ACCOUNT_RATE: '100000000' });
  const { spaceId = '' } = service.admin('space', 'create', 'Lampes');
  const flagged = await startInstance(on, service);
  const atStartMb = residentMb(flagged.child);
  await importMemories(flagged.url, { spaceId, cookie: service.cookie });
  const faults: string[] = [];
  const rounds = on.rounds ?? DEFAULT_ROUNDS;
  const targets = asked(spaceId);
  const ask = (server: TreeInstance, [name, address, amount]: (typeof targets)[number]) =>
    answers(server, service, { name, address, amount, faults });

  const first: string[] = [];
  for (const target of targets) {
    const { requestsPerSecond, p99Ms, residentMb: mb } = await ask(flagged, target);
    first.push(`${target[0]} ${requestsPerSecond.toFixed(0)}/s (p99 ${p99Ms} ms, ${mb} MB)`);
  }
  const ratios = new Map<string, number[]>();
  let free: TreeInstance | undefined;
  if (rounds > 0) {
    free = await startInstance(on, service, []);
    // As warm as the other before the first round.
    for (const target of targets) await ask(free, target);
    for (let round = 0; round < rounds; round += 1)
      for (const target of targets) {
        const pair = round % 2 === 0 ? [flagged, free] : [free, flagged];
        const perSecond = new Map<TreeInstance, number>();
        for (const server of pair) perSecond.set(server, (await ask(server, target)).requestsPerSecond);
        const ratio = (perSecond.get(flagged) ?? Number.NaN) / (perSecond.get(free) ?? Number.NaN);
        ratios.set(target[0], [...(ratios.get(target[0]) ?? []), ratio]);
      }
  }
  const mostMb = most(flagged);
  if (!(mostMb <= LIMIT_MB)) faults.push(`${mostMb} MB at the most, over ${LIMIT_MB}`);
  on.steps.push({
    what: `at saturation, ${CONNECTIONS} connections, ${MEMORIES} Memories, ${1 + rounds} rounds: ${mostMb} MB resident at the most (${atStartMb} at its start); the first round: ${first.join(', ')}`,
    ...(faults.length ? { fault: faults.join('\n    ') } : {}),
  });
  if (free)
    on.steps.push({
      what: `requests a second with the image’s flags ÷ under V8’s own limits (${most(free)} MB at the most), ${rounds} rounds in turn, the median and from the least to the most: ${[...ratios].map(([name, all]) => `${name} ${spread(all)}`).join(', ')}`,
    });
  for (const server of [flagged, free]) server?.child.kill('SIGTERM');
}

async function answers(
  server: TreeInstance,
  { cookie }: Service,
  on: { name: string; address: string; amount: number; faults: string[] },
): Promise<Figures> {
  const job = { url: server.url + on.address, cookie, connections: CONNECTIONS, amount: on.amount };
  const { requestsPerSecond, p99Ms, errors } = await load(job);
  if (errors > 0) on.faults.push(`${on.name}: ${errors} requests failed`);
  return { requestsPerSecond, p99Ms, residentMb: residentMb(server.child) };
}

/** The most that it held of the machine's memory since its start, in MB. */
function most({ child }: TreeInstance): number {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Math.ceil(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024);
}

function spread(ratios: readonly number[]): string {
  const sorted = ratios.toSorted((a, b) => a - b);
  const said = (index: number) => (sorted[index] ?? Number.NaN).toFixed(2);
  return `${said(sorted.length >> 1)} (${said(0)} to ${said(sorted.length - 1)})`;
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
