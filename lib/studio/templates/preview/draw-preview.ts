import type { AccountActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { requireProduct } from '#lib/storage/refusals.ts';
import { loadSharp } from '../../composition/load-sharp.ts';
import { drawTemplate } from '../draw.ts';
import { PhotoError } from '../drawing/images.ts';
import { exampleFields, findTemplate } from '../registry.ts';
import { withPlaceholders } from './check-template.ts';
import { withDrawingSlot } from './drawing-slots.ts';
import { fillFields } from './fill-fields.ts';

/** Enough for a screen; the render itself keeps every pixel. */
const PREVIEW_WIDTH = 900;
const EXAMPLE_WIDTH = 640;

type PreviewInput = {
  templateId: string;
  size: string;
  fields: unknown;
  productId: string;
  /** 0-based page of a template that gives several files. */
  page?: number;
};

/**
 * The PNG of a template as the render will draw it, smaller, for the product's brand; holes are filled as `fillFields` says.
 * Nothing is debited, kept or read from the network. Errors: `not_found`, `invalid` (fields, size, characters), `unavailable`.
 */
export async function drawPreview(
  ctx: Context<AccountActor>,
  input: PreviewInput,
  signal?: AbortSignal,
): Promise<Buffer> {
  const template = findTemplate(input.templateId);
  if (!template) throw new ServiceError('not_found');
  const product = requireProduct(ctx, input.productId);
  const fields = withPlaceholders(template, fillFields(template, input.fields).fields);
  const draw = async () => {
    const [file] = await drawTemplate(template.id, fields, {
      size: input.size,
      brand: { name: product.id === 'libre' ? '' : product.name, ...product.brand?.colours },
      placeholders: true,
      page: input.page ?? 0,
      owner: ctx.actor.accountId,
    }).catch((error: unknown) => {
      if (!(error instanceof PhotoError)) throw error;
      throw new ServiceError('invalid', { detail: 'image', message: 'Cette image n’a pas pu être lue.' });
    });
    if (!file) throw new ServiceError('not_found');
    return smaller(file.bytes, PREVIEW_WIDTH);
  };
  return withDrawingSlot(ctx.actor.accountId, draw, signal);
}

const examples = new Map<string, Promise<Buffer>>();

/** The example of a template in its first size, drawn once by this process. Errors: `not_found`. */
export function drawExample(templateId: string): Promise<Buffer> {
  const template = findTemplate(templateId);
  const size = template?.sizes[0];
  if (!template || !size) return Promise.reject(new ServiceError('not_found'));
  let drawing = examples.get(templateId);
  if (!drawing) {
    drawing = withDrawingSlot('examples', async () => {
      const [file] = await drawTemplate(templateId, exampleFields(template), {
        size: size.id,
        placeholders: true,
        page: 0,
      });
      if (!file) throw new ServiceError('not_found');
      return smaller(file.bytes, EXAMPLE_WIDTH);
    });
    examples.set(templateId, drawing);
    drawing.catch(() => examples.delete(templateId));
  }
  return drawing;
}

/** Scaled down when the image library is there; as drawn otherwise. */
async function smaller(png: Buffer, width: number): Promise<Buffer> {
  const sharp = await loadSharp().catch(() => null);
  return sharp ? sharp(png).resize({ width, withoutEnlargement: true }).png().toBuffer() : png;
}
