import type { ComposerData, Draft, FieldValue, Role } from './draft.ts';
import { sentPlaces } from './list-items.ts';
import { compositionOf, EDIT_CASE, isUpscale, rolesOf, UPSCALE_CASE } from './roles.ts';

/** The text of an enlarged image in the journal. */
const UPSCALE_BRIEF = 'Agrandissement de l’image.';

/** A number as it is typed: « 1 000 », « 0,5 », « 0, » on the way to it. What is none stays a text, which the server refuses under its field. */
const number = (text: string) => {
  const typed = text.replace(/\s/g, '');
  if (typed === '') return undefined;
  return /^-?\d+[.,]?\d*$/.test(typed) ? Number(typed.replace(',', '.')) : text;
};
const text = (value: string) => value.trim() || undefined;

/** The body of `POST /api/generations` for a draft: only what its kind and its model accept. Undefined values are omitted from the JSON. */
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
        // A composition has the format of its product.
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
        fields: filledFields(draft, data),
      };
  }
}

/** The fields of a template, without the empty ones: the template decides whether one is missing. */
function filledFields({ template, fields }: Draft, { templates }: ComposerData): Record<string, FieldValue> {
  const known = templates.find(({ id }) => id === template)?.fields;
  return Object.fromEntries(
    Object.entries(fields[template] ?? {}).flatMap(([id, value]): [string, FieldValue][] => {
      if (typeof value === 'string') return value.trim() ? [[id, value]] : [];
      const field = known?.find((one) => one.id === id);
      const items = field ? sentPlaces(field, value).map((at) => value[at] ?? {}) : value;
      return items.length > 0 ? [[id, items]] : [];
    }),
  );
}
