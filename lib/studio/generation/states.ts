import { type Expression, type RawBuilder, sql } from 'kysely';
import type { GenerationKind } from '#lib/db/generated/tables.ts';

/** Kinds whose job outlives the request at a provider that can be asked how it goes. */
export const PROVIDER_JOB_KINDS = ['VIDEO', 'MOTION', 'LIPSYNC'] as const satisfies readonly GenerationKind[];
/** Kinds that end outside of the request: those, and renders, ended by a callback. */
export const ASYNCHRONOUS_KINDS = [...PROVIDER_JOB_KINDS, 'RENDER'] as const;

/** Whether a generation of this kind is a job whose provider can be asked how it goes. */
export function isProviderJob(kind: GenerationKind): boolean {
  return (PROVIDER_JOB_KINDS as readonly GenerationKind[]).includes(kind);
}

/** `"kind" in (…)`, as constants of the text. */
export function isKindOf(
  column: string | Expression<GenerationKind>,
  kinds: readonly GenerationKind[],
): RawBuilder<boolean> {
  const kind = typeof column === 'string' ? sql.ref(column) : column;
  return sql<boolean>`${kind} in (${sql.join(kinds.map((one) => sql.lit(one)))})`;
}
