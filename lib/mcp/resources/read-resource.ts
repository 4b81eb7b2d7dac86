import { z } from 'zod';
import { getContext } from '#lib/brain/context/get-context.ts';
import { titleText } from '#lib/brain/context/layout.ts';
import { readMemory } from '#lib/brain/memories/read-memory.ts';
import { findSpace } from '#lib/brain/queries/find-space.ts';
import { contextQuery } from '#lib/brain/schemas/contexts.ts';
import { withoutInvisible } from '#lib/core/text/invisible.ts';
import type { McpHost } from '../protocol/host.ts';
import { type Named, readAddress } from './addresses.ts';

export const MARKDOWN = 'text/markdown';

export const memoryParts = z.object({ memoryId: z.string().min(1).max(64) });
/** A Space as a caller names it: by identifier or name. */
export const spaceParts = z.object({ space: z.string().min(1).max(200) });

/**
 * The text behind an address: a Memory whole, or a Space as a context of the size and about the question that the address says. Consumes one
 * read, as the tools do. Errors: those of `readMemory`, `findSpace` and `getContext`; `invalid_request`.
 */
export async function readResource(host: McpHost, address: string): Promise<string> {
  const named = readAddress(address);
  if (named.kind === 'memory') {
    const { memoryId } = host.validate(memoryParts, { memoryId: named.memoryId });
    const { title, body } = await readMemory(host.context, { memoryId });
    // The title on one line: several would look like the beginning of the text.
    return withoutInvisible(`# ${titleText(title)}\n\n${body}`);
  }
  return contextText(host, named);
}

async function contextText(host: McpHost, named: Exclude<Named, { kind: 'memory' }>): Promise<string> {
  const { space } = host.validate(spaceParts, { space: named.space });
  const asked = host.validate(contextQuery, named.kind === 'context' ? named.query : {});
  const { id } = await findSpace(host.context, space);
  return readContext(host, { spaceId: id, ...asked });
}

/** The text of a context, ready for a prompt. Consumes one read. */
export async function readContext(
  host: McpHost,
  input: Omit<Parameters<typeof getContext>[1], 'ifNoneMatch'>,
): Promise<string> {
  const { json } = await getContext(host.context, input);
  if (json === null) throw new Error('without a tag, a context is always written');
  return (JSON.parse(json.text) as { context: string }).context;
}
