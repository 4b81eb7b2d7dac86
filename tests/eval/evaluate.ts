import type { Connection } from '#lib/db/connection.ts';
import { CONVERSATION_SETS, type ConversationSet } from './conversations.ts';
import { compareEvidence } from './evidence.ts';
import { compareWithScan } from './exactness.ts';
import { HELD_OUT_ITEMS } from './held-out-items.ts';
import { compareKnownItems, peersOnCorpus, searchKnownItems } from './known-item-table.ts';
import { KNOWN_ITEMS, type KnownItem } from './known-items.ts';
import { EVERY_PEER, type PeerSettings } from './peers.ts';
import { writeReport } from './report.ts';
import type { StrangerBrand } from './strangers/brand.ts';
import { STRANGER_BRANDS } from './strangers/brands.ts';
import { compareStrangers } from './strangers/measure.ts';

/** What is asked of what: all of it, or a part that a test can afford. */
export type EvaluationSize = {
  /** Memories of each account that is compared with a scan. */
  sizes: readonly number[];
  /** Queries of each. */
  queries: number;
  knownItems: readonly KnownItem[];
  heldOutItems: readonly KnownItem[];
  strangers: readonly StrangerBrand[];
  sets: readonly ConversationSet[];
  peers: PeerSettings;
};

/** What `npm run eval` reports. */
export const WHOLE: EvaluationSize = {
  sizes: [1_000, 10_000, 100_000],
  queries: 500,
  knownItems: KNOWN_ITEMS,
  heldOutItems: HELD_OUT_ITEMS,
  strangers: STRANGER_BRANDS,
  sets: CONVERSATION_SETS,
  peers: EVERY_PEER,
};

/** The parts of the evaluation: each is measured on its own, on data that it makes. */
export function partsOf(connection: Connection, size: EvaluationSize) {
  const scans = size.sizes.map((memories) => ({
    name: `scan-${memories}`,
    measure: () => compareWithScan(connection, memories, size.queries),
  }));
  return {
    items: {
      name: 'known-items',
      measure: async () => {
        const search = await searchKnownItems(connection);
        const peers = await peersOnCorpus(size.peers);
        return {
          knownItems: await compareKnownItems(search, size.knownItems, peers),
          heldOutItems: await compareKnownItems(search, size.heldOutItems, peers),
        };
      },
    },
    strangers: { name: 'strangers', measure: () => compareStrangers(size.strangers, size.peers) },
    questions: { name: 'questions', measure: () => compareEvidence(connection, size.sets, size.peers) },
    scans,
  };
}

export type Part<T> = { name: string; measure: () => Promise<T> };

/** The page of the evaluation, in an empty database: the same bytes each time. `take` measures a part, or gives what was kept of it. */
export async function evaluate(
  connection: Connection,
  size: EvaluationSize,
  take: <T>(part: Part<T>) => Promise<T> = ({ measure }) => measure(),
): Promise<string> {
  const { items, strangers: asked, questions, scans } = partsOf(connection, size);
  const { knownItems, heldOutItems } = await take(items);
  const strangers = await take(asked);
  const evidence = await take(questions);
  const exactness = [];
  for (const scan of scans) exactness.push(await take(scan));
  return writeReport(size, { exactness, knownItems, heldOutItems, strangers, evidence });
}
