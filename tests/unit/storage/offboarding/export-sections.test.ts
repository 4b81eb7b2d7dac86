import { expect, test } from 'vitest';
import { readSchema } from '#lib/local/prisma/schema-files.ts';
import { SECTIONS } from '#lib/storage/offboarding/sections.ts';

/** Tables that are in no account's export, and why. */
const NOT_EXPORTED: Record<string, string> = {
  // About persons, who may be members of other accounts too: the members themselves are exported.
  Person: 'somebody who signs in, in any account',
  Session: 'a browser that is signed in: what opens it is a secret, and it ends by itself',
  KnownBrowser: 'a browser of a person',
  Passkey: 'a key of a person, for this service alone',
  SignInCode: 'a secret of ten minutes',
  SignInFailure: 'of an address, whoever has it',
  SpentChallenge: 'a secret that was used',
  // Secrets of exported data.
  OAuthCode: 'a secret of a minute; its grant is exported',
  OAuthToken: 'a secret; its grant is exported',
  // Computed from exported data.
  MemorySketch: 'computed from the text of its Memory',
  SearchDocument: 'the search’s index of what the Memories say',
  SearchSegment: 'the search’s index',
  SearchPage: 'the search’s index',
  SearchDead: 'the search’s index',
  // Work in progress.
  ImportBatch: 'what an import under way has yet to write: it is a Memory then',
  AccountExport: 'the export itself',
  AccountExportPart: 'the export itself',
  StorageHold: 'room that is held while a file is sent',
  WebhookThreshold: 'that a threshold was told, so that it is told once: the event that told it is exported',
  // The service's own data.
  CronCursor: 'where a night is',
  CronRun: 'what a night did, for all accounts',
  OAuthClient: 'an application, which any account may authorise',
  OutboxMessage: 'outside production alone, for all accounts',
  RateLimitWindow: 'counts of a minute',
};

async function modelsOf(): Promise<string[]> {
  const { files } = await readSchema();
  return files.flatMap(({ content }) =>
    [...content.matchAll(/^model (\w+) \{/gm)].map(([, name]) => name ?? ''),
  );
}

test('every table is in the export of an account, or is said here not to be, with its reason', async () => {
  const models = await modelsOf();
  expect(models.length).toBeGreaterThan(50);
  const exported = new Set<string>(SECTIONS.flatMap((one) => (one.kind === 'rows' ? [one.table] : [])));
  expect(models.filter((name) => !exported.has(name) && !Object.hasOwn(NOT_EXPORTED, name))).toEqual([]);
  expect(Object.keys(NOT_EXPORTED).filter((name) => exported.has(name) || !models.includes(name))).toEqual(
    [],
  );
});

test('every file that an exported row names by its pathname goes with it', async () => {
  const { files } = await readSchema();
  const naming = files.flatMap(({ content }) =>
    [...content.matchAll(/^model (\w+) \{(.*?)^\}/gms)].flatMap(([, name = '', body = '']) =>
      /^ {2}pathname\s/m.test(body) ? [name] : [],
    ),
  );
  const given = SECTIONS.flatMap((one) => (one.kind === 'files' ? [one.table] : []));
  expect(given.toSorted()).toEqual(naming.toSorted());
});
