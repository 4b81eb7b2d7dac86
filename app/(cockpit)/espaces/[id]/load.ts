import { notFound } from 'next/navigation';
import { cache } from 'react';
import { viewSpace } from '#lib/brain/queries/view-space.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireMember } from '#lib/http/sessions/page-member.ts';

/** The Space in the address, read once for the page and its title. A Space of another account is not found. */
export const loadSpace = cache(async (spaceId: string) => {
  const { ctx } = await requireMember();
  try {
    return await viewSpace(ctx, { spaceId });
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'not_found') notFound();
    throw error;
  }
});
