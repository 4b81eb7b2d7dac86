import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

// The parts of the command, from where it finds them itself: the whole command also asks git for a branch, which a copy of
// the tree lacks.
const command = createRequire(path.join(repositoryRoot, 'node_modules/@changesets/cli/package.json'));
const part = (name: string) => import(pathToFileURL(command.resolve(name)).href);

it('every changeset is about a package that `changeset status` and `changeset version` know, which is the application', async () => {
  const { getPackages } = await part('@manypkg/get-packages');
  const { readConfig } = await part('@changesets/config');
  const { readChangesets } = await part('@changesets/read');
  const { assembleReleasePlan } = await part('@changesets/assemble-release-plan');
  const packages = await getPackages(repositoryRoot);
  const known = packages.packages.map((one: { packageJson: { name: string } }) => one.packageJson.name);
  expect(known).toEqual(['atelier']);
  const { config, errors } = await readConfig(repositoryRoot, packages);
  expect(errors).toBeUndefined();
  const changesets = await readChangesets(repositoryRoot);
  // Throws, with its name, for a changeset about another package.
  const plan = assembleReleasePlan(changesets, packages, config, undefined);
  expect(plan.changesets).toHaveLength(changesets.length);
});
