import { getContext } from '#lib/brain/context/get-context.ts';
import { sentencesIn } from '#lib/brain/context/rank-answers.ts';
import type { ContextPayload } from '#lib/brain/context/types.ts';
import { rankMemories } from '#lib/brain/search/rank-memories.ts';
import { searchMemories } from '#lib/brain/search/search-memories.ts';
import type { Connection } from '#lib/db/connection.ts';
import { type EvalAccount, makeEvalAccount } from './account.ts';
import type { Conversation, ConversationSet, Question } from './conversations.ts';
import { miniSearch, nameSettings, orama, type Peer, type PeerDocument, type PeerSettings } from './peers.ts';

export const BUDGETS = [2_000, 4_000, 8_000] as const;

export type EvidenceResult = {
  name: string;
  /** Share of the questions whose conversation is among the first ten; null for what ranks nothing. */
  recall10: number | null;
  /** Share of the questions whose evidence is whole in a text of each budget. */
  held: number[];
};

/** What answers a question: conversations in order, and a text of a budget. */
type System = {
  name: string;
  rank: ((question: Question) => Promise<string[]>) | null;
  read(question: Question, budget: number): Promise<string>;
};

type Setting = { set: ConversationSet; account: EvalAccount };

async function measure(
  systems: readonly { set: ConversationSet; system: System }[],
): Promise<EvidenceResult> {
  let questions = 0;
  let ranked = 0;
  const held = BUDGETS.map(() => 0);
  for (const { set, system } of systems)
    for (const question of set.questions) {
      questions++;
      if (system.rank && (await system.rank(question)).slice(0, 10).includes(question.conversation)) ranked++;
      for (const [i, budget] of BUDGETS.entries()) {
        const text = await system.read(question, budget);
        if (text.length > budget)
          throw new Error(`a text of ${text.length} characters for a budget of ${budget}`);
        if (text.includes(question.evidence)) held[i] = (held[i] as number) + 1;
      }
    }
  const first = systems[0]?.system as System;
  return {
    name: first.name,
    recall10: first.rank ? ranked / questions : null,
    held: held.map((count) => count / questions),
  };
}

/** Whole texts one after the other, cut at the budget: what one does with the results of a search. */
function fillBudget(texts: readonly string[], budget: number): string {
  return texts.join('\n\n').slice(0, budget);
}

const textOf = ({ title, body }: Conversation) => `${title}\n${body}`;

async function contextOf({ account }: Setting, maxChars: number, q?: string): Promise<string> {
  const input = { spaceId: account.spaceId, maxChars, ...(q === undefined ? {} : { q }) };
  const { json } = await getContext(account.ctx, input);
  return (JSON.parse((json as { text: string }).text) as ContextPayload).context;
}

function oursRank({ account }: Setting) {
  return async ({ q }: Question) => {
    const { data } = await searchMemories(account.ctx, { q, spaceId: account.spaceId, limit: 10 });
    return data.map(({ memoryId }) => memoryId);
  };
}

/** In the order in which a focused context gives room. */
function focusedRank({ set, account: { ctx, spaceId } }: Setting) {
  const sentences = sentencesIn(set.conversations);
  return async ({ q }: Question) => {
    const { ranked } = await rankMemories(ctx, { q, spaceId, sentences });
    return ranked.map(({ memoryId }) => memoryId);
  };
}

/** A peer that is asked each question once. */
function once(peer: Peer): Peer {
  const known = new Map<string, string[]>();
  return async (q, limit) => {
    const found = known.get(q) ?? (await peer(q, limit));
    known.set(q, found);
    return found;
  };
}

function peerSystem({ set }: Setting, name: string, asked: Peer): System {
  const peer = once(asked);
  const byId = new Map(set.conversations.map((one) => [one.id, textOf(one)]));
  return {
    name,
    rank: async ({ q }) => peer(q, 10),
    read: async ({ q }, budget) =>
      fillBudget(
        (await peer(q, 10)).map((id) => byId.get(id) as string),
        budget,
      ),
  };
}

/** Each turn of each conversation as a document of its own: the finest that a peer can be given. */
function turnsOf(set: ConversationSet) {
  return set.conversations.flatMap(({ id, title, body }) =>
    body.split('\n').map((turn, i) => ({ id: `${id}#${i}`, title, body: turn })),
  );
}

function turnSystem({ set }: Setting, name: string, asked: Peer): System {
  const peer = once(asked);
  const texts = new Map(turnsOf(set).map(({ id, title, body }) => [id, `${title}\n${body}`]));
  return {
    name,
    rank: async ({ q }) => [...new Set((await peer(q, 60)).map((id) => id.split('#')[0] as string))],
    read: async ({ q }, budget) =>
      fillBudget(
        (await peer(q, 60)).map((id) => texts.get(id) as string),
        budget,
      ),
  };
}

/** The best of several settings, by what the texts of all budgets hold, then by recall. */
function best(results: readonly EvidenceResult[]): EvidenceResult {
  const worth = ({ held, recall10 }: EvidenceResult) =>
    held.reduce((sum, one) => sum + one, 0) + (recall10 ?? 0) / 100;
  return results.reduce((a, b) => (worth(b) > worth(a) ? b : a));
}

/** Plain context, focused context, our results one after the other, and each peer's, whole and by turn, in the settings that serve it best of those tried: stop words, titles × 2, with and without stems and tolerance. */
export async function compareEvidence(
  connection: Connection,
  sets: readonly ConversationSet[],
  peers: PeerSettings,
): Promise<EvidenceResult[]> {
  const settings: Setting[] = [];
  for (const set of sets)
    settings.push({ set, account: await makeEvalAccount(connection, set.space, set.conversations) });
  const over = async (make: (setting: Setting) => System | Promise<System>) =>
    measure(await Promise.all(settings.map(async (one) => ({ set: one.set, system: await make(one) }))));

  const results: EvidenceResult[] = [];
  results.push(
    await over(async (one) => {
      const plain = new Map<number, string>();
      for (const budget of BUDGETS) plain.set(budget, await contextOf(one, budget));
      return { name: 'plain context', rank: null, read: async (_, budget) => plain.get(budget) as string };
    }),
  );
  results.push(
    await over((one) => ({
      name: 'focused context',
      rank: focusedRank(one),
      read: ({ q }, budget) => contextOf(one, budget, q),
    })),
  );
  results.push(
    await over((one) => {
      const byId = new Map(
        one.set.conversations.map((conversation) => [conversation.id, textOf(conversation)]),
      );
      const rank = oursRank(one);
      return {
        name: 'our results, whole',
        rank,
        read: async (question, budget) =>
          fillBudget(
            (await rank(question)).map((id) => byId.get(id) as string),
            budget,
          ),
      };
    }),
  );
  const isTried = ({ boost, stop }: { boost: number; stop: boolean }) => boost === 2 && stop;
  const families = [
    ...peers.miniSearch
      .filter((choice) => isTried(choice) && choice.fuzzy !== 0.1)
      .map((choice) => ({
        family: 'MiniSearch',
        name: nameSettings(choice),
        index: (documents: readonly PeerDocument[]) => miniSearch(documents, choice),
      })),
    ...peers.orama.filter(isTried).map((choice) => ({
      family: 'Orama',
      name: nameSettings(choice),
      index: (documents: readonly PeerDocument[]) => orama(documents, choice),
    })),
  ];
  for (const [family, choices] of Map.groupBy(families, (one) => one.family)) {
    const whole: EvidenceResult[] = [];
    const byTurn: EvidenceResult[] = [];
    for (const { name, index } of choices) {
      const called = `${family} (${name})`;
      whole.push(await over(async (one) => peerSystem(one, called, await index(one.set.conversations))));
      byTurn.push(
        await over(async (one) => turnSystem(one, `${called}, by turn`, await index(turnsOf(one.set)))),
      );
    }
    results.push(best(whole), best(byTurn));
  }
  return results;
}
