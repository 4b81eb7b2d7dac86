import { ChildRefused } from '#lib/core/child-process/child-refused.ts';
import { ChildFailure } from '#lib/core/child-process/run-child.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { composeInChild } from './compose-in-child.ts';
import { composePixels } from './compose-pixels.ts';
import type { Composition, CompositionInput } from './composition.ts';
import { loadSharp, type SharpLoader } from './load-sharp.ts';
import { failed, sameProportions, sizeOf, sizeOfRatio } from './pixels.ts';

/** From here a picture is composed in a process of its own: four full ones are held while it lasts. */
const LARGE_PIXELS = 4_000_000;

/**
 * Composes a product onto a generated picture. The result has the product's size, upright, in 8-bit sRGB: « pixel for pixel » is measured on
 * that decoding. The mask is scaled to that size when its proportions agree within 2 %, without new grey levels; the generated picture within
 * twice that, and within 2 % of the requested format (`aspectRatio`). The finished PNG is decoded again and compared outside the mask.
 * Pictures are composed in slots, one at a time for an account (`owner`). Throws `composition-unavailable` or `composition-failed`, whose
 * `detail` is a `CompositionFailure`; as it is, what says nothing of the pictures: no process could be started, or it was stopped.
 */
export async function composeProductImage(
  input: CompositionInput,
  options: { load?: SharpLoader; owner?: string; aspectRatio?: string } = {},
): Promise<Composition> {
  const { load, owner = '', aspectRatio } = options;
  const sharp = await loadSharp(load);
  try {
    const { width, height } = await sizeOf(sharp, input.product);
    if (aspectRatio && !sameProportions(await sizeOf(sharp, input.generated), sizeOfRatio(aspectRatio)))
      throw failed('proportions');
    if (load || width * height < LARGE_PIXELS)
      return await decodeInTurn(owner, () => composePixels(sharp, input));
    return await composeInChild(input, owner);
  } catch (error) {
    throw error instanceof ServiceError || isOurs(error) ? error : failed('unreadable', { cause: error });
  }
}

const isOurs = (error: unknown) =>
  error instanceof ChildRefused || (error instanceof ChildFailure && error.reason === 'stopped');
