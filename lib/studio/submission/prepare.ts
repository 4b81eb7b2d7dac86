import type { AccountActor } from '#lib/core/actor.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { SERVICE_WORDS, generation as sentences } from '#lib/messages/studio.ts';
import type { Product } from '#lib/products/types.ts';
import { modelFor } from '#lib/providers/models/catalogue.ts';
import type { StudioContext } from '../context.ts';
import { prepareImage } from '../kinds/image.ts';
import type { Prepared } from '../kinds/kind.ts';
import { prepareLipsync } from '../kinds/lipsync.ts';
import { prepareRender } from '../kinds/render.ts';
import { prepareVector } from '../kinds/vector.ts';
import { prepareVideo } from '../kinds/video.ts';
import { prepareVoice } from '../kinds/voice.ts';
import { withOwnPathnames } from '../references/own-pathnames.ts';
import type { GenerationRequest } from '../request.ts';
import { isRetouch, prepareRetouch } from '../retouch/prepare-retouch.ts';

/** Checks, reads and prices a request of any kind. Every refusal comes from here: nothing is written or debited yet. */
export function prepare(
  ctx: StudioContext<AccountActor>,
  request: GenerationRequest,
  product: Product,
): Promise<Prepared> {
  return withOwnPathnames(request, ctx.studio.config, (plain) => prepareKind(ctx, plain, product));
}

/** Throws `not_configured` when the service that makes this is not served here: nothing was read, held or asked. */
function requireService(ctx: StudioContext<AccountActor>, request: GenerationRequest): void {
  const { service, unserved } = modelFor(request.kind === 'lipsync' ? 'lipsync' : request.case);
  const mode = ctx.studio.providers.modes[service];
  if (unserved && mode === 'live')
    throw new ServiceError('not_configured', { detail: request.case ?? '', message: sentences.caseUnserved });
  if (mode !== 'absent') return;
  throw new ServiceError('not_configured', {
    detail: service,
    message: sentences.serviceAbsent.replace('{service}', SERVICE_WORDS[service].name),
  });
}

function prepareKind(
  ctx: StudioContext<AccountActor>,
  request: GenerationRequest,
  product: Product,
): Promise<Prepared> {
  requireService(ctx, request);
  switch (request.kind) {
    case 'image':
      return isRetouch(request.case)
        ? prepareRetouch(ctx, request, product)
        : prepareImage(ctx, request, product);
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
