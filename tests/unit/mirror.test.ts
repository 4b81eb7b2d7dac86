import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { readImports } from '#tests/setup/sources/import-graph.ts';

/** Folders of tests whose subject is not a folder of lib. */
const OTHER_SUBJECTS: Readonly<Record<string, string>> = {
  'tests/unit/admin': 'scripts/admin, and what a command says of a fault',
  'tests/unit/client': 'packages/client',
  'tests/unit/cockpit': 'app/_cockpit',
  'tests/unit/cockpit-pages': 'app/(cockpit)',
  'tests/unit/deploy': 'scripts/deploy, and the tree that a host gets',
  'tests/unit/docs': 'docs, the READMEs and app/_docs',
  'tests/unit/pages': 'what every page says, and asks of a browser',
  'tests/unit/simulation':
    'tests/simulation: how a history that went wrong is shortened, what its judge finds',
  'tests/unit/studio-pages': 'app/_studio',
  'tests/unit/ui': 'app/_ui',
  'tests/integration/admin': 'scripts/admin',
  'tests/integration/scripts': 'scripts, the commit hook, and the options of commands',
  'tests/integration/telemetry': 'spans and logs of all parts together',
  'tests/integration/ui': 'app/_ui',
};

/** Those of them whose subject is one folder of app, which their own folders mirror. */
const MIRROR_APP = Object.keys(OTHER_SUBJECTS).filter(
  (folder) => folder.startsWith('tests/unit/') && OTHER_SUBJECTS[folder]?.startsWith('app/'),
);

/** Tests of a folder of lib that import nothing from it, and why. */
const IMPORT_NOTHING: Readonly<Record<string, string>> = {
  'tests/integration/brain/export-hold.test.ts': 'asks the route, whose process may not be held',
  'tests/integration/brain/reader-deployed.test.ts': 'runs the reader of documents out of a copy of the tree',
  'tests/integration/core/stopping.test.ts': 'what `stopping` of a context (lib/core) ends, wherever it is',
  'tests/integration/db/paged-lists.test.ts': 'plans of lists that are elsewhere in lib',
  'tests/integration/storage/media/clip-deployed.test.ts': 'probes a clip out of a copy of the tree',
  'tests/unit/core/child-process/deployed-entries.test.ts': 'reads which entries the sources name',
  'tests/unit/db/data-layer.test.ts': 'reads in all sources who else reaches the data',
  'tests/unit/db/migrations-lint.test.ts': 'lints prisma/migrations',
};

const files = globSync('tests/{unit,integration}/**/*.ts', { cwd: repositoryRoot })
  .map((file) => file.split(path.sep).join('/'))
  .sort();
/** `tests/unit/brain` for anything below it; a file above such a folder is about the whole tree. */
const subjectOf = (file: string) => file.split('/').slice(0, 3).join('/');
const mirroring = files.filter((file) => file.split('/').length > 3 && !(subjectOf(file) in OTHER_SUBJECTS));
const libOf = (place: string) => place.replace(/^tests\/[^/]+\//, 'lib/');

/** The imports between tests. What stands for the whole service (tests/setup, tests/factories) is no subject, and is not read. */
const imports = new Map<string, string[]>();
for (const { from, to } of readImports(['tests/unit', 'tests/integration', 'tests/bench', 'tests/eval']))
  imports.set(from, [...(imports.get(from) ?? []), to]);

/** Whether a file imports something of a part of lib, directly or through files of those folders. */
function importsOf(file: string, part: string, seen = new Set<string>()): boolean {
  if (seen.has(file)) return false;
  seen.add(file);
  return (imports.get(file) ?? []).some((to) => to.startsWith(`${part}/`) || importsOf(to, part, seen));
}

describe('tests mirror lib', () => {
  it('every folder of tests/unit and tests/integration is one of lib, or is listed with its subject', () => {
    const folders = [...new Set(mirroring.map((file) => path.posix.dirname(file)))];
    expect(folders.length).toBeGreaterThan(25);
    expect(folders.filter((folder) => !existsSync(path.join(repositoryRoot, libOf(folder))))).toEqual([]);
  });

  it('every test of a folder of lib imports something of it, or is listed with its reason', () => {
    const tests = mirroring.filter((file) => file.endsWith('.test.ts'));
    expect(tests.length).toBeGreaterThan(150);
    const strays = tests.filter((file) => !importsOf(file, libOf(subjectOf(file))));
    expect(strays).toEqual(Object.keys(IMPORT_NOTHING).sort());
  });

  it('a folder of tests of the pages is one of app, and every test in it names something of that folder', () => {
    const tests = files.filter((file) => file.endsWith('.test.ts') && MIRROR_APP.includes(subjectOf(file)));
    const nested = tests.filter((file) => file.split('/').length > 4);
    expect(nested.length).toBeGreaterThan(45);
    const strays = nested.filter((file) => {
      const subject = path.posix
        .dirname(file)
        .replace(subjectOf(file), OTHER_SUBJECTS[subjectOf(file)] ?? '');
      const source = readFileSync(path.join(repositoryRoot, file), 'utf8');
      return (
        !existsSync(path.join(repositoryRoot, subject)) ||
        ![`${subject}/`, `${subject}'`].some((name) => source.includes(name))
      );
    });
    expect(strays).toEqual([]);
  });

  it('no listed folder is gone, nor has become one of lib', () => {
    const gone = Object.keys(OTHER_SUBJECTS).filter(
      (folder) =>
        !files.some((file) => subjectOf(file) === folder) ||
        existsSync(path.join(repositoryRoot, libOf(folder))),
    );
    expect(gone).toEqual([]);
  });
});
