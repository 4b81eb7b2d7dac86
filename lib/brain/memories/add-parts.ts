import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { transaction } from '#lib/db/transaction.ts';
import { MAX_MEMORY_DEPTH, MAX_MEMORY_REQUEST_BYTES } from '../limits.ts';
import type { MemorySource, PillarRole } from '../templates.ts';
import { shorten } from '../text/cut.ts';
import { headingsOf } from '../text/headings.ts';
import { jsonBytes } from '../text/json-bytes.ts';
import { chunks, partTitle, splitMarkdown } from '../text/split.ts';
import { cleanTitle } from '../text/titles.ts';
import { addMemoryWithin } from './add-memory.ts';

/** More parts than this are no longer a text that somebody pasted: that is an import. */
const MAX_PARTS = 200;

/** Bytes of JSON string in a part of a text that says nowhere where it divides: a screen to read. */
const PARAGRAPHS_BYTES = 2_000;
/** Letters of the first words that name such a part. */
const FIRST_WORDS = 60;

/**
 * A long text as an introduction, under the title given, and parts to nest in it: at its headings, else between its paragraphs, each
 * part then named by its first words. One part: it does not divide.
 */
export function splitText(input: { title: string; body: string }): { title: string; body: string }[] {
  const title = cleanTitle(input.title);
  if (headingsOf(input.body).length < 2) return splitParagraphs(title, input.body);
  const { intro, parts } = splitMarkdown(input.body, MAX_MEMORY_REQUEST_BYTES - 4096);
  const nested = parts.slice(0, MAX_PARTS).map((part) => {
    const own = partTitle(part, title);
    return { title: own, body: part.body.trim() === '' ? own : part.body };
  });
  const rest = parts.slice(MAX_PARTS);
  const last = nested.at(-1);
  if (last) for (const part of rest) last.body += `\n\n## ${part.title}\n\n${part.body}`;
  return [{ title, body: intro.trim() === '' ? title : intro }, ...nested];
}

function splitParagraphs(title: string, body: string): { title: string; body: string }[] {
  // Pieces end where paragraphs do: half of the parts allowed leaves room for those that are not full.
  const size = Math.max(PARAGRAPHS_BYTES, Math.ceil((2 * jsonBytes(body)) / MAX_PARTS));
  const [first = '', ...rest] = chunks(body, size);
  return [
    { title, body: first },
    ...rest.map((part, i) => ({ title: firstWords(part) || `${title} (${i + 2})`, body: part })),
  ];
}

/** The first words of a text, without the marks of Markdown, cut between two words. */
function firstWords(text: string): string {
  const words = text
    .slice(0, 500)
    .replace(/[#>*_`~|[\]]+/g, '')
    .replace(/\s+/g, ' ')
    .replace(/^[-+\d.)\s]+/, '')
    .trim();
  return words === '' ? '' : cleanTitle(shorten(words, FIRST_WORDS));
}

type PartsInput = {
  spaceId: string;
  pillar: PillarRole;
  parentId: string | null;
  title: string;
  body: string;
  source: MemorySource;
  key: string;
};

const UNIQUE_VIOLATION = '23505';

/**
 * Adds a text as several Memories: its introduction, its parts nested in it. All in one transaction: when one is refused there is
 * nothing, and the key is free. Sent twice under one key, it is written once. Errors: those of `addMemory`.
 */
export async function addParts(
  ctx: Context<AccountActor>,
  input: PartsInput,
): Promise<{ memoryId: string; added: number }> {
  try {
    return await write(ctx, input);
  } catch (error) {
    // The same text sent twice at once: the other one is committed by now, and is replayed.
    if ((error as { code?: string }).code !== UNIQUE_VIOLATION) throw error;
    return write(ctx, input);
  }
}

function write(ctx: Context<AccountActor>, input: PartsInput): Promise<{ memoryId: string; added: number }> {
  const { key, title, body, ...place } = input;
  const [first, ...parts] = splitText({ title, body });
  if (!first) throw new Error('a text has a first part');
  return transaction(ctx, async (tx) => {
    const root = await addMemoryWithin(ctx, tx, { ...place, ...first, idempotencyKey: key });
    const row = await tx
      .selectFrom('Memory')
      .select('depth')
      .where('id', '=', root.memory.id)
      .executeTakeFirst();
    // Where nothing more can be nested, the parts stand beside their introduction.
    const parentId = (row?.depth ?? 0) < MAX_MEMORY_DEPTH ? root.memory.id : place.parentId;
    for (const [index, part] of parts.entries())
      await addMemoryWithin(ctx, tx, {
        ...place,
        ...part,
        parentId,
        idempotencyKey: `${key}-${index + 1}`,
      });
    return { memoryId: root.memory.id, added: 1 + parts.length };
  });
}
