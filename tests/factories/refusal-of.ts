import type { ServiceError } from '#lib/core/errors.ts';

/** What a verb refused, as `code detail`; null when it did what was asked. */
export const refusalOf = (work: Promise<unknown>): Promise<string | null> =>
  work.then(
    () => null,
    (error: ServiceError) => `${error.code} ${error.options.detail ?? ''}`.trim(),
  );
