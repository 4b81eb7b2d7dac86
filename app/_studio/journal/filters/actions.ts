'use server';
import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { rereadOnConflict } from '#app/_cockpit/reread-on-conflict.ts';
import { memberAction, memberCall } from '#lib/http/actions/member-action.ts';
import { shownFields } from '#lib/http/requests/shown-fields.ts';
import { deleteFilter } from '#lib/studio/saved-filters/delete-filter.ts';
import { renameFilter } from '#lib/studio/saved-filters/rename-filter.ts';
import { saveFilter } from '#lib/studio/saved-filters/save-filter.ts';

const savedFilterId = z.string().min(1).max(40);
const name = z.string();
/** Longer than any: a search of 200 characters has up to 1,800 in an address. */
const query = z.string().max(3_000);

/** Saves the filters of an address under a name. */
export const saveFilterAction = memberAction({
  permission: 'generate',
  schema: z.object({ name, query, shown: shownFields }),
  async run(ctx, input) {
    const { name: kept } = await saveFilter(ctx, input).catch(rereadOnConflict('/journal'));
    revalidatePath('/journal');
    return { message: `Filtre «\u00a0${kept}\u00a0» enregistré` };
  },
});

/** Gives a saved filter another name. */
export const renameFilterAction = memberAction({
  permission: 'generate',
  schema: z.object({ savedFilterId, name, shown: shownFields }),
  async run(ctx, input) {
    await renameFilter(ctx, input).catch(rereadOnConflict('/journal'));
    revalidatePath('/journal');
    return { message: 'Filtre renommé' };
  },
});

/** Deletes a saved filter, and returns what it was. */
export const deleteFilterAction = memberCall({
  permission: 'generate',
  schema: z.object({ savedFilterId }),
  async run(ctx, input) {
    return { data: await deleteFilter(ctx, input) };
  },
});

/** Saves a deleted filter again. Refused if its name was given to other filters since. */
export const restoreFilterAction = memberCall({
  permission: 'generate',
  schema: z.object({ name, query }),
  async run(ctx, input) {
    await saveFilter(ctx, { ...input, shown: {} });
  },
});
