import { ServiceError } from '#lib/core/errors.ts';
import { decodeInTurn } from '#lib/storage/media/decode-in-turn.ts';
import { coverage, maskOpacity } from './blend.ts';
import { loadSharp, type SharpFactory, type SharpLoader } from './load-sharp.ts';
import {
  COMPOSITION_LIMITS,
  type CompositionFailure,
  failed,
  maskLevels,
  type Size,
  sameProportions,
  sizeOf,
  sizeOfRatio,
} from './pixels.ts';

type CompositionRequest = {
  product: Uint8Array;
  mask: Uint8Array;
  /** Asked by the caller; absent: the product decides. */
  aspectRatio?: string | undefined;
  /** What the model can draw, as `4:3`. */
  offered: readonly string[];
  /** The account whose pictures they are: they are decoded in turn. */
  owner?: string;
};

/**
 * All that can be known of a composition before anybody is paid: both pictures' sizes and proportions, what the mask opens, and
 * the format to draw in, which is the product's. Gives that format. Throws `composition-unavailable`, or `composition-failed`
 * with a problem that names the field.
 */
export async function checkComposition(
  request: CompositionRequest,
  options: { load?: SharpLoader } = {},
): Promise<{ aspectRatio: string }> {
  const sharp = await loadSharp(options.load);
  const product = await about('composition.product', () => sizeOf(sharp, request.product));
  const { mask, owner = '' } = request;
  await checkMask(sharp, mask, { picture: product, field: 'composition.mask', owner });
  return { aspectRatio: formatOf(product, request) };
}

/** The picture that a mask is for, the field that names the mask, the account whose they are, and the opacity that opens (any, by default). */
type MaskOf = { picture: Size; field: string; owner: string; opensFrom?: number };

/**
 * Checks that a mask has the proportions of its picture and opens from 0.1 to 95 % of it. Errors: `composition-failed`, naming the field of
 * the mask. Masks are decoded in turn.
 */
export function checkMask(sharp: SharpFactory, mask: Uint8Array, of: MaskOf): Promise<void> {
  return about(of.field, () => judgeMask(sharp, mask, of));
}

async function judgeMask(
  sharp: SharpFactory,
  mask: Uint8Array,
  { picture: product, field, owner, opensFrom }: MaskOf,
): Promise<void> {
  const size = await sizeOf(sharp, mask);
  if (!sameProportions(size, product))
    throw failed('proportions', {
      problem: {
        field,
        message: `Le masque (${dimensions(size)}) n’a pas les proportions ${field === 'edit.mask' ? 'de l’image' : 'du produit'} (${dimensions(product)})\u00a0: rien n’a été débité.`,
      },
    });
  const open = await decodeInTurn(owner, async () =>
    coverage(await maskOpacity(await maskLevels(sharp, mask, product)), opensFrom),
  );
  if (open >= COMPOSITION_LIMITS.minCoverage && open <= COMPOSITION_LIMITS.maxCoverage) return;
  throw failed('mask-coverage', {
    problem: {
      field,
      message: `Le masque ouvre ${percent.format(100 * open)}\u00a0% de l’image, il doit en ouvrir de 0,1\u00a0% à 95\u00a0%\u00a0: rien n’a été débité.`,
    },
  });
}

function formatOf(product: Size, { aspectRatio, offered }: CompositionRequest): string {
  const fits = offered.find((ratio) => sameProportions(sizeOfRatio(ratio), product));
  if (aspectRatio !== undefined && sameProportions(sizeOfRatio(aspectRatio), product)) return aspectRatio;
  if (fits && aspectRatio === undefined) return fits;
  const problem = fits
    ? {
        field: 'aspectRatio',
        message: `Le format ${aspectRatio} n’est pas celui du produit (${dimensions(product)})\u00a0: demandez ${fits}. Rien n’a été débité.`,
      }
    : {
        field: 'composition.product',
        message: `Ce modèle n’a aucun format aux proportions du produit (${dimensions(product)})\u00a0: recadrez-le en ${offered.join(', ')}. Rien n’a été débité.`,
      };
  throw failed('proportions', { problem });
}

const percent = new Intl.NumberFormat('fr-FR', { maximumFractionDigits: 2 });
const dimensions = ({ width, height }: Size) => `${width}\u00a0×\u00a0${height}`;

const SENTENCES: Partial<Record<CompositionFailure, string>> = {
  'too-large': 'Cette image dépasse 24\u00a0millions de pixels\u00a0: réduisez-la. Rien n’a été débité.',
  unreadable: 'Cette image n’a pas pu être lue pour la composition\u00a0: rien n’a été débité.',
};

/** A problem with one picture is reported under its field. */
async function about<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof ServiceError && cause.options.problems) throw cause;
    const detail =
      cause instanceof ServiceError ? (cause.options.detail as CompositionFailure) : 'unreadable';
    const message = SENTENCES[detail];
    throw failed(detail, { problem: message ? { field, message } : undefined, cause });
  }
}
