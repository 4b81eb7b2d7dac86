import type { AccountActor } from '#lib/core/actor.ts';
import { validate } from '#lib/core/input/validate.ts';
import type { StudioContext } from '../context.ts';
import { generationRequest } from '../request.ts';
import { type GenerationPreview, previewGeneration } from './preview-generation.ts';

/**
 * Prices a request that is still being composed. One whose text is not written yet counts as one sign, and shows no prompt.
 * Errors: those of a submission.
 */
export async function previewDraft(
  ctx: StudioContext<AccountActor>,
  input: { draft: unknown; variants?: number },
): Promise<GenerationPreview> {
  const { body, unwritten } = withPlaceholder(input.draft);
  const preview = await previewGeneration(ctx, {
    request: validate(generationRequest, body, 'invalid'),
    ...(input.variants === undefined ? {} : { variants: input.variants }),
  });
  return unwritten ? { ...preview, prompt: null } : preview;
}

function withPlaceholder(body: unknown): { body: unknown; unwritten: boolean } {
  if (body === null || typeof body !== 'object') return { body, unwritten: false };
  const name = 'text' in body ? 'text' : 'brief';
  const text = (body as Record<string, unknown>)[name];
  const unwritten = typeof text === 'string' && text.trim() === '';
  return { body: unwritten ? { ...body, [name]: '…' } : body, unwritten };
}
