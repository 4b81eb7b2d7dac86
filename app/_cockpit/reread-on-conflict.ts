import { revalidatePath } from 'next/cache';
import { ServiceError } from '#lib/core/errors.ts';

/**
 * For the `catch` of a verb in an action: what changed under a form is shown behind it, so that it begins with that once it is opened anew.
 * `layout`: on the pages under that path too.
 */
export const rereadOnConflict =
  (path: string, type?: 'layout') =>
  (error: unknown): never => {
    if (error instanceof ServiceError && error.code === 'conflict') revalidatePath(path, type);
    throw error;
  };
