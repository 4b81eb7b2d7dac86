import { FREE_PRODUCT } from '#lib/products/types.ts';
import type { ComposerData, Draft, Role } from './draft.ts';

export const ROLE_LABELS: Record<Role, string> = {
  images: 'Référence',
  startImage: 'Image de début',
  endImage: 'Image de fin',
  characters: 'Personnage',
  clips: 'Clip',
  clip: 'Clip qui parle',
  character: 'Personnage qui parle',
  product: 'Produit à garder intact',
  mask: 'Masque',
  source: 'Image de départ',
  fields: 'Image du gabarit',
};

/** Roles that one reference alone may hold. */
export const SINGLE: ReadonlySet<Role> = new Set([
  'startImage',
  'endImage',
  'clip',
  'character',
  'product',
  'mask',
  'source',
]);

/** The image that is drawn without a background: nothing is composed with it. */
export const TRANSPARENT_CASE = 'image-transparent';

/** Cases that make one image of another: drawn again within a mask, or larger. */
export const EDIT_CASE = 'image-edit';
export const UPSCALE_CASE = 'image-upscale';

/** The roles of an image's references; a case that is not named here takes them all. */
const IMAGE_ROLES: Record<string, Role[]> = {
  [TRANSPARENT_CASE]: ['images'],
  [EDIT_CASE]: ['source', 'mask'],
  [UPSCALE_CASE]: ['source'],
};

/** Whether the draft asks for an image that is made larger: it sends no words. */
export const isUpscale = ({ kind, imageCase }: Draft) => kind === 'image' && imageCase === UPSCALE_CASE;

/** The roles that a reference may take for the kind and the case now chosen. */
export function rolesOf(draft: Draft, data: ComposerData): Role[] {
  if (draft.kind === 'image')
    return IMAGE_ROLES[draft.imageCase] ?? ['images', 'startImage', 'product', 'mask'];
  if (draft.kind === 'lipsync') return ['clip', 'character'];
  if (draft.kind === 'render') return takesPictures(draft, data) ? ['fields'] : [];
  if (draft.kind !== 'video') return [];
  const rules = data.cases[draft.videoCase]?.references ?? {};
  const roles: [Role, boolean][] = [
    ['startImage', 'start-image' in rules],
    ['endImage', 'end-image' in rules],
    ['characters', 'character' in rules],
    ['clips', 'clip' in rules],
  ];
  return roles.filter(([, offered]) => offered).map(([role]) => role);
}

/** Whether a field of the template at hand is a picture. */
function takesPictures(draft: Draft, data: ComposerData): boolean {
  const template = data.templates.find(({ id }) => id === draft.template) ?? data.templates[0];
  return (
    template?.fields.some(({ kind, item }) =>
      [{ kind }, ...(item ?? [])].some((one) => one.kind === 'image'),
    ) === true
  );
}

/** The role that a new reference takes: one that fits its type, and that is still free when only one may hold it. */
export function firstRole(draft: Draft, data: ComposerData, contentType: string): Role {
  const roles = rolesOf(draft, data);
  const moves = contentType.startsWith('video/');
  const fits = roles.filter((role) => (role === 'clips' || role === 'clip') === moves);
  const free = fits.find((role) => !SINGLE.has(role) || !draft.references.some((one) => one.role === role));
  return free ?? fits[0] ?? roles[0] ?? 'images';
}

/** The avatars that a request for this product may take: its own and the free ones. */
export function avatarsFor(productId: string, data: ComposerData): ComposerData['avatars'] {
  return data.avatars.filter((one) => one.productId === productId || one.productId === FREE_PRODUCT);
}

/** The product to keep and its mask, once both are in; of an image alone. */
export function compositionOf(draft: Draft): { product: string; mask: string } | undefined {
  const held = (role: Role) =>
    draft.references.find((one) => one.role === role && one.ref && !one.refusal)?.ref ?? undefined;
  const [product, mask] = [held('product'), held('mask')];
  const composes = draft.kind === 'image' && IMAGE_ROLES[draft.imageCase] === undefined;
  return composes && product && mask ? { product, mask } : undefined;
}
