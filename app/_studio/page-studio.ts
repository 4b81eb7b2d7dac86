import type { MemberActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { studioPorts } from '#lib/http/runtime/studio.ts';
import type { StudioContext } from '#lib/studio/context.ts';

/** A page's context with the studio's ports. It has no callback address: only routes know the origin of the request. */
export function pageStudio(ctx: Context<MemberActor>): StudioContext<MemberActor> {
  return { ...ctx, studio: studioPorts() };
}
