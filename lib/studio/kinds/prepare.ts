import type { MemberActor } from '#lib/core/actor.ts';
import type { Product } from '#lib/products/types.ts';
import type { StudioContext } from '../context.ts';
import { withOwnPathnames } from '../references/own-pathnames.ts';
import type { GenerationRequest } from '../request.ts';
import { prepareImage } from './image.ts';
import type { Prepared } from './kind.ts';
import { prepareLipsync } from './lipsync.ts';
import { prepareRender } from './render.ts';
import { prepareVector } from './vector.ts';
import { prepareVideo } from './video.ts';
import { prepareVoice } from './voice.ts';

/** Checks, reads and prices a request of any kind. Every refusal comes from here: nothing is written or debited yet. */
export function prepare(
  ctx: StudioContext<MemberActor>,
  request: GenerationRequest,
  product: Product,
): Promise<Prepared> {
  return withOwnPathnames(request, ctx.studio.config, (plain) => prepareKind(ctx, plain, product));
}

function prepareKind(
  ctx: StudioContext<MemberActor>,
  request: GenerationRequest,
  product: Product,
): Promise<Prepared> {
  switch (request.kind) {
    case 'image':
      return prepareImage(ctx, request, product);
    case 'vector':
      return prepareVector(ctx, request, product);
    case 'voice':
      return prepareVoice(ctx, request, product);
    case 'video':
      return prepareVideo(ctx, request, product);
    case 'lipsync':
      return prepareLipsync(ctx, request, product);
    case 'render':
      return prepareRender(ctx, request, product);
  }
}
