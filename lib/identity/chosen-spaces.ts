import { z } from 'zod';
import { ServiceError } from '#lib/core/errors.ts';
import type { SpaceRights } from '#lib/db/space-rights.ts';

/** The fields of a form that grants Spaces: all or some, and which ones (JSON). */
export const spacesFields = {
  reach: z.enum(['all', 'some']).optional(),
  spaces: z.string().max(100_000).optional(),
  /** The Spaces granted when the form was opened (JSON; null: all). */
  shown: z.string().max(100_000).optional(),
};

const rights = z.record(z.string().min(1).max(64), z.enum(['read', 'write']));

/**
 * The chosen Spaces: null for all, undefined when the form did not ask. « Some » without a list is an empty list: an incomplete form never
 * grants more. Errors: `invalid_request` for a list that cannot be read.
 */
export function chosenSpaces(form: {
  reach?: string | null | undefined;
  spaces?: string | null | undefined;
}): SpaceRights | null | undefined {
  if (form.reach === undefined || form.reach === null) return undefined;
  if (form.reach === 'all') return null;
  return read(rights, form.spaces || '{}');
}

/**
 * The Spaces granted when the form was opened: null for all, undefined when the form does not say. Errors: `invalid_request` for a list that
 * cannot be read.
 */
export function shownSpaces({ shown }: { shown?: string | undefined }): SpaceRights | null | undefined {
  return shown === undefined ? undefined : read(rights.nullable(), shown);
}

function read<T>(schema: z.ZodType<T>, text: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    const message = 'Le choix des espaces n’a pas pu être lu\u00a0: choisissez-les de nouveau.';
    throw new ServiceError('invalid_request', { message, problems: [{ field: 'spaces', message }] });
  }
}
