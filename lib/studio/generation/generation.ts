import type { Selectable } from 'kysely';
import type { Micros } from '#lib/core/money.ts';
import type { AssetType, ClosedBy, DB, GenerationKind, GenerationState } from '#lib/db/generated/tables.ts';
import {
  type Artifact,
  type Params,
  parseArtifacts,
  parseParams,
  parseReferences,
  type References,
} from './params.ts';

/** A row of the journal as the lifecycle handles it. */
export type Generation = {
  id: string;
  accountId: string;
  memberId: string;
  productId: string;
  kind: GenerationKind;
  assetType: AssetType;
  state: GenerationState;
  params: Params;
  references: References;
  provider: string | null;
  modelId: string | null;
  providerJobId: string | null;
  providerOperation: string | null;
  gatewayGenerationId: string | null;
  artifacts: Artifact[];
  chargePending: boolean;
  heldMicros: Micros;
  costMicros: Micros | null;
  code: string | null;
  message: string | null;
  errorMessage: string | null;
  idempotencyFingerprint: Uint8Array | null;
  createdAt: Date;
  startedAt: Date | null;
  submittedAt: Date | null;
  deadlineAt: Date;
  dueAt: Date;
  readableAt: Date | null;
  closedAt: Date | null;
  closedBy: ClosedBy | null;
  filesDeletedAt: Date | null;
  filesDeletedBy: string | null;
  relaunchOfId: string | null;
  ancestorId: string | null;
  consentId: string | null;
  requestId: string;
  traceId: string | null;
};

/** The columns of a row, for a `select` or a `returning`. The webhook secret is never among them. */
export const GENERATION_COLUMNS = [
  'id',
  'accountId',
  'memberId',
  'productId',
  'kind',
  'assetType',
  'state',
  'params',
  'references',
  'provider',
  'modelId',
  'providerJobId',
  'providerOperation',
  'gatewayGenerationId',
  'artifacts',
  'chargePending',
  'heldMicros',
  'costMicros',
  'code',
  'message',
  'errorMessage',
  'idempotencyFingerprint',
  'createdAt',
  'startedAt',
  'submittedAt',
  'deadlineAt',
  'dueAt',
  'readableAt',
  'closedAt',
  'closedBy',
  'filesDeletedAt',
  'filesDeletedBy',
  'relaunchOfId',
  'ancestorId',
  'consentId',
  'requestId',
  'traceId',
] as const satisfies readonly (keyof Generation)[];

type Column = (typeof GENERATION_COLUMNS)[number];
/** A row as the database gives it. */
export type GenerationRow = Pick<Selectable<DB['Generation']>, Column>;

/** The same columns of a table that has another name in its statement. */
export function generationColumns<A extends string>(alias: A): `${A}.${Column}`[] {
  return GENERATION_COLUMNS.map((name) => `${alias}.${name}` as const);
}

/** A row as the database gave it, its JSON read through its types. */
export function readGeneration(row: GenerationRow): Generation {
  return {
    ...row,
    params: parseParams(row.params),
    references: parseReferences(row.references),
    artifacts: parseArtifacts(row.artifacts),
  };
}
