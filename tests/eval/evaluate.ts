import type { Connection } from '#lib/db/connection.ts';
import { CONVERSATION_SETS, type ConversationSet } from './conversations.ts';
import { compareEvidence } from './evidence.ts';
import { compareWithScan } from './exactness.ts';
import { HELD_OUT_ITEMS } from './held-out-items.ts';
import { compareKnownItems, searchKnownItems } from './known-item-table.ts';
import { KNOWN_ITEMS, type KnownItem } from './known-items.ts';
import { EVERY_PEER, type PeerSettings } from './peers.ts';
import { writeReport } from './report.ts';

/** What is asked of what: all of it, or a part that a test can afford. */
export type EvaluationSize = {
  /** Memories of each account that is compared with a scan. */
  sizes: readonly number[];
  /** Queries of each. */
  queries: number;
  knownItems: readonly KnownItem[];
  heldOutItems: readonly KnownItem[];
  sets: readonly ConversationSet[];
  peers: PeerSettings;
};

/** What `npm run eval` reports. */
export const WHOLE: EvaluationSize = {
  sizes: [1_000, 10_000, 100_000],
  queries: 500,
  knownItems: KNOWN_ITEMS,
  heldOutItems: HELD_OUT_ITEMS,
  sets: CONVERSATION_SETS,
  peers: EVERY_PEER,
};

/** The page of the evaluation, on data that it makes in an empty database: the same bytes each time. `say` is told how far it is. */
export async function evaluate(
  connection: Connection,
  size: EvaluationSize,
  say: (step: string) => void = () => {},
): Promise<string> {
  say('known items');
  const search = await searchKnownItems(connection);
  const knownItems = await compareKnownItems(search, size.knownItems, size.peers);
  const heldOutItems = await compareKnownItems(search, size.heldOutItems, size.peers);
  say('questions over conversations');
  const evidence = await compareEvidence(connection, size.sets, size.peers);
  const exactness = [];
  for (const memories of size.sizes) {
    say(`${memories} Memories against a scan`);
    exactness.push(await compareWithScan(connection, memories, size.queries));
  }
  return writeReport(size, { exactness, knownItems, heldOutItems, evidence });
}
