import type { Purse } from '#lib/ledger/reads/schemas.ts';
import type { ModelEntry } from '#lib/providers/models/entry.ts';
import type { GenerationView } from '#lib/studio/journal/view.ts';
import type { TemplateSummary } from '#lib/studio/templates/registry.ts';

export const KINDS = ['image', 'vector', 'voice', 'video', 'lipsync', 'render'] as const;
export type ComposerKind = (typeof KINDS)[number];

/** The kind that an address names; undefined if it is unknown. */
export const kindOf = (text: string | null | undefined) => KINDS.find((one) => one === text);

type CaseOptions = Pick<ModelEntry, 'limits' | 'references' | 'framesExcludeReferences'>;

/** Everything that the composer offers to choose from, as plain data prepared by the page. */
export type ComposerData = {
  memberId: string;
  products: { id: string; name: string; tone: string | null; promises: string[]; shopDomains: string[] }[];
  spaces: { id: string; name: string }[];
  skills: { id: string; label: string; kinds: readonly string[] }[];
  cases: Record<string, CaseOptions>;
  /** The cases of a video, in the order of the list. */
  videoCases: readonly string[];
  templates: TemplateSummary[];
  wallet: Purse;
  /** Who can add credit: the member themself (`isFounder`), or the account's founders, by name. */
  credit: { isFounder: boolean; founders: string[] };
  /** The member's latest generations, and those that the address names. */
  recent: GenerationView[];
  /** The server's time when it rendered the page. */
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

/** A file or an address used as a reference; `ref` is null until the file is uploaded. */
export type DraftReference = {
  key: string;
  role: Role;
  ref: string | null;
  name: string;
  contentType?: string;
  durationMs?: number;
  thumbnail?: string;
  /** 0 to 1 during the upload; absent if it is not measured. */
  progress?: number;
  refusal?: string;
};

/** The scan of a signed document; `ref` is null until the file is uploaded. */
type DraftDocument = Pick<DraftReference, 'key' | 'ref' | 'name' | 'thumbnail' | 'refusal'>;

export type FieldValue = string | Record<string, string>[];

/** Everything typed and chosen, for all kinds at once, so that changing the kind loses nothing. */
export type Draft = {
  kind: ComposerKind;
  productId: string;
  spaceId: string;
  brief: string;
  skills: string[];
  imageCase: string;
  imageRatio: string;
  seed: string;
  /** By how much an image is enlarged. */
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
  /** The number of generations to make of this request. */
  variants: number;
  references: DraftReference[];
};

/** What the composer's address gives: a whole draft, or some fields of the current one. */
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

/** Whether a draft holds anything that the member wrote or attached. */
export function holdsWork(draft: Draft): boolean {
  return (
    draft.references.length > 0 ||
    draft.consentDocument !== null ||
    [draft.brief, draft.text, draft.voiceGenerationId].some((text) => text.trim() !== '') ||
    Object.values(draft.fields).some((fields) => Object.keys(fields).length > 0)
  );
}
