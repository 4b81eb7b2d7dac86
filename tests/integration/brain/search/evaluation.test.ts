import { expect, test } from 'vitest';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import type { ConversationSet } from '#tests/eval/conversations.ts';
import { type EvaluationSize, evaluate, WHOLE } from '#tests/eval/evaluate.ts';
import { createTestDatabase } from '#tests/setup/database.ts';

const oneIn = <T>(share: number, values: readonly T[]): T[] => values.filter((_, i) => i % share === 0);

function part({ conversations, questions, ...set }: ConversationSet): ConversationSet {
  const some = conversations.slice(0, 16);
  const ids = new Set(some.map(({ id }) => id));
  return {
    ...set,
    conversations: some,
    questions: questions.filter(({ conversation }) => ids.has(conversation)),
  };
}

/** A little of everything that `npm run eval` asks. */
const LITTLE: EvaluationSize = {
  sizes: [120, 300],
  queries: 40,
  knownItems: oneIn(16, WHOLE.knownItems),
  heldOutItems: oneIn(24, WHOLE.heldOutItems),
  strangers: WHOLE.strangers.slice(0, 1),
  sets: WHOLE.sets.map(part),
  peers: {
    miniSearch: WHOLE.peers.miniSearch.filter(({ boost, stop, fuzzy }) => boost === 2 && stop && fuzzy === 0),
    orama: WHOLE.peers.orama.filter(
      ({ boost, stop, stemmed, tolerance }) => boost === 2 && stop && !stemmed && tolerance === 0,
    ),
  },
};

async function written(): Promise<string> {
  const database = await createTestDatabase();
  const connection = connect({
    url: database.url,
    poolMax: 4,
    preparedStatements: preparedBy(process.env),
  });
  try {
    return await evaluate(connection, LITTLE);
  } finally {
    await connection.close();
    await database.drop();
  }
}

test('the evaluation writes the same bytes each time, in another database', async () => {
  const first = await written();
  expect(await written()).toBe(first);
  // It says something of every part, and search gives what a scan gives.
  for (const { length } of [LITTLE.knownItems, LITTLE.heldOutItems])
    expect(first).toMatch(new RegExp(`\\b${length} (?:more )?queries`));
  expect(first).toContain(`${LITTLE.strangers[0]?.questions.length} questions on`);
  expect(first.match(/^\| (?:120|300) \| 40 \| \d+ \| 100\.0 % \|$/gm)).toHaveLength(2);
  expect(first).toMatch(/^\| focused context \| \d/m);
});
