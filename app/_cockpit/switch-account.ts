'use server';
import { z } from 'zod';
import { memberCall } from '#lib/http/actions/member-action.ts';
import { switchAccount as choose } from '#lib/identity/people/switch-account.ts';

/** Switches to another account of the same person; the caller then loads a page anew. */
export const switchAccount = memberCall({
  schema: z.object({ memberId: z.string() }),
  whileClosed: true,
  fromAnyPage: true,
  run: (ctx, input) => choose(ctx, input),
});
