import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { repositoryRoot } from '#lib/local/paths.ts';

/** Files of half a minute and more, or of ten seconds in few lines: started last, one would leave all other cores idle. */
const LONG = [
  'tests/integration/admin/admin.test.ts',
  'tests/integration/brain/imports/hostile-imports.test.ts',
  'tests/api/hostile/roles.test.ts',
  'tests/api/hostile/spaces.test.ts',
  'tests/api/hostile/tenancy.test.ts',
  'tests/api/hostile/texts/texts.test.ts',
  'tests/properties/files-life.test.ts',
  'tests/properties/studio-lifecycle.test.ts',
  'tests/integration/studio/templates/template-drawing.test.ts',
  'tests/e2e/account/desk.test.ts',
  'tests/e2e/brain/brain-reading.test.ts',
  'tests/e2e/brain/brain.test.ts',
  'tests/e2e/service/client-package.test.ts',
  'tests/e2e/service/damaged-build.test.ts',
  'tests/e2e/service/documentation.test.ts',
  'tests/e2e/service/graceful-stop.test.ts',
  'tests/e2e/service/packaged-browser.test.ts',
  'tests/e2e/studio/composer/results.test.ts',
  'tests/e2e/studio/composer/studio-compose.test.ts',
  'tests/e2e/studio/studio.test.ts',
];

/** Vitest's own order (longest first, once it has measured them), but with the files of `LONG` first in their project, also in a fresh clone. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project.name))];
    return projects.flatMap((name) => {
      const ours = sorted.filter(({ project }) => project.name === name);
      const isLong = ({ moduleId }: TestSpecification) =>
        LONG.includes(path.relative(repositoryRoot, moduleId).split(path.sep).join('/'));
      return [...ours.filter(isLong), ...ours.filter((file) => !isLong(file))];
    });
  }
}
