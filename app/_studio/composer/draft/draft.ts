import type { Purse } from '#lib/ledger/reads/schemas.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { TemplateSummary } from '#lib/studio/templates/registry.ts';

export const KINDS = ['image', 'vector', 'voice', 'video', 'lipsync', 'render'] as const;
export type ComposerKind = (typeof KINDS)[number];

/** A kind as the address names it. */
export const kindOf = (text: string | null | undefined) => KINDS.find((one) => one === text);

type CaseOptions = Pick<ModelEntry, 'limits' | 'references' | 'framesExcludeReferences'>;

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
  wallet: Purse;
  /** Who can give credit: to the member themself, their founders by name. */
  credit: { isFounder: boolean; founders: string[] };
  /** The member’s latest rows, and the ones that the address shows. */
  recent: GenerationView[];
  /** The server’s clock when it drew the page. */
  now: string;
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
type DraftDocument = Pick<DraftReference, 'key' | 'ref' | 'name' | 'thumbnail' | 'refusal'>;

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
  /** How many generations of this request. */
  variants: number;
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
  variants: 1,
  references: [],
};

/** Whether a draft holds anything that someone wrote or chose to bring. */
export function holdsWork(draft: Draft): boolean {
  return (
    draft.references.length > 0 ||
    draft.consentDocument !== null ||
    [draft.brief, draft.text, draft.voiceGenerationId].some((text) => text.trim() !== '') ||
    Object.values(draft.fields).some((fields) => Object.keys(fields).length > 0)
  );
}
