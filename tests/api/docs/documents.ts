import { contextApiDocument } from '#app/api/_documents/context-api.ts';
import { studioApiDocument } from '#app/api/_documents/studio-api.ts';

export const DOCUMENTS = [contextApiDocument, studioApiDocument].map((document) =>
  document('https://atelier.example'),
);

/** The identifiers of a document's operations. */
export const operationIdsOf = ({ paths }: (typeof DOCUMENTS)[number]): string[] =>
  Object.values(paths ?? {}).flatMap((item) =>
    Object.values(item ?? {}).flatMap((operation) => operation?.operationId ?? []),
  );
