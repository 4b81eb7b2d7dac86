import { expect, test } from 'vitest';
import { readsLeft, readsTip } from '#app/_ui/shell/read-words.ts';

const resetsAt = new Date('2026-12-01T00:00:00Z');
const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
const tip = (used: number, total: number) => plain(readsTip({ used, total, resetsAt }));
const left = (used: number, total: number, contractual = true) =>
  plain(readsLeft({ used, total, resetsAt }, contractual));

test('the reads of a month are told with words that agree, of one as of many', () => {
  expect([tip(0, 1), tip(1, 1), tip(2, 1_000)]).toEqual([
    '0 lecture sur 1 ce mois-ci (0 %)\nRenouvelée le 1er décembre 2026 à 0 h UTC',
    '1 lecture sur 1 ce mois-ci (100 %)\nRenouvelée le 1er décembre 2026 à 0 h UTC',
    '2 lectures sur 1 000 ce mois-ci (0 %)\nRenouvelées le 1er décembre 2026 à 0 h UTC',
  ]);
  expect([left(0, 1), left(1, 1), left(990, 1_000), left(999, 1_000, false)]).toEqual([
    'Reste 1 lecture. Renouvelée le 1er décembre 2026 à 0 h UTC.',
    'Quota épuisé : programmes et assistants attendent le renouvellement. Renouvelée le 1er décembre 2026 à 0 h UTC.',
    'Reste 10 lectures. Renouvelées le 1er décembre 2026 à 0 h UTC.',
    'Reste 1 lecture. Renouvelées le 1er décembre 2026 à 0 h UTC. Dix lectures par CU de capacité.',
  ]);
});

test('a month that includes no read is not said to be used up, nor to be renewed, whatever was read of it before', () => {
  for (const used of [0, 7]) {
    expect(tip(used, 0)).toBe('Aucune lecture n’est comprise dans ce compte');
    expect(left(used, 0)).toBe(
      'Aucune lecture n’est comprise dans ce compte : programmes et assistants n’y lisent rien.',
    );
    expect(left(used, 0, false)).toMatch(/n’y lisent rien\. Dix lectures par CU de capacité\.$/);
  }
});

test('more reads than the month includes, since it was lowered, leave none', () => {
  expect(tip(30, 20)).toContain('30 lectures sur 20 ce mois-ci (100 %)');
  expect(left(30, 20)).toMatch(/^Quota épuisé : /);
});
