import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { cacheBytes } from '#lib/core/resource-limits/cache-bytes.ts';
import { type AccountRead, mapRead, runAccountRead } from '#lib/db/account-read.ts';
import { readEtags, writeEtag } from '../etag.ts';
import { giveBackReadOnFailure } from '../quota/give-back-read.ts';
import { normalizeQueryText } from '../search/matching/query.ts';
import { type MemoryRow, type SpaceRead, type SpaceRow, spaceRead } from '../spaces/read-space.ts';
import { PILLAR_ROLES, type PillarRole } from '../templates.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { assembleContext, clampMaxChars } from './assemble.ts';
import { bodyCharsRead } from './bodies.ts';
import { focusContext } from './focus.ts';
import { focusInput } from './rank-answers.ts';
import type { ContextPayload } from './types.ts';

/** JSON already written, as text for assistants and as the bytes that HTTP sends. */
type WrittenContext = { text: string; bytes: Uint8Array<ArrayBuffer> };

const contextCache = new VersionedCache<WrittenContext>(cacheBytes('contexts'));

type ContextInput = {
  spaceId: string;
  pillars?: readonly PillarRole[] | undefined;
  maxChars?: number | undefined;
  /** What the text is about; absent: everything. */
  q?: string | undefined;
  ifNoneMatch?: string | null;
};

/** The result of a context read: the answer itself or, when there is a question, the rows to choose from. */
type FoundContext = { etag: string; json: WrittenContext | null } | { etag: string; rows: FoundRows };

type FoundRows = { space: SpaceRow; memories: readonly MemoryRow[]; readAt: Date };

/**
 * The database read of `getContext`, which a route can run inside the statement that authenticates: one round trip per request, two or more with a
 * question. A current `ifNoneMatch` gives a null body and consumes no read. Of a long body, only the characters that a text of `maxChars` can show
 * are read. Errors: `not_found`, `quota_exceeded`.
 */
export function contextRead(now: Date, input: ContextInput): AccountRead<FoundContext> {
  const pillars = input.pillars ?? PILLAR_ROLES;
  const maxChars = clampMaxChars(input.maxChars);
  const question = input.q === undefined ? [] : [normalizeQueryText(input.q)];
  const about = ['context', input.spaceId, pillars.join(','), String(maxChars), ...question];
  const key = about.join('|');
  // Ranking reads the index, which may be ahead of the version read here: what it gives is not kept.
  const cached = question.length === 0 ? contextCache.get(key) : undefined;
  const read = spaceRead(now, {
    spaceId: input.spaceId,
    known: readEtags(input.ifNoneMatch ?? null, about),
    cachedVersion: cached?.version,
    pillars,
    bodyChars: bodyCharsRead(maxChars),
  });
  const write = ({ space, ...found }: SpaceRead): FoundContext => {
    const etag = writeEtag({ version: space.version }, about);
    if (found.notModified) return { etag, json: null };
    if (found.memories === null && cached) return { etag, json: cached.value };
    const memories = found.memories ?? [];
    if (question.length > 0) return { etag, rows: { space, memories, readAt: now } };
    const json = written(assembleContext({ space, pillars, memories, maxChars }));
    contextCache.set(key, space.version, json, 2 * json.text.length + json.bytes.length);
    return { etag, json };
  };
  return mapRead(read, write);
}

/**
 * A Space as one text ready for a prompt (B-76 to B-82), as JSON text: the same bytes for REST and MCP. With `q`, the room goes to what
 * answers it (B-151); words beyond the thirtieth (B-272), and words that no Memory holds (B-274), are reported. `found` is what `contextRead`
 * read, when it was read already. Errors: `not_found`, `quota_exceeded`.
 */
export async function getContext(
  ctx: Context<AccountActor>,
  input: ContextInput,
  found?: FoundContext,
): Promise<{ etag: string; json: WrittenContext | null }> {
  const read = found ?? (await runAccountRead(ctx, contextRead(ctx.clock.now(), input)));
  if ('json' in read) return read;
  const { space, memories, readAt } = read.rows;
  return giveBackReadOnFailure(ctx, readAt, async () => {
    const { ignoredWords, unmatchedWords, ...focus } = await focusInput(ctx, {
      space,
      memories,
      q: input.q ?? '',
      pillars: input.pillars ?? PILLAR_ROLES,
      maxChars: clampMaxChars(input.maxChars),
    });
    const payload = await focusContext(focus);
    const told: ContextPayload = {
      ...payload,
      ...(ignoredWords.length > 0 ? { ignoredWords } : {}),
      ...(unmatchedWords.length > 0 ? { unmatchedWords } : {}),
    };
    return { etag: read.etag, json: written(told) };
  });
}

function written(payload: ContextPayload): WrittenContext {
  const text = JSON.stringify(payload);
  return { text, bytes: new TextEncoder().encode(text) };
}
