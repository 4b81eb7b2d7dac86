import { percent, table } from '../report-table.ts';
import { STRANGER_KINDS, type StrangerBrand } from './brand.ts';
import type { StrangerResult } from './measure.ts';

/** What was measured while nobody had looked at any of it: the record, not a result. */
const BEFORE =
  'Before any of it was looked at (2026-11-27): first 86.2 %, among three 94.1 %, MRR@10 0.904; other forms 76.2 % first, figures and dates 84.8 %, prompts 83.3 %. Of the three brands whose misses were looked at first, 83.7 % and 0.884 then, 90.2 % and 0.933 now. Of the three others, 88.5 % and 0.924 then; what was mended for the former left that as it was, and what their own misses showed (« existe-t-il », « a lieu », « 60 euros ») makes it 89.6 % and 0.929.';

/** The section of the questions written by a stranger. */
export function writeStrangers(brands: readonly StrangerBrand[], results: readonly StrangerResult[]): string {
  const [ours] = results as [StrangerResult, ...StrangerResult[]];
  const questions = brands.flatMap(({ questions }) => questions);
  const memories = brands.reduce((sum, brand) => sum + brand.memories.length, 0);
  const kinds = STRANGER_KINDS.filter((kind) => ours.byKind[kind]);
  const missed = ours.missed.map(
    ({ space, q, place }) =>
      `« ${q} » (${space}, ${place === 0 ? 'not among the first ten' : `place ${place}`})`,
  );
  return `${questions.length} questions on ${memories} Memories of ${brands.length} brands of other kinds (${brands.map(({ space }) => space).join(', ')}), each searched alone: whole
sentences, follow-ups, typing errors, other forms and other words, figures, prompts (\`tests/eval/strangers/brands.ts\` says how they were written). A right answer is any Memory that a person would want.
${BEFORE}
A common word in a title counts for less than a rare one since (B-88): 89.9 % and 0.931 before. How much less was chosen on these very questions, of 16 variants (89.9 to 92.6 %), so that gain is none on
questions nobody had seen; the known items and those held out did not move with any of them. Among what is left are other words (« bicyclette ») and quantities in other units. Of ${ours.unanswered.asked} questions that nothing answers, ${ours.unanswered.silent} find nothing: the others find what is nearest, and the words that no Memory holds are told (B-274).
Not first with Atelier: ${missed.join('; ') || 'none'}.

${table(
  [
    'kind (questions)',
    'first',
    'among three',
    'MRR@10',
    ...results.slice(1).map(({ name }) => `MRR@10 of ${name}`),
  ],
  [
    ...kinds.map((kind) => [
      `${kind} (${questions.filter(([one]) => one === kind).length})`,
      percent(ours.byKind[kind]?.first ?? 0),
      percent(ours.byKind[kind]?.three ?? 0),
      ...results.map(({ byKind }) => (byKind[kind]?.mrr10 ?? 0).toFixed(3)),
    ]),
    [
      '**all that have an answer**',
      `**${percent(ours.first)}**`,
      `**${percent(ours.three)}**`,
      ...results.map(({ mrr10 }) => `**${mrr10.toFixed(3)}**`),
    ],
  ],
)}`;
}
