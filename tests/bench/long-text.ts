import { addMemory } from '#lib/brain/memories/add-memory.ts';
import { indexPending } from '#lib/brain/search/index/maintain.ts';
import { connect } from '#lib/db/connection.ts';
import { longestHold } from '#tests/factories/watching/held-loop.ts';
import type { Table } from './figures/report.ts';
import { makeSetting } from './setting.ts';

type LongText = { text: string; written: number[]; indexed: number[]; heldMs: number };

const TIMES = 20;
const BYTES = 128 * 1024;

const round = (value = Number.NaN) => Number(value.toPrecision(3));

/** As long as a body may be, and no word twice; another text each time. */
function distinctWords(nth: number): string {
  const words: string[] = [];
  for (let i = 0, length = 0; length < BYTES - 12; i++) {
    const word = (i * 7_919 + 100_003 + nth * 1_000_003).toString(36);
    words.push(word);
    length += word.length + 1;
  }
  return words.join(' ');
}

/** The longest text that is legal, beside a short one: written through the verb, then put in the index; milliseconds of each, in order, and how long the loop was held. */
export async function benchLongText(options: { databaseUrl: string }): Promise<Table> {
  const connection = connect({ url: options.databaseUrl, poolMax: 4 });
  try {
    const rows: LongText[] = [];
    for (const [text, body] of [
      ['one sentence', (nth: number) => `Une lumière chaude, posée là où l’on vit, ${nth}.`],
      ['128 KiB of distinct words', distinctWords],
    ] as const) {
      const { ctx, accountId, spaceId } = await makeSetting(connection, { keys: 0, memories: 0 });
      const row: LongText = { text, written: [], indexed: [], heldMs: 0 };
      for (let nth = 0; nth < TIMES; nth++) {
        const memory = { spaceId, pillar: 'KNOWLEDGE' as const, title: `Texte ${nth}`, body: body(nth) };
        const { heldMs } = await longestHold(async () => {
          const from = performance.now();
          await addMemory(ctx, { ...memory, parentId: null, source: 'API', idempotencyKey: null });
          const between = performance.now();
          await indexPending(ctx, { accountId, everything: true });
          row.written.push(between - from);
          row.indexed.push(performance.now() - between);
        });
        row.heldMs = Math.max(row.heldMs, heldMs);
      }
      for (const times of [row.written, row.indexed]) times.sort((a, b) => a - b);
      rows.push(row);
    }
    return {
      name: 'long-text',
      title: 'The longest Memory, written and put in the index',
      targets: ['128 KiB of distinct words: written in 300 ms, the loop held for less than 50'],
      notes: [
        `${TIMES} times each; a Memory is found before it is in the index`,
        '"held": the longest that the process blocked its event loop, in its own processor time',
      ],
      rows: rows.map(({ text, written, indexed, heldMs }) => ({
        text,
        'written p50 ms': round(written[TIMES >> 1]),
        'slowest ms': round(written.at(-1)),
        'indexed p50 ms': round(indexed[TIMES >> 1]),
        'slowest indexed ms': round(indexed.at(-1)),
        'held ms': round(heldMs),
      })),
    };
  } finally {
    await connection.close();
  }
}
