import path from 'node:path';
import { expect, test } from 'vitest';
import { contextApiDocument } from '#app/api/_documents/context-api.ts';
import { studioApiDocument } from '#app/api/_documents/studio-api.ts';
import {
  clientFolder,
  type OpenApiDocument,
  operationsTable,
  typesOf,
} from '#tests/setup/sources/client-package.ts';

const ORIGIN = 'https://atelier.example';
const asSent = (document: unknown) => JSON.parse(JSON.stringify(document)) as OpenApiDocument;
const documents = {
  context: asSent(contextApiDocument(ORIGIN)),
  studio: asSent(studioApiDocument(ORIGIN)),
};
const inPackage = (file: string) => path.join(clientFolder, file);

test.each(['context', 'studio'] as const)('the client’s %s types are those of the routes', async (name) => {
  const document = documents[name];
  await expect(`${JSON.stringify(document, null, 1)}\n`).toMatchFileSnapshot(
    inPackage(`openapi/${name}.json`),
  );
  await expect(await typesOf(document)).toMatchFileSnapshot(inPackage(`src/generated/${name}.ts`));
});

test('the client’s table of operations is that of the routes', async () => {
  const table = operationsTable(Object.values(documents));
  await expect(table).toMatchFileSnapshot(inPackage('src/generated/operations.ts'));
});
