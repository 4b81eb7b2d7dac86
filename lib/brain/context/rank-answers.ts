import { sql } from 'kysely';
import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { inSlices, Pace, type Steps } from '../search/matching/pace.ts';
import { type Match, rankMemories } from '../search/rank-memories.ts';
import { bodyCharsRead } from './bodies.ts';
import { MAX_CHARS, memoriesLookedInto } from './choose.ts';
import type { FocusInput } from './focus.ts';
import { promptRow } from './render.ts';
import type { ContextInput, ContextRow } from './types.ts';

/** The average length of a sentence. */
const SENTENCE_CHARS = 90;

/** An estimate of the number of sentences in these Memories. */
export function sentencesIn(memories: readonly { body: string }[]): number {
  const chars = memories.reduce((sum, { body }) => sum + body.length, 0);
  return Math.ceil(chars / SENTENCE_CHARS) + memories.length;
}

/**
 * The input of `focusContext`: the Memories ranked by how well they answer `q`, and the whole text of the best ones (`memories` may hold long bodies
 * cut to what a text of `maxChars` can show). `ignoredWords`: the words of `q` beyond the limit, which are not looked for; `unmatchedWords`: the
 * words that no Memory holds.
 */
export async function focusInput(
  ctx: Context<AccountActor>,
  { q, ...input }: ContextInput & { maxChars: number; q: string },
): Promise<FocusInput & { ignoredWords: string[]; unmatchedWords: string[] }> {
  const { memories, maxChars, space, pillars } = input;
  const answers = await rankMemories(ctx, {
    q,
    spaceId: space.id,
    pillars,
    sentences: sentencesIn(memories),
  });
  const best = answers.ranked.slice(0, memoriesLookedInto(maxChars));
  const pace = new Pace();
  const whole = await promptRows(await withWholeBodies(ctx, input, best), pace);
  const known = await matchesOfAll(best, whole, answers.findingMatches, pace);
  return {
    ...input,
    memories: whole,
    answers: { ranked: answers.ranked, matchesOf: (text) => known.get(text) ?? answers.matchesOf(text) },
    ignoredWords: answers.ignoredWords,
    unmatchedWords: answers.unmatchedWords,
    rest: () => (pace.due() ? pace.rest() : undefined),
  };
}

/** The bodies of Memories, in the order given, until `MAX_CHARS` bytes are reached. */
const readBodies = prepared(
  'context.bodies',
  (db, p: Params<{ accountId: string; spaceId: string; ids: string[] }>) =>
    db
      .with('wanted', (one) =>
        one
          .selectFrom('Memory as m')
          .innerJoin(
            sql<{ id: string; place: number }>`unnest(${p.ids}::text[]) with ordinality`.as<'given'>(
              sql`given (id, place)`,
            ),
            'given.id',
            'm.id',
          )
          .select([
            'm.id',
            sql<number>`sum(octet_length(m.body)) over (order by given.place) - octet_length(m.body)`.as(
              'before',
            ),
          ])
          .where('m.accountId', '=', p.accountId)
          .where('m.spaceId', '=', p.spaceId)
          .where('m.deletedAt', 'is', null),
      )
      .selectFrom('wanted')
      .innerJoin('Memory as m', 'm.id', 'wanted.id')
      .select(['m.id', 'm.body', 'm.hasInvisible'])
      .where('wanted.before', '<', sql.lit(MAX_CHARS)),
);

/** The rows as prompts receive them. Yields between slices. Matches are cached by text, so they must be looked for in these texts. */
async function promptRows(memories: readonly ContextRow[], pace: Pace): Promise<ContextRow[]> {
  const rows: ContextRow[] = [];
  for (const memory of memories) {
    rows.push(promptRow(memory));
    if (pace.due()) await pace.rest();
  }
  return rows;
}

/** Matches of shorter texts are found when the text is examined. */
const MIN_LONG_CHARS = 2_000;

/** The matches of the long texts that will be examined, by text. Finding them yields between slices, since one text can take long. */
async function matchesOfAll(
  best: readonly { memoryId: string }[],
  memories: readonly ContextRow[],
  findingMatches: (text: string) => Steps<Match[]>,
  pace: Pace,
): Promise<Map<string, Match[]>> {
  const bodies = new Map(memories.map(({ id, body }) => [id, body]));
  const known = new Map<string, Match[]>();
  let chars = 0;
  for (const { memoryId } of best) {
    const body = bodies.get(memoryId) ?? '';
    if (body.length >= MIN_LONG_CHARS && !known.has(body))
      known.set(body, await inSlices(findingMatches(body), pace));
    chars += body.length;
    if (chars > MAX_CHARS) break;
  }
  return known;
}

async function withWholeBodies(
  ctx: Context<AccountActor>,
  { memories, maxChars, space }: ContextInput & { maxChars: number },
  best: readonly { memoryId: string }[],
): Promise<readonly ContextRow[]> {
  const most = bodyCharsRead(maxChars);
  const cut = new Set(memories.flatMap(({ id, body }) => (body.length >= most ? [id] : [])));
  const ids = best.flatMap(({ memoryId }) => (cut.has(memoryId) ? [memoryId] : []));
  if (ids.length === 0) return memories;
  const rows = await readBodies.all(ctx.kysely, { accountId: ctx.actor.accountId, spaceId: space.id, ids });
  // The body may have changed since the first read, so its own `hasInvisible` goes with it.
  const texts = new Map(rows.map(({ id, body, hasInvisible }) => [id, { body, hasInvisible }]));
  return memories.map((row) => ({ ...row, ...texts.get(row.id) }));
}
