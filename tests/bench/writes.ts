import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { connect } from '#lib/db/connection.ts';
import { median } from './figures/median.ts';
import { makeSetting } from './setting.ts';

type WriteRow = { writers: number; memoriesPerSecond: number; p50Ms: number; p99Ms: number };

const PER_RUN = 800;
const ROUNDS = 5;
/** What an account of some age holds. In an empty database every statement keeps the plan that suits an empty table, and each addition is slower than the last. */
const HELD = 2_000;
const BODY = 'Une lumière chaude, posée là où l’on vit, que l’on règle d’un geste. '.repeat(10);

/** Memories added per second through the verb, durable on disk, by one writer and by 32 on the same account, in turn: medians of the rounds. */
export async function benchWrites(options: {
  databaseUrl: string;
}): Promise<{ rows: WriteRow[]; speedup: number }> {
  const connection = connect({ url: options.databaseUrl, poolMax: 32 });
  try {
    const setting = await makeSetting(connection, { keys: 1, memories: HELD });
    await connection.pool.query('analyze');
    await measure(setting, 4, 200);
    const one: WriteRow[] = [];
    const many: WriteRow[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      one.push(await measure(setting, 1, PER_RUN));
      many.push(await measure(setting, 32, PER_RUN));
    }
    const speedups = many.map((row, round) => row.memoriesPerSecond / (one[round]?.memoriesPerSecond ?? 0));
    return { rows: [middle(one), middle(many)], speedup: median(speedups) };
  } finally {
    await connection.close();
  }
}

function middle(rows: WriteRow[]): WriteRow {
  const of = (name: keyof WriteRow) => median(rows.map((row) => row[name]));
  return {
    writers: of('writers'),
    memoriesPerSecond: of('memoriesPerSecond'),
    p50Ms: of('p50Ms'),
    p99Ms: of('p99Ms'),
  };
}

async function measure(
  setting: Awaited<ReturnType<typeof makeSetting>>,
  writers: number,
  total: number,
): Promise<WriteRow> {
  let left = total;
  const times: number[] = [];
  const beganAt = performance.now();
  const write = async () => {
    for (; left > 0; ) {
      left -= 1;
      const at = performance.now();
      await addMemory(setting.ctx, {
        spaceId: setting.spaceId,
        pillar: 'KNOWLEDGE',
        title: `Ajout ${left}`,
        body: BODY,
        parentId: null,
        source: 'API',
        idempotencyKey: `banc-${writers}-${beganAt}-${left}`,
      });
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
  const seconds = (performance.now() - beganAt) / 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  return { writers, memoriesPerSecond: times.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}
