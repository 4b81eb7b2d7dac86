import type { Selectable } from 'kysely';
import { Prisma } from '#lib/db/generated/prisma/browser.ts';
import type { DB } from '#lib/db/generated/tables.ts';
import {
  type Artifact,
  type Params,
  parseArtifacts,
  parseParams,
  parseReferences,
  type References,
} from './params.ts';

/** What a row is never carried about with: the webhook secret, the member's key, and what filters, search and triggers alone read. */
const LEFT_OUT = [
  'providerWebhookSecret',
  'idempotencyKey',
  'statusKey',
  'caseName',
  'searchText',
  'updatedAt',
] as const satisfies readonly (keyof DB['Generation'])[];

type Column = Exclude<keyof DB['Generation'], (typeof LEFT_OUT)[number]>;
const isLeftOut = (name: string) => (LEFT_OUT as readonly string[]).includes(name);

/** The columns of a row, for a `select` or a `returning`: all of the schema's but those left out. */
export const GENERATION_COLUMNS = Object.values(Prisma.GenerationScalarFieldEnum).filter(
  (name): name is Column => !isLeftOut(name),
);

/** A row as the database gives it. */
export type GenerationRow = Pick<Selectable<DB['Generation']>, Column>;

/** A row of the journal as the lifecycle handles it. */
export type Generation = Omit<GenerationRow, 'params' | 'references' | 'artifacts'> & {
  params: Params;
  references: References;
  artifacts: Artifact[];
};

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
