import { expect, test } from 'vitest';
import { parseQuery } from '#lib/brain/search/matching/query.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import { connect } from '#lib/db/connection.ts';
import { preparedBy } from '#lib/db/pool.ts';
import { updatedAtOf } from '#tests/bench/search-fr/evaluate.ts';
import { makeEvalAccount } from '#tests/eval/account.ts';
import { ExhaustiveScorer } from '#tests/eval/exhaustive.ts';
import { STRANGER_BRANDS } from '#tests/eval/strangers/brands.ts';
import { createTestDatabase } from '#tests/setup/database.ts';

/** What the index has to look for elsewhere than where a word begins: numbers, dates and references in their other spellings. */
const OTHER_SPELLINGS = [
  '300 abonnés',
  'trois cents clients',
  'vingt-quatrième boutique',
  '24ème boutique',
  'huit bars',
  'pression 8',
  'deux mille vingt-six',
  '15/05/2026',
  'le 11/02',
  'janvier 2027',
  '24 novembre 2026',
  '1140080X',
  '114-0080-X',
  '9002213',
  '0545008080',
  'garantie de 24 mois',
  'un sac de 25 g',
  'sous 48h',
  'deux jours',
  '30min',
  'rdv',
  'service après-vente',
  'numéro 12',
  'n° 3',
  'Mme',
  '10 heures',
  'dix heures trente',
  '+33 5 45 00 80 80',
];

test('a stranger’s questions, and numbers, dates and references in their other spellings, get from the index exactly what scoring every Memory gives', async () => {
  const documents = STRANGER_BRANDS.flatMap(({ memories }, nth) =>
    memories.map(([key, , title, body], i) => ({
      id: `mem_${nth}_${key}`,
      title,
      body,
      updatedAt: updatedAtOf(nth * 100 + i),
    })),
  );
  const database = await createTestDatabase();
  const connection = connect({
    url: database.url,
    poolMax: 4,
    preparedStatements: preparedBy(process.env),
  });
  try {
    const { ctx } = await makeEvalAccount(connection, 'Xylo', documents);
    const scorer = new ExhaustiveScorer(documents);
    const asked = STRANGER_BRANDS.flatMap(({ questions }) => questions.map(([, q]) => q));
    const told = (id: string, score: number) => `${id} ${score}`;
    let found = 0;
    for (const q of [...asked, ...OTHER_SPELLINGS]) {
      const expected = scorer.rank(parseQuery(q), undefined, 10);
      const { data } = await searchMemories(ctx, { q, limit: 10 });
      expect(
        data.map(({ memoryId, score }) => told(memoryId, score)),
        q,
      ).toEqual(expected.map(({ document, score }) => told(document.id, score)));
      if (expected.length > 0) found++;
    }
    expect(found).toBeGreaterThan(asked.length * 0.9);
  } finally {
    await connection.close();
    await database.drop();
  }
});
