import type { ReferenceFile, References } from '#lib/studio/generation/params.ts';
import { fileUrl } from '#lib/studio/journal/view.ts';
import type { GenerationRequest } from '#lib/studio/request.ts';
import { type Draft, type DraftReference, EMPTY_DRAFT, type FieldValue, type Role } from './draft.ts';

/** The draft that would send a request of the journal again. */
export function fromRequest(request: GenerationRequest, references: References): Draft {
  const base: Draft = { ...EMPTY_DRAFT, kind: request.kind, productId: request.productId };
  if (request.ancestorId) base.ancestorId = request.ancestorId;
  if ('brief' in request) {
    base.brief = request.brief;
    base.skills = request.skills ?? [];
    base.spaceId = request.spaceId ?? '';
  }
  base.references = referencesOf(request, references);
  const said = (value: number | undefined) => (value === undefined ? '' : String(value).replace('.', ','));
  switch (request.kind) {
    case 'image':
      return {
        ...base,
        imageCase: request.case,
        imageRatio: request.aspectRatio ?? base.imageRatio,
        seed: said(request.seed),
        scale: said(request.scale) || base.scale,
      };
    case 'voice':
      return {
        ...base,
        text: request.text,
        voiceId: request.voiceId ?? '',
        stability: said(request.stability),
        similarityBoost: said(request.similarityBoost),
        speed: said(request.speed),
        consentName: request.consent?.personName ?? '',
        consentDate: request.consent?.signedAt ?? '',
        consentDocument: request.consent
          ? { key: request.consent.document, ref: request.consent.document, name: 'Document joint' }
          : null,
      };
    case 'video':
      return {
        ...base,
        videoCase: request.case,
        durationSeconds: said(request.durationSeconds),
        videoRatio: request.aspectRatio ?? '',
        resolution: request.resolution ?? '',
        audio: request.generateAudio ?? true,
      };
    case 'lipsync':
      return { ...base, voiceGenerationId: request.voiceGenerationId };
    case 'render':
      return {
        ...base,
        template: request.template,
        size: request.size,
        fields: { [request.template]: request.fields as Record<string, FieldValue> },
      };
    default:
      return base;
  }
}

function referencesOf(request: GenerationRequest, references: References): DraftReference[] {
  const { roles = {} } = references;
  const speaks = request.kind === 'lipsync';
  const isRetouch = request.kind === 'image' && (request.edit || request.scale !== undefined);
  const lists: [Role, ReferenceFile[]][] = [
    [isRetouch ? 'source' : 'images', roles.images ?? []],
    ['startImage', roles.startImage ? [roles.startImage] : []],
    ['endImage', roles.endImage ? [roles.endImage] : []],
    [speaks ? 'character' : 'characters', roles.character ?? []],
    [speaks ? 'clip' : 'clips', roles.clips ?? []],
    ['product', roles.product ? [roles.product] : []],
    ['mask', roles.mask ? [roles.mask] : []],
    ['fields', Object.values(roles.fields ?? {})],
  ];
  return lists.flatMap(([role, files]) =>
    files.map((file, index) => ({
      key: `${role}-${index}-${file.ref}`,
      role,
      ref: file.ref,
      name: URL.canParse(file.ref) ? new URL(file.ref).hostname : 'Fichier du compte',
      ...(file.contentType ? { contentType: file.contentType } : {}),
      ...(file.durationMs === undefined ? {} : { durationMs: file.durationMs }),
      ...(file.pathname && file.contentType?.startsWith('image/')
        ? { thumbnail: fileUrl(file.pathname) }
        : {}),
    })),
  );
}
