import { describe, expect, it } from 'vitest';
import { type Import, readImports, ringsOf } from '#tests/setup/import-graph.ts';

// Type imports count: whoever reads one of two files that name each other has to read both.
const imports = readImports(['app', 'lib']);

/** Rings that are still there, to be undone: a ring that goes must leave this list, and none may join it. */
const KNOWN_FILE_RINGS: string[][] = [
  ['app/_ui/action/menu-panel.tsx', 'app/_ui/action/menu.tsx'],
  ['app/(public)/docs/_reference/operation.tsx', 'app/(public)/docs/_reference/schema-fields.tsx'],
  [
    'lib/providers/elevenlabs/recorded-answers.ts',
    'lib/providers/fixtures/recorded-transport.ts',
    'lib/providers/gateway/recorded-answers.ts',
    'lib/providers/gateway/recorded-video-answers.ts',
    'lib/providers/github/recorded-answers.ts',
    'lib/providers/lipsync/recorded-answers.ts',
  ],
  [
    'lib/providers/models/catalogue.ts',
    'lib/providers/models/image.ts',
    'lib/providers/models/video.ts',
    'lib/providers/models/voice.ts',
  ],
  ['lib/providers/ports-render.ts', 'lib/providers/ports-voice.ts', 'lib/providers/ports.ts'],
  ['lib/providers/transport-status.ts', 'lib/providers/transport.ts'],
];
const KNOWN_FOLDER_RINGS: string[][] = [
  ['app/_cockpit', 'app/_ui', 'app/_ui/action', 'app/_ui/overlay', 'app/_ui/state', 'app/_ui/text'],
  ['app/(cockpit)/creer', 'app/_studio/composer'],
  ['app/(cockpit)/journal', 'app/_studio/detail', 'app/_studio/journal'],
  ['app/api/_documents', 'app/api/v1'],
  ['lib/core', 'lib/db'],
  ['lib/mcp', 'lib/mcp/tools'],
  [
    'lib/providers',
    'lib/providers/elevenlabs',
    'lib/providers/fixtures',
    'lib/providers/gateway',
    'lib/providers/github',
    'lib/providers/lipsync',
    'lib/providers/models',
  ],
];

/** What a folder may import lies further down, or on its own line. */
const LAYERS = [
  ['app'],
  ['lib/http', 'lib/local'],
  ['lib/brain', 'lib/studio', 'lib/oauth', 'lib/mcp', 'lib/storage'],
  ['lib/ledger', 'lib/identity', 'lib/providers', 'lib/products'],
  ['lib/core', 'lib/db'],
  ['lib/messages'],
];
const layerOf = (file: string) =>
  LAYERS.findIndex((folders) => folders.some((folder) => file.startsWith(`${folder}/`)));

/** A route's folder is its address and a page's is its part: below `app` and each part of `lib`, one level counts. */
const folderOf = (file: string) => file.split('/').slice(0, -1).slice(0, 3).join('/');
const betweenFolders = (list: Import[]) =>
  list.map(({ from, to }) => ({ from: folderOf(from), to: folderOf(to) }));

describe('imports', () => {
  it('go one way: app, the edge, the parts, what they stand on, core', () => {
    const upward = imports.filter(
      ({ from, to }) => layerOf(to) < layerOf(from) && !from.startsWith('lib/messages/'),
    );
    expect(upward.map(({ from, to }) => `${from} imports ${to}`)).toEqual([]);
    expect(
      [...new Set(imports.flatMap(({ from, to }) => [from, to]))].filter((file) => layerOf(file) < 0),
    ).toEqual([]);
  });

  it('make no ring of files', () => {
    expect(ringsOf(imports)).toEqual(KNOWN_FILE_RINGS);
  });

  it('make no ring of folders', () => {
    expect(ringsOf(betweenFolders(imports))).toEqual(KNOWN_FOLDER_RINGS);
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
