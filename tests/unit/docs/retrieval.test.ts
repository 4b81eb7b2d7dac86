import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { CONVERSATION_SETS } from '#tests/eval/conversations.ts';
import { KNOWN_ITEMS } from '#tests/eval/known-items.ts';

const page = readFileSync('docs/retrieval.md', 'utf8');

/** The rows of the table under a heading, by their first cell. */
function tableOf(heading: string): Map<string, string[]> {
  const [, section = ''] = page.split(`${heading}\n`);
  const [first = ''] = section.split(/\n##+ /);
  const rows = first.split('\n').filter((line) => line.startsWith('| '));
  return new Map(
    rows.map((line) => {
      const [name = '', ...cells] = line.slice(2, -2).split(' | ');
      return [name.replaceAll('**', ''), cells.map((cell) => cell.replaceAll('**', ''))];
    }),
  );
}

/** The classes that search is judged by; of those drawn by rule, the ones with a kind of their own there. */
const JUDGED = [
  'accents',
  'prefix',
  'five-word phrase',
  'rare words shuffled',
  'one typing error',
  'question',
];
const JUDGED_HELD_OUT = ['accents', 'prefix', 'five-word phrase', 'one typing error'];

const numberOf = (cell: string | undefined) => Number.parseFloat((cell ?? '').replaceAll(',', ''));

describe('what `npm run eval` wrote last', () => {
  test('the first ten are those of scoring everything, at three sizes, in 99.5 % of 500 queries', () => {
    const rows = tableOf('## Search against scoring everything');
    for (const size of ['1,000', '10,000', '100,000']) {
      const [queries, , identical] = rows.get(size) ?? [];
      expect(numberOf(queries)).toBe(500);
      expect(numberOf(identical)).toBeGreaterThanOrEqual(99.5);
    }
  });

  test.each([
    ['## Known items, in French', JUDGED],
    ['### Held out', JUDGED_HELD_OUT],
  ])(
    '%s: no peer is ahead in any class, nor level in a class that search is judged by but where both are perfect; MRR@10 is .95 at least',
    (heading, judged) => {
      const rows = tableOf(heading);
      const classes = [...rows].filter(([name]) => /\(\d+\)$/.test(name));
      expect(classes.length).toBeGreaterThan(8);
      const level: string[] = [];
      for (const [name, cells] of classes) {
        const [ours = 0, ...peers] = cells.map(numberOf);
        expect(peers).toHaveLength(2);
        const best = Math.max(...peers);
        expect(ours, name).toBeGreaterThanOrEqual(best);
        if (ours < 1 && best === ours) level.push(name.replace(/ \(\d+\)$/, ''));
      }
      const names = classes.map(([name]) => name.replace(/ \(\d+\)$/, ''));
      expect(names).toEqual(expect.arrayContaining(judged));
      expect(level.filter((name) => judged.includes(name))).toEqual([]);
      expect(numberOf(rows.get('MRR@10, negatives apart')?.[0])).toBeGreaterThanOrEqual(0.95);
    },
  );

  test('at each budget focused context holds more of the evidence than any peer', () => {
    const rows = tableOf('## Questions over long conversations');
    const heldBy = (name: string) => (rows.get(name) ?? []).slice(1).map(numberOf);
    const focused = heldBy('focused context');
    expect(focused).toHaveLength(3);
    const peers = [...rows.keys()].filter((name) => /^(MiniSearch|Orama)/.test(name));
    expect(peers.length).toBeGreaterThanOrEqual(2);
    for (const peer of peers)
      for (const [budget, held] of heldBy(peer).entries())
        expect(focused[budget], peer).toBeGreaterThan(held);
  });
});

describe('what it asks', () => {
  test('400 known items, those of the classes that search is judged by among them', () => {
    expect(KNOWN_ITEMS).toHaveLength(400);
    const kinds = new Set(KNOWN_ITEMS.map(({ kind }) => kind));
    for (const kind of JUDGED) expect(kinds).toContain(kind);
  });

  test('300 questions at least, French and English, each with its evidence whole in the conversation that answers', () => {
    const questions = CONVERSATION_SETS.flatMap(({ questions }) => questions);
    expect(questions.length).toBeGreaterThanOrEqual(300);
    expect(new Set(questions.map(({ language }) => language))).toEqual(new Set(['fr', 'en']));
    for (const { conversations, questions } of CONVERSATION_SETS) {
      const bodies = new Map(conversations.map(({ id, body }) => [id, body]));
      for (const { conversation, evidence } of questions)
        expect(bodies.get(conversation)).toContain(evidence);
    }
  });
});
