import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Import, readImports, ringsOf } from '#tests/setup/sources/import-graph.ts';

// Type imports count too: to read one of two files that name each other, one has to read both.
const imports = readImports(['app', 'lib']);

/** A folder may import those further down, and those on its own line. */
const LAYERS = [
  // The services of an unconfigured clone: nothing that is deployed imports them.
  ['lib/local'],
  ['app'],
  ['lib/http'],
  ['lib/brain', 'lib/studio', 'lib/oauth', 'lib/mcp', 'lib/storage', 'lib/webhooks'],
  ['lib/ledger', 'lib/identity', 'lib/providers', 'lib/products'],
  ['lib/core'],
  ['lib/db'],
  ['lib/messages'],
];
const layerOf = (file: string) =>
  LAYERS.findIndex((folders) => folders.some((folder) => file.startsWith(`${folder}/`)));

/** Below `app` and each part of `lib`, one level of folders counts. The folder of a route is its address, so all of it counts. */
const folderOf = (file: string) =>
  file.endsWith('/route.ts')
    ? path.posix.dirname(file)
    : path.posix.dirname(file).split('/').slice(0, 3).join('/');
/** Files that Next finds by their names and nothing imports: their folder is their address, not their subject. */
const ENTRY = /^app\/.*\b(page|layout|loading|error|not-found|route)\.tsx?$/;
/** The folder itself, at any depth. */
const deepFolderOf = (file: string) => (ENTRY.test(file) ? file : path.posix.dirname(file));
/** `lib/brain`, `lib/core`…; `app` is a single part. */
const partOf = (file: string) => (file.startsWith('app/') ? 'app' : file.split('/').slice(0, 2).join('/'));
const between = (list: Import[], groupOf: (file: string) => string) =>
  list.map(({ from, to }) => ({ from: groupOf(from), to: groupOf(to) }));

describe('imports', () => {
  it('go one way: the local services, app, the edge, the parts, what they stand on, core, the data', () => {
    const upward = imports.filter(
      ({ from, to }) => layerOf(to) < layerOf(from) && !from.startsWith('lib/messages/'),
    );
    expect(upward.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    expect(
      [...new Set(imports.flatMap(({ from, to }) => [from, to]))].filter((file) => layerOf(file) < 0),
    ).toEqual([]);
  });

  it('make no ring of files', () => {
    expect(ringsOf(imports)).toEqual([]);
  });

  it('make no ring of folders at any depth, nor of the parts of lib', () => {
    expect(ringsOf(between(imports, folderOf))).toEqual([]);
    expect(ringsOf(between(imports, deepFolderOf))).toEqual([]);
    expect(ringsOf(between(imports, partOf))).toEqual([]);
  });

  it('are all read: a ring that is put in is found, and so is a type import', () => {
    const both = [
      ...imports,
      { from: 'lib/core/money.ts', to: 'lib/brain/new.ts', typeOnly: true },
      { from: 'lib/brain/new.ts', to: 'lib/core/money.ts', typeOnly: true },
    ];
    expect(ringsOf(both).length).toBe(ringsOf(imports).length + 1);
    expect(imports.filter(({ typeOnly }) => typeOnly).length).toBeGreaterThan(500);
    expect(imports.length).toBeGreaterThan(2_000);
  });
});
