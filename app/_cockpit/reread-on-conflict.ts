import { revalidatePath } from 'next/cache';
import { ServiceError } from '#lib/core/errors.ts';

/**
 * For the `catch` of a verb in an action: on a conflict, the page behind the form is read again, so that the form opens with the new values next
 * time. `layout`: the pages below the path too. Throws the error again.
 */
export const rereadOnConflict =
  (path: string, type?: 'layout') =>
  (error: unknown): never => {
    if (error instanceof ServiceError && error.code === 'conflict') revalidatePath(path, type);
    throw error;
  };
