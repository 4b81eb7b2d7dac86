import type { AccountActor } from '#lib/core/actor.ts';
import type { Product } from '#lib/products/types.ts';
import type { StudioContext } from '../context.ts';
import { refuseInvalid } from '../kinds/checks.ts';
import type { Prepared } from '../kinds/kind.ts';
import type { RequestOf } from '../request.ts';
import { prepareEdit } from './prepare-edit.ts';
import { prepareUpscale } from './prepare-upscale.ts';

type RetouchRequest = RequestOf<'image'>;

const FIELDS = {
  'image-edit': ['aspectRatio', 'references', 'startImage', 'composition', 'scale'],
  'image-upscale': ['aspectRatio', 'startImage', 'composition', 'edit', 'seed', 'skills', 'spaceId'],
} as const;

/** Whether a case makes one picture of another: it has fields of its own. */
export function isRetouch(name: string): name is keyof typeof FIELDS {
  return Object.hasOwn(FIELDS, name);
}

/** A kept picture drawn again within a mask, or made larger. */
export async function prepareRetouch(
  ctx: StudioContext<AccountActor>,
  request: RetouchRequest,
  product: Product,
): Promise<Prepared> {
  if (!isRetouch(request.case)) throw new RangeError('this case draws a new picture');
  for (const field of FIELDS[request.case])
    refuseInvalid(
      field,
      request[field] === undefined ? [] : [{ field, message: 'Ce modèle n’a pas ce réglage.' }],
    );
  return request.case === 'image-edit'
    ? prepareEdit(ctx, request, product)
    : prepareUpscale(ctx, request, product);
}
