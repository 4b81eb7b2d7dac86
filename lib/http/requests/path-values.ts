import { ServiceError } from '#lib/core/errors.ts';

/** Longest value of a path that can name anything of ours. */
const MAX_LENGTH = 1_000;

/**
 * The values of a route's path. What no identifier or pathname can be (NUL, a lone surrogate, kilobytes) is answered like
 * anything that does not exist: PostgreSQL must not see it. Errors: `not_found`.
 */
export async function pathValues<T extends Record<string, string | string[] | undefined>>(
  params: Promise<T | undefined> | undefined,
): Promise<T> {
  // Built for production, Next resolves the params of a path that has none to undefined.
  const values = (await params) ?? ({} as T);
  for (const value of Object.values(values).flat())
    if (
      value !== undefined &&
      (value.length > MAX_LENGTH || value.includes('\u0000') || !value.isWellFormed())
    )
      throw new ServiceError('not_found');
  return values;
}
