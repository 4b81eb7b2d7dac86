'use server';
import { z } from 'zod';
import { storableInstant } from '#lib/core/input/storable-instant.ts';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { journalFilters } from '#lib/studio/journal/list-generations.ts';
import { listNeighbours } from '#lib/studio/journal/list-neighbours.ts';
import { pageStudio } from '../page-studio.ts';
import { shownOf } from './shown.ts';

/** The generations before and after one, in the order of the filtered journal. */
export const readNeighbours = memberCall({
  whileClosed: true,
  permission: 'generate',
  schema: z.object({
    generationId: z.string().min(1).max(40),
    createdAt: storableInstant,
    filters: journalFilters,
  }),
  async run(ctx, { generationId, createdAt, filters }) {
    const { newer, older } = await listNeighbours(pageStudio(ctx), {
      place: { id: generationId, createdAt: new Date(createdAt) },
      filters,
    });
    return { data: { newer: newer && shownOf(newer), older: older && shownOf(older) } };
  },
});
