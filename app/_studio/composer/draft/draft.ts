import { FREE_PRODUCT } from '#lib/products/types.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import type { WalletView } from '#lib/studio/preview/preview-generation.ts';
import type { TemplateSummary } from '#lib/studio/templates/registry.ts';

export type ComposerKind = 'image' | 'vector' | 'voice' | 'video' | 'lipsync' | 'render';

export type CaseOptions = Pick<ModelEntry, 'limits' | 'references' | 'framesExcludeReferences'>;

/** All that the composer chooses from; plain data, made by the page. */
export type ComposerData = {
  memberId: string;
  products: { id: string; name: string; tone: string | null; promises: string[]; shopDomains: string[] }[];
  spaces: { id: string; name: string }[];
  skills: { id: string; label: string; kinds: readonly string[] }[];
  cases: Record<string, CaseOptions>;
  /** The cases of a video, in the order in which they are offered. */
  videoCases: readonly string[];
  templates: TemplateSummary[];
  avatars: { id: string; name: string; url: string; productId: string }[];
  wallet: WalletView;
};

export type Role =
  | 'images'
  | 'startImage'
  | 'endImage'
  | 'characters'
  | 'clips'
  | 'clip'
  | 'character'
  | 'product'
  | 'mask'
  | 'source'
  | 'fields';

/** A file or an address given as a reference; `ref` is null until it is in. */
export type DraftReference = {
  key: string;
  role: Role;
  ref: string | null;
  name: string;
  contentType?: string;
  durationMs?: number;
  thumbnail?: string;
  /** 0 to 1 while it comes in; absent when it is not measured. */
  progress?: number;
  refusal?: string;
};

/** The scan of a signed document; `ref` is null until it is in. */
export type DraftDocument = Pick<DraftReference, 'key' | 'ref' | 'name' | 'thumbnail' | 'refusal'>;

export type FieldValue = string | Record<string, string>[];

/** Everything typed and chosen, of every kind at once: changing kind loses nothing. */
export type Draft = {
  kind: ComposerKind;
  productId: string;
  spaceId: string;
  brief: string;
  skills: string[];
  imageCase: string;
  imageRatio: string;
  seed: string;
  /** How many times larger, for an image that is made so. */
  scale: string;
  videoCase: string;
  durationSeconds: string;
  videoRatio: string;
  resolution: string;
  audio: boolean;
  text: string;
  voiceId: string;
  stability: string;
  similarityBoost: string;
  speed: string;
  consentName: string;
  consentDate: string;
  consentDocument: DraftDocument | null;
  voiceGenerationId: string;
  template: string;
  size: string;
  fields: Record<string, Record<string, FieldValue>>;
  ancestorId: string;
  references: DraftReference[];
};

/** What the composer's address gives: a whole draft, or some fields of the one at hand. */
export type GivenDraft = { part: Partial<Draft>; whole: boolean };

export const EMPTY_DRAFT: Draft = {
  kind: 'image',
  productId: 'libre',
  spaceId: '',
  brief: '',
  skills: [],
  imageCase: 'image-fast',
  imageRatio: '1:1',
  seed: '',
  scale: '2',
  videoCase: 'veo',
  durationSeconds: '',
  videoRatio: '',
  resolution: '',
  audio: true,
  text: '',
  voiceId: '',
  stability: '',
  similarityBoost: '',
  speed: '',
  consentName: '',
  consentDate: '',
  consentDocument: null,
  voiceGenerationId: '',
  template: 'quote-card',
  size: '',
  fields: {},
  ancestorId: '',
  references: [],
};

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
  fields: 'Image du modèle',
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

/** What the row of an image made larger is called. */
const UPSCALE_BRIEF = 'Agrandissement de l’image.';

/** The roles that a reference may take for the kind and the case now chosen. */
export function rolesOf(draft: Draft, data: ComposerData): Role[] {
  if (draft.kind === 'image')
    return IMAGE_ROLES[draft.imageCase] ?? ['images', 'startImage', 'product', 'mask'];
  if (draft.kind === 'lipsync') return ['clip', 'character'];
  if (draft.kind === 'render') return ['fields'];
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

const number = (text: string) => (text.trim() === '' ? undefined : Number(text.replace(',', '.')));
const text = (value: string) => value.trim() || undefined;

/** The product to keep and its mask, once both are in; of an image alone. */
export function compositionOf(draft: Draft): { product: string; mask: string } | undefined {
  const held = (role: Role) =>
    draft.references.find((one) => one.role === role && one.ref && !one.refusal)?.ref ?? undefined;
  const [product, mask] = [held('product'), held('mask')];
  const composes = draft.kind === 'image' && IMAGE_ROLES[draft.imageCase] === undefined;
  return composes && product && mask ? { product, mask } : undefined;
}

/** The body of `POST /api/generations` for a draft: only what its kind and its model know. Undefined values are left out. */
export function toRequest(draft: Draft, data: ComposerData): Record<string, unknown> {
  const roles = rolesOf(draft, data);
  const refs = (role: Role) =>
    roles.includes(role)
      ? draft.references.flatMap((one) => (one.role === role && one.ref && !one.refusal ? [one.ref] : []))
      : [];
  const many = (role: Role) => {
    const list = refs(role);
    return list.length > 0 ? list : undefined;
  };
  const offered = <T extends string | number>(value: T | undefined, list: readonly T[] | undefined) =>
    value !== undefined && list?.includes(value) ? value : undefined;
  const common = { productId: draft.productId, ancestorId: text(draft.ancestorId) };
  const prompted = {
    ...common,
    brief: draft.brief,
    skills: draft.skills.length > 0 ? draft.skills : undefined,
    spaceId: text(draft.spaceId),
  };
  switch (draft.kind) {
    case 'image': {
      const composition = compositionOf(draft);
      const limits = data.cases[draft.imageCase]?.limits ?? {};
      const [image] = refs('source');
      const [mask] = refs('mask');
      if (isUpscale(draft))
        return {
          kind: 'image',
          ...common,
          brief: UPSCALE_BRIEF,
          case: UPSCALE_CASE,
          references: many('source'),
          scale: offered(number(draft.scale), limits.scales) ?? limits.scales?.[0],
        };
      return {
        kind: 'image',
        ...prompted,
        case: draft.imageCase,
        // A composition is drawn in the format of its product.
        aspectRatio: composition ? undefined : offered(draft.imageRatio, limits.aspectRatios),
        seed: limits.seed === 'never' ? undefined : number(draft.seed),
        references: many('images'),
        startImage: refs('startImage')[0],
        composition,
        edit: draft.imageCase === EDIT_CASE && image && mask ? { image, mask } : undefined,
      };
    }
    case 'vector':
      return { kind: 'vector', ...prompted };
    case 'voice':
      return {
        kind: 'voice',
        ...common,
        text: draft.text,
        voiceId: text(draft.voiceId),
        stability: number(draft.stability),
        similarityBoost: number(draft.similarityBoost),
        speed: number(draft.speed),
        consent:
          draft.consentName.trim() && draft.consentDate
            ? {
                personName: draft.consentName,
                signedAt: draft.consentDate,
                document: draft.consentDocument?.ref ?? undefined,
              }
            : undefined,
      };
    case 'video': {
      const limits = data.cases[draft.videoCase]?.limits ?? {};
      return {
        kind: 'video',
        ...prompted,
        case: draft.videoCase,
        durationSeconds: offered(number(draft.durationSeconds), limits.durationsSeconds),
        aspectRatio: offered(text(draft.videoRatio), limits.aspectRatios),
        resolution: offered(text(draft.resolution), limits.resolutions),
        generateAudio: (limits.audio ?? 'choice') === 'choice' ? draft.audio : undefined,
        startImage: refs('startImage')[0],
        endImage: refs('endImage')[0],
        characters: many('characters'),
        clips: many('clips'),
      };
    }
    case 'lipsync':
      return {
        kind: 'lipsync',
        ...common,
        voiceGenerationId: draft.voiceGenerationId,
        clip: refs('clip')[0],
        character: refs('clip')[0] ? undefined : refs('character')[0],
      };
    case 'render':
      return {
        kind: 'render',
        ...common,
        template: draft.template,
        size: draft.size || data.templates.find((one) => one.id === draft.template)?.sizes[0]?.id,
        fields: filledFields(draft.fields[draft.template] ?? {}),
      };
  }
}

/** Empty optional fields are not sent: the template decides whether one is missing. */
function filledFields(fields: Record<string, FieldValue>): Record<string, FieldValue> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) =>
      typeof value === 'string' ? value.trim() !== '' : value.length > 0,
    ),
  );
}
