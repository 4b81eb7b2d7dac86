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

/** Roles that a single reference may have. */
export const SINGLE: ReadonlySet<Role> = new Set([
  'startImage',
  'endImage',
  'clip',
  'character',
  'product',
  'mask',
  'source',
]);

/** The case of an image without a background, which takes no composition. */
export const TRANSPARENT_CASE = 'image-transparent';

/** Cases that make an image from another one: drawn again within a mask, or enlarged. */
export const EDIT_CASE = 'image-edit';
export const UPSCALE_CASE = 'image-upscale';

/** The roles of an image's references, by case; `rolesOf` has those of the other cases. */
const IMAGE_ROLES: Record<string, Role[]> = {
  [TRANSPARENT_CASE]: ['images'],
  [EDIT_CASE]: ['source', 'mask'],
  [UPSCALE_CASE]: ['source'],
};

/** Whether the draft enlarges an image: such a request has no text. */
export const isUpscale = ({ kind, imageCase }: Draft) => kind === 'image' && imageCase === UPSCALE_CASE;

/** The roles that a reference may have for the current kind and case. */
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

/** Whether a field of the current template takes a picture. */
function takesPictures(draft: Draft, data: ComposerData): boolean {
  const template = data.templates.find(({ id }) => id === draft.template) ?? data.templates[0];
  return (
    template?.fields.some(({ kind, item }) =>
      [{ kind }, ...(item ?? [])].some((one) => one.kind === 'image'),
    ) === true
  );
}

/** The role of a new reference: one that fits its content type, preferably one that is still free if a single reference may have it. */
export function firstRole(draft: Draft, data: ComposerData, contentType: string): Role {
  const roles = rolesOf(draft, data);
  const moves = contentType.startsWith('video/');
  const fits = roles.filter((role) => (role === 'clips' || role === 'clip') === moves);
  const free = fits.find((role) => !SINGLE.has(role) || !draft.references.some((one) => one.role === role));
  return free ?? fits[0] ?? roles[0] ?? 'images';
}

/** The product and its mask, once both are uploaded; undefined otherwise, or for a case without a composition. */
export function compositionOf(draft: Draft): { product: string; mask: string } | undefined {
  const held = (role: Role) =>
    draft.references.find((one) => one.role === role && one.ref && !one.refusal)?.ref ?? undefined;
  const [product, mask] = [held('product'), held('mask')];
  const composes = draft.kind === 'image' && IMAGE_ROLES[draft.imageCase] === undefined;
  return composes && product && mask ? { product, mask } : undefined;
}
