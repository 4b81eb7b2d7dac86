import { CORPUS } from '#tests/bench/search-fr/corpus.ts';
import type { EvaluationSize } from './evaluate.ts';
import { BUDGETS, type EvidenceResult } from './evidence.ts';
import type { ExactnessRow } from './exactness.ts';
import { HELD_OUT_KINDS } from './held-out-items.ts';
import type { KnownItemResult } from './known-item-table.ts';
import { ITEM_KINDS, type KnownItem } from './known-items.ts';
import { percent, table } from './report-table.ts';
import type { StrangerResult } from './strangers/measure.ts';
import { writeStrangers } from './strangers/write-strangers.ts';

/** Of which peers focused context is ahead at every budget, and of which it is not. */
function compareFocused(results: readonly EvidenceResult[]): string {
  const focused = results.find(({ name }) => name === 'focused context');
  const peers = results.filter(({ name }) => /^(MiniSearch|Orama)/.test(name));
  if (!focused) return '';
  const isBehind = (peer: EvidenceResult) => peer.held.some((share, i) => share >= (focused.held[i] ?? 0));
  const said = (list: readonly EvidenceResult[]) => list.map(({ name }) => name).join('; ') || 'none';
  return `- Focused context is ahead, at every budget, of: ${said(peers.filter((peer) => !isBehind(peer)))}.\n- Not of: ${said(peers.filter(isBehind))}.`;
}

/** The table of the questions over conversations. */
export function writeEvidence(results: readonly EvidenceResult[]): string {
  return table(
    ['', 'recall@10', ...BUDGETS.map((budget) => `held in ${budget.toLocaleString('en')}`)],
    results.map(({ name, recall10, held }) => [
      name,
      recall10 === null ? '' : percent(recall10),
      ...held.map(percent),
    ]),
  );
}

/** Where we stand beside the peers, and the table by class. */
function writeKnownItems(
  results: readonly KnownItemResult[],
  items: readonly KnownItem[],
  kinds: readonly string[],
): string {
  const [ours, ...peers] = results as [KnownItemResult, ...KnownItemResult[]];
  const of = (one: KnownItemResult, kind: string) => one.byKind[kind] ?? 0;
  const best = (kind: string) => Math.max(...peers.map((peer) => of(peer, kind)));
  const those = (test: (kind: string) => boolean) => kinds.filter(test).join(', ') || 'none';
  const hasRoom = (kind: string) => of(ours, kind) < 1;
  return `- Ahead of every peer: ${those((kind) => of(ours, kind) > best(kind))}.
- Level, both perfect (no one can be ahead): ${those((kind) => of(ours, kind) === best(kind) && !hasRoom(kind))}.
- Level, not perfect: ${those((kind) => of(ours, kind) === best(kind) && hasRoom(kind))}.
- Behind: ${those((kind) => of(ours, kind) < best(kind))}.
- Not first with Atelier: ${
    ours.missed
      .map(
        ({ q, kind, place }) =>
          `"${q}" (${kind}, ${place === 0 ? 'not among the first ten' : `place ${place}`})`,
      )
      .join('; ') || 'none'
  }.

${table(
  ['class (queries)', ...results.map(({ name }) => name)],
  [
    ...kinds.map((kind) => [
      `${kind} (${items.filter((item) => item.kind === kind).length})`,
      ...results.map((one) => of(one, kind).toFixed(3)),
    ]),
    ['**MRR@10, negatives apart**', ...results.map(({ mrr10 }) => `**${mrr10.toFixed(3)}**`)],
    ['first result right', ...results.map(({ success1 }) => percent(success1))],
  ],
)}`;
}

/** The page of the evaluation. */
export function writeReport(
  { knownItems, heldOutItems, strangers, sets }: EvaluationSize,
  results: {
    exactness: readonly ExactnessRow[];
    knownItems: readonly KnownItemResult[];
    heldOutItems: readonly KnownItemResult[];
    strangers: readonly StrangerResult[];
    evidence: readonly EvidenceResult[];
  },
): string {
  const conversations = sets.reduce((sum, set) => sum + set.conversations.length, 0);
  const questions = sets.reduce((sum, set) => sum + set.questions.length, 0);
  const characters = sets.flatMap((set) => set.conversations).reduce((sum, { body }) => sum + body.length, 0);
  return `# Retrieval

This page measures the quality of search and of context. It is written by \`npm run eval\`, which generates its own data from fixed seeds and needs no network.

- No time is measured here. Speed of search: [benchmarks.md](benchmarks.md). How search works: [decision 13](decisions/0013-search.md).
- "Peers" are two search libraries, MiniSearch and Orama. Each runs with the best of the settings in \`tests/eval/peers.ts\`, and with our text folding.
- MRR@10 is the mean reciprocal rank of the expected Memory among the first ten results. For negatives (queries without an answer) it is the share that rightly finds nothing.

## Search against scoring everything

For every query, the oracle (\`tests/eval/exhaustive.ts\`) scores every Memory from its text, while search uses its index. A query counts as identical when both give the same first ten
Memories, in the same order, with the same scores. Words are drawn by Zipf’s law. One query in eight has two letters swapped.

${table(
  ['Memories', 'queries', 'with results', 'first ten identical'],
  results.exactness.map(({ memories, queries, found, identical }) => [
    memories.toLocaleString('en'),
    String(queries),
    String(found),
    percent(identical / queries),
  ]),
)}

## Known items, in French

${knownItems.length} queries on the ${CORPUS.length} Memories of one brand, half of them written by hand. The ranking was tuned on these queries, and each peer has the setting that does best on them.

The figures are MRR@10. No Memory contains "jeu d’ombres" as a whole. "jeu", the rarer word, ranks before "ombres", with MiniSearch too; nothing in the texts says that the other was meant.

${writeKnownItems(results.knownItems, knownItems, ITEM_KINDS)}

### Held out

${heldOutItems.length} more queries, drawn by rule (\`tests/eval/held-out-items.ts\`) after the ranking was settled. Nothing was tuned on them; a draw that had been looked at was replaced by this one. The expected result is any
Memory that contains all that was typed, where one to three Memories do.

${writeKnownItems(results.heldOutItems, heldOutItems, HELD_OUT_KINDS)}

### Asked by a stranger

${writeStrangers(strangers, results.strangers)}

## Questions over long conversations

${questions} questions, half in French and half in English, over ${conversations} conversations of ${Math.round(characters / conversations).toLocaleString('en')} characters on average, in two Spaces.

- **Questions.** Each is answered by one turn of a conversation. The same people, things and words are mentioned everywhere.
- **Hard cases.** Some questions share only a name with their turn ("Quel loisir pratique…" for "s’est mise à la reliure"). Others are matched word for word by a turn that does not
  answer them. Words alone do not tell those apart.
- **Held-out data.** Conversations and questions come from seeds that were not looked at while the ranking was tuned; two other seeds were used for that (\`npm run eval -- --tune\`).
  All seeds draw from the same phrases, so the draw is held out, not the style.
- **Recall@10**: the conversation is among the first ten results (for focused context: among the first ten that it gives room to).
- **Held in N**: the whole turn is in a text of N characters. Peers fill the text with their results, best first. "By turn": each turn is a document of its own.

${compareFocused(results.evidence)}

${writeEvidence(results.evidence)}
`;
}
