import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { connect } from '#lib/db/connection.ts';
import { makeSetting } from './setting.ts';

type WriteRow = { writers: number; memoriesPerSecond: number; p50Ms: number; p99Ms: number };

const PER_RUN = 1_200;
const BODY = 'Une lumière chaude, posée là où l’on vit, que l’on règle d’un geste. '.repeat(10);

/** Memories added per second through the verb, durable on disk, by one writer and by 32 on the same account. */
export async function benchWrites(options: {
  databaseUrl: string;
}): Promise<{ rows: WriteRow[]; speedup: number }> {
  const connection = connect({ url: options.databaseUrl, poolMax: 32 });
  try {
    const setting = await makeSetting(connection, { keys: 1, memories: 0 });
    await measure(setting, 4, 200);
    const rows = [];
    for (const writers of [1, 32]) rows.push(await measure(setting, writers, PER_RUN));
    const [one, many] = rows as [WriteRow, WriteRow];
    return { rows, speedup: many.memoriesPerSecond / one.memoriesPerSecond };
  } finally {
    await connection.close();
  }
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
        idempotencyKey: `banc-${writers}-${total}-${left}`,
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
