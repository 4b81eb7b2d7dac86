import { type Load, load } from './load.ts';
import type { BenchSetting } from './setting.ts';

type RouteRow = {
  name: string;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  errors: number;
  /** Throughput over the bare handler's, measured just before and after; median of the rounds. */
  ratio: number;
};

const CONCURRENCY = 16;

/**
 * Each read endpoint beside a bare route handler that returns a constant: same server, same load, one after the other in
 * every round, so that a ratio compares two moments a few seconds apart.
 */
export async function benchRoutes(
  baseUrl: string,
  setting: BenchSetting,
  options: { rounds?: number; seconds?: number } = {},
): Promise<RouteRow[]> {
  const { spaceId, keys } = setting;
  const targets = [
    { name: 'GET /spaces', url: '/api/v1/spaces' },
    { name: 'GET /spaces/{id} (100 Memories)', url: `/api/v1/spaces/${spaceId}` },
    { name: 'GET /spaces/{id}/context (100 Memories)', url: `/api/v1/spaces/${spaceId}/context` },
    { name: 'GET /search', url: '/api/v1/search?q=lumi%C3%A8re%20chaude' },
    { name: 'GET /search, never asked before', url: '/api/v1/search?q=lumi%C3%A8re%20chaude%20%7Bn%7D' },
    { name: 'GET /quota', url: '/api/v1/quota' },
    { name: 'GET /projects', url: '/api/v1/projects' },
  ];
  const rounds = options.rounds ?? 3;
  const seconds = options.seconds ?? 4;
  const run = (url: string) => load({ url: baseUrl + url, keys, seconds, connections: CONCURRENCY });
  await run('/api/dev/constant');
  const bare: Load[] = [];
  const measured = new Map<string, { load: Load; ratio: number }[]>();
  for (let round = 0; round < rounds; round += 1) {
    let before = await run('/api/dev/constant');
    for (const { name, url } of targets) {
      const result = await run(url);
      const after = await run('/api/dev/constant');
      const beside = (before.requestsPerSecond + after.requestsPerSecond) / 2;
      measured.set(name, [
        ...(measured.get(name) ?? []),
        { load: result, ratio: result.requestsPerSecond / beside },
      ]);
      bare.push(before);
      before = after;
    }
  }
  const rows = targets.map(({ name }) => {
    const sorted = (measured.get(name) ?? []).sort((a, b) => a.ratio - b.ratio);
    const middle = sorted[Math.floor(sorted.length / 2)];
    if (!middle) throw new Error('no round was measured');
    return {
      name,
      ...middle.load,
      errors: sorted.reduce((sum, one) => sum + one.load.errors, 0),
      ratio: middle.ratio,
    };
  });
  const typical = bare.sort((a, b) => a.requestsPerSecond - b.requestsPerSecond)[
    Math.floor(bare.length / 2)
  ] as Load;
  return [{ name: 'bare handler', ...typical, ratio: 1 }, ...rows];
}
