import { type ComposerData, type ComposerKind, type Draft, EMPTY_DRAFT } from './draft.ts';
import { asLanded } from './landed.ts';
import { rolesOf } from './roles.ts';

const PROMPTED = ['brief', 'skills', 'spaceId'] as const;
const FIELDS: Record<ComposerKind, readonly (keyof Draft)[]> = {
  image: [...PROMPTED, 'imageCase', 'imageRatio', 'seed', 'scale'],
  vector: PROMPTED,
  video: [...PROMPTED, 'videoCase', 'durationSeconds', 'videoRatio', 'resolution', 'audio'],
  voice: [
    'text',
    'voiceId',
    'stability',
    'similarityBoost',
    'speed',
    'consentName',
    'consentDate',
    'consentDocument',
  ],
  lipsync: ['voiceGenerationId'],
  render: ['size'],
};

const pick = (draft: Draft, names: readonly (keyof Draft)[]): Partial<Draft> =>
  Object.fromEntries(names.map((name) => [name, draft[name]]));

/**
 * What « Vider » changes, and what restores it: the fields of the current kind and the references in its roles. Other kinds keep theirs. Null if
 * there is nothing to clear.
 */
export function clearKind(
  draft: Draft,
  data: ComposerData,
): { cleared: (now: Draft) => Partial<Draft>; restored: (now: Draft) => Partial<Draft> } | null {
  const names = [...FIELDS[draft.kind], 'ancestorId' as const, 'variants' as const];
  const roles = rolesOf(draft, data);
  const gone = draft.references.filter((one) => roles.includes(one.role));
  const fields = draft.kind === 'render' ? draft.fields[draft.template] : undefined;
  const before = pick(draft, names);
  const same = JSON.stringify(before) === JSON.stringify(pick(EMPTY_DRAFT, names));
  if (same && gone.length === 0 && Object.keys(fields ?? {}).length === 0) return null;
  const keys = new Set(gone.map((one) => one.key));
  const { template } = draft;
  return {
    cleared: (now) => ({
      ...pick(EMPTY_DRAFT, names),
      references: now.references.filter((one) => !keys.has(one.key)),
      ...(fields ? { fields: { ...now.fields, [template]: {} } } : {}),
    }),
    restored: (now) => ({
      ...before,
      ...(before.consentDocument ? { consentDocument: asLanded(before.consentDocument) } : {}),
      references: [...now.references.filter((one) => !keys.has(one.key)), ...gone.map(asLanded)],
      ...(fields ? { fields: { ...now.fields, [template]: fields } } : {}),
    }),
  };
}
