import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { type AccountRead, mapRead, runAccountRead } from '#lib/db/account-read.ts';
import { readEtags, writeEtag } from '../etag.ts';
import { type SpaceRead, spaceRead } from '../spaces/read-space.ts';
import { PILLAR_ROLES, type PillarRole } from '../templates.ts';
import { VersionedCache } from '../versioned-cache.ts';
import { assembleContext, clampMaxChars } from './assemble.ts';
import { bodyCharsRead } from './bodies.ts';

/** JSON already written, as text for assistants and as the bytes that HTTP sends. */
export type WrittenContext = { text: string; bytes: Uint8Array<ArrayBuffer> };

const contextCache = new VersionedCache<WrittenContext>(48 * 1024 * 1024);

type ContextInput = {
  spaceId: string;
  pillars?: readonly PillarRole[];
  maxChars?: number;
  ifNoneMatch?: string | null;
};

/**
 * The read behind `getContext`, for a route that has it made in the statement that authenticates: one round trip for the whole request.
 * With an `ifNoneMatch` that is current, null body and no read consumed. Of a long body only what a text of `maxChars` can show is read. Errors: `not_found`, `quota_exceeded`.
 */
export function contextRead(
  now: Date,
  input: ContextInput,
): AccountRead<{ etag: string; json: WrittenContext | null }> {
  const pillars = input.pillars ?? PILLAR_ROLES;
  const maxChars = clampMaxChars(input.maxChars);
  const about = ['context', input.spaceId, pillars.join(','), String(maxChars)];
  const key = about.join('|');
  const cached = contextCache.get(key);
  const read = spaceRead(now, {
    spaceId: input.spaceId,
    known: readEtags(input.ifNoneMatch ?? null, about),
    cachedVersion: cached?.version,
    pillars,
    bodyChars: bodyCharsRead(maxChars),
  });
  const write = ({ space, ...found }: SpaceRead) => {
    const etag = writeEtag({ version: space.version }, about);
    if (found.notModified) return { etag, json: null };
    if (found.memories === null && cached) return { etag, json: cached.value };
    const payload = assembleContext({ space, pillars, memories: found.memories ?? [], maxChars });
    const text = JSON.stringify(payload);
    const json = { text, bytes: new TextEncoder().encode(text) };
    contextCache.set(key, space.version, json, 2 * text.length + json.bytes.length);
    return { etag, json };
  };
  return mapRead(read, write);
}

/**
 * A Space as one text ready for a prompt (B-76 to B-82), as JSON already written: the
 * same bytes for REST and MCP. Errors: `not_found`, `quota_exceeded`.
 */
export function getContext(ctx: Context<AccountActor>, input: ContextInput) {
  return runAccountRead(ctx, contextRead(ctx.clock.now(), input));
}
