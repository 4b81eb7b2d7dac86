import { type RawBuilder, sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { hasPermission, type MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { isId } from '#lib/core/ids.ts';
import { foldAccents, PLAIN_LETTERS } from '#lib/core/text/fold.ts';
import { runAccountRead } from '#lib/db/account-read.ts';
import { type Params, prepared } from '#lib/db/prepared.ts';
import { givenSpaces, isReached } from '#lib/db/space-rights.ts';
import { isAnyOf } from '#lib/db/values.ts';
import { keysInReach } from '#lib/identity/keys/key-reach.ts';
import { KIND_LABELS } from '#lib/messages/studio.ts';
import { findRanked, scopeRead } from '../search/find.ts';
import { MAX_QUERY_WORDS } from '../search/matching/query.ts';
import { shorten } from '../text/cut.ts';

/** How many of each family are given; `more` says that there are others. */
export const FOUND_LIMITS = { memories: 6, spaces: 4, generations: 5, members: 4, keys: 4 } as const;
export type FoundFamily = keyof typeof FOUND_LIMITS;
const FAMILIES = Object.keys(FOUND_LIMITS) as FoundFamily[];

/** Generations are looked for among the latest of the account; the journal looks through all of them. */
const FOUND_AMONG_GENERATIONS = 2_000;
export const MAX_RECENTS = 24;
const MAX_WORDS = 8;
const LABEL = 120;

export type FoundItem = {
  id: string;
  label: string;
  /** What tells it from another of the same name: its Space, its type, the beginning of a key. */
  detail: string | null;
  /** Of a Memory. */
  spaceId: string | null;
};
export type Found = { family: FoundFamily; limit: number; more: boolean; items: FoundItem[] };
export type FoundThings = {
  families: Found[];
  recent: (FoundItem & { family: FoundFamily })[];
  /** Says which words were looked for in Memories alone, and which nowhere; null when all were looked for everywhere. */
  ignored: string | null;
};

type Given = {
  accountId: string;
  given: string | null;
  words: string[];
  first: string;
  memoryIds: string[];
  recentIds: string[];
  sees: boolean;
  namesMembers: boolean;
  keysOf: string | null;
};

/** The letters that `foldAccents` spells, small and capital: those that become one letter, and those that become two. */
const SPELLED = Object.entries(PLAIN_LETTERS).flatMap(([letter, plain]) =>
  [...new Set([letter, letter.toUpperCase()])]
    .filter((one) => one.length === 1 && one !== plain.toUpperCase())
    .map((one) => [one, plain] as const),
);
const ONE_LETTER = SPELLED.filter(([, plain]) => plain.length === 1);
const TWO_LETTERS = SPELLED.filter(([, plain]) => plain.length > 1);

/** A name as `foldAccents` gives it, whatever the collation of the database: small letters, no accent, ligatures spelled out. */
function folded(name: RawBuilder<string>): RawBuilder<string> {
  const bare = sql<string>`regexp_replace(normalize(${name}, nfkd), '[\u0300-\u036f]', '', 'g')`;
  const from = ONE_LETTER.map(([letter]) => letter).join('');
  const to = ONE_LETTER.map(([, plain]) => plain).join('');
  const spelled = TWO_LETTERS.reduce(
    (text, [letter, plain]) => sql<string>`replace(${text}, ${sql.lit(letter)}, ${sql.lit(plain)})`,
    sql<string>`translate(${bare}, ${sql.lit(from)}, ${sql.lit(to)})`,
  );
  return sql<string>`lower(${spelled})`;
}
const ref = (name: string) => sql.ref<string>(name);

/** Every word typed is somewhere in the text, which is folded already. */
const holdsWords = (text: RawBuilder<string>, p: Params<Given>) =>
  sql<boolean>`(cardinality(${p.words}::text[]) > 0 and not exists (
    select 1 from unnest(${p.words}::text[]) as typed(word) where strpos(${text}, word) = 0))`;
/** Names in which a word begins like the first one typed come before those that only hold it. */
const beginsLike = (text: RawBuilder<string>, p: Params<Given>) =>
  sql<number>`strpos(regexp_replace(${text}, '^|[^[:alnum:]]+', ' ', 'g'), ' ' || ${p.first}::text) = 0`;

const brief = () =>
  sql<string>`left(coalesce(nullif(btrim(g."params" ->> 'brief'), ''), ''), ${sql.lit(LABEL)})`;
const none = sql<null>`null`;

const readFamilies = prepared('brain.find_anything', (db, p: Params<Given>) =>
  db.selectNoFrom((eb) => [
    jsonArrayFrom(
      eb
        .selectFrom('Memory as m')
        .innerJoin('Space as s', 's.id', 'm.spaceId')
        .select(['m.id', 'm.title as label', 's.name as detail', 's.id as spaceId'])
        .where('m.accountId', '=', p.accountId)
        .where('m.deletedAt', 'is', null)
        .where('s.archivedAt', 'is', null)
        .where(isReached(p.given, ref('s.id')))
        .where(isAnyOf('m.id', p.memoryIds))
        .orderBy(sql`array_position(${p.memoryIds}::text[], ${ref('m.id')})`),
    ).as('memories'),
    jsonArrayFrom(
      eb
        .selectFrom('Space as s')
        .select(['s.id', 's.name as label', none.as('detail'), none.as('spaceId')])
        .where('s.accountId', '=', p.accountId)
        .where('s.archivedAt', 'is', null)
        .where(isReached(p.given, ref('s.id')))
        .where(holdsWords(folded(ref('s.name')), p))
        .orderBy(beginsLike(folded(ref('s.name')), p))
        .orderBy('s.updatedAt', 'desc')
        .orderBy('s.id')
        .limit(sql.lit(FOUND_LIMITS.spaces + 1)),
    ).as('spaces'),
    jsonArrayFrom(
      eb
        .selectFrom((latest) =>
          latest
            .selectFrom('Generation as g')
            .select(['g.id', 'g.kind', 'g.createdAt', 'g.searchText', 'g.params'])
            .where('g.accountId', '=', p.accountId)
            .where(sql<boolean>`${p.sees}::boolean`)
            .orderBy('g.createdAt', 'desc')
            .orderBy('g.id', 'desc')
            .limit(sql.lit(FOUND_AMONG_GENERATIONS))
            .as('g'),
        )
        .select(['g.id', brief().as('label'), 'g.kind as detail', none.as('spaceId')])
        .where(holdsWords(ref('g.searchText'), p))
        .orderBy('g.createdAt', 'desc')
        .orderBy('g.id', 'desc')
        .limit(sql.lit(FOUND_LIMITS.generations + 1)),
    ).as('generations'),
    jsonArrayFrom(
      eb
        .selectFrom('Member as m')
        .select(['m.id', 'm.name as label', none.as('detail'), none.as('spaceId')])
        .where('m.accountId', '=', p.accountId)
        .where('m.status', '<>', 'REMOVED')
        .where(sql<boolean>`${p.namesMembers}::boolean`)
        .where(holdsWords(folded(ref('m.name')), p))
        .orderBy(beginsLike(folded(ref('m.name')), p))
        .orderBy('m.createdAt')
        .orderBy('m.id')
        .limit(sql.lit(FOUND_LIMITS.members + 1)),
    ).as('members'),
    jsonArrayFrom(
      eb
        .selectFrom('DeveloperKey as k')
        .select(['k.id', 'k.name as label', 'k.prefix as detail', none.as('spaceId')])
        .where('k.accountId', '=', p.accountId)
        .where('k.revokedAt', 'is', null)
        .where(sql<boolean>`(${p.keysOf}::text is null or ${ref('k.memberId')} = ${p.keysOf}::text)`)
        .where(holdsWords(folded(ref('k.name')), p))
        .orderBy(beginsLike(folded(ref('k.name')), p))
        .orderBy('k.createdAt', 'desc')
        .orderBy('k.id')
        .limit(sql.lit(FOUND_LIMITS.keys + 1)),
    ).as('keys'),
  ]),
);

const readRecent = prepared('brain.find_recent', (db, p: Params<Given>) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('Memory as m')
        .innerJoin('Space as s', 's.id', 'm.spaceId')
        .select([
          sql<FoundFamily>`'memories'`.as('family'),
          'm.id',
          'm.title as label',
          's.name as detail',
          's.id as spaceId',
        ])
        .where('m.accountId', '=', p.accountId)
        .where('m.deletedAt', 'is', null)
        .where('s.archivedAt', 'is', null)
        .where(isReached(p.given, ref('s.id')))
        .where(isAnyOf('m.id', p.recentIds))
        .unionAll(
          eb
            .selectFrom('Space as s')
            .select([
              sql<FoundFamily>`'spaces'`.as('family'),
              's.id',
              's.name as label',
              sql<string>`null::text`.as('detail'),
              sql<string>`null::text`.as('spaceId'),
            ])
            .where('s.accountId', '=', p.accountId)
            .where('s.archivedAt', 'is', null)
            .where(isReached(p.given, ref('s.id')))
            .where(isAnyOf('s.id', p.recentIds)),
        )
        .unionAll(
          eb
            .selectFrom('Generation as g')
            .select([
              sql<FoundFamily>`'generations'`.as('family'),
              'g.id',
              brief().as('label'),
              sql<string>`${ref('g.kind')}::text`.as('detail'),
              sql<string>`null::text`.as('spaceId'),
            ])
            .where('g.accountId', '=', p.accountId)
            .where(sql<boolean>`${p.sees}::boolean`)
            .where(isAnyOf('g.id', p.recentIds)),
        )
        .as('r'),
    )
    .selectAll()
    .orderBy(sql`array_position(${p.recentIds}::text[], ${ref('r.id')})`),
);

/**
 * What the command palette finds of the account for one text: Memories as search ranks them, and what bears the words of it, a few of
 * each family, in at most three round trips; consumes no read. With a blank text, what the browser opened lately, those that are
 * still there. A generation is found by who may read the journal, a member by who may do something with one, a key by its member or a founder.
 */
export async function findAnything(
  ctx: Context<MemberActor>,
  input: { q: string; recent: readonly string[] },
): Promise<FoundThings> {
  const typed = wordsOf(foldAccents(input.q));
  const words = typed.slice(0, MAX_WORDS);
  const given: Given = {
    accountId: ctx.actor.accountId,
    given: givenSpaces(ctx.actor),
    words,
    first: words[0] ?? '',
    memoryIds: [],
    recentIds: input.recent.filter(isOpened).slice(0, MAX_RECENTS),
    sees: hasPermission(ctx.actor, 'generate'),
    namesMembers: hasPermission(ctx.actor, 'generate') || hasPermission(ctx.actor, 'members.manage'),
    keysOf: keysInReach(ctx.actor).memberId ?? null,
  };
  if (words.length === 0) {
    const recent = given.recentIds.length > 0 ? await readRecent.all(ctx.kysely, given) : [];
    return {
      families: [],
      recent: recent.map((item) => ({ ...inWords(item.family, item), family: item.family })),
      ignored: null,
    };
  }
  const scope = await runAccountRead(ctx, scopeRead(ctx.clock.now(), { consumes: false }));
  const { ranked, query } = await findRanked(ctx, { q: input.q, limit: FOUND_LIMITS.memories + 1 }, scope);
  given.memoryIds = ranked.map(({ memoryId }) => memoryId);
  const rows = await readFamilies.first(ctx.kysely, given);
  const families = FAMILIES.flatMap((family): Found[] => {
    const found = rows?.[family] ?? [];
    const limit = FOUND_LIMITS[family];
    const items = found.slice(0, limit).map((item) => inWords(family, item));
    return items.length > 0 ? [{ family, limit, more: found.length > limit, items }] : [];
  });
  return { families, recent: [], ignored: ignoredNote(input.q, typed.slice(MAX_WORDS), query.ignored) };
}

/** The distinct words of a text. */
const wordsOf = (text: string) => [...new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))];

/** What says that these words, folded, were looked for in Memories alone, and `nowhere` not even there: each as it was typed. */
function ignoredNote(q: string, folded: readonly string[], nowhere: readonly string[]): string | null {
  if (folded.length === 0) return null;
  const typed = new Map(wordsOf(q.normalize('NFC')).map((word) => [foldAccents(word), word]));
  const words = folded.map((word) => typed.get(word) ?? word).join(', ');
  const outside = `Hors des mémoires, seuls les ${MAX_WORDS} premiers mots différents ont été cherchés, sans «\u00a0${words}\u00a0».`;
  if (nowhere.length === 0) return outside;
  return `${outside} Dans les mémoires, les ${MAX_QUERY_WORDS} premiers, sans «\u00a0${nowhere.join(', ')}\u00a0».`;
}

const isOpened = (id: string) => isId('memory', id) || isId('space', id) || isId('generation', id);

/** A generation is called by what was asked, else by its type, which is told beside it. */
function inWords(family: FoundFamily, item: FoundItem): FoundItem {
  const { id, label, detail, spaceId } = item;
  if (family !== 'generations') return { id, label: shorten(label, LABEL), detail, spaceId };
  const kind = KIND_LABELS[detail as keyof typeof KIND_LABELS];
  return { id, label: label === '' ? kind : label, detail: label === '' ? null : kind, spaceId };
}
