import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { repositoryRoot } from '#lib/local/paths.ts';

type Step = { uses?: string; run?: string; with?: Record<string, unknown> };
type Workflow = {
  permissions?: unknown;
  jobs: Record<string, { 'timeout-minutes'?: number; environment?: string; steps: Step[] }>;
};

const folder = path.join(repositoryRoot, '.github/workflows');
const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(path.join(folder, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const stepsOf = ({ workflow }: (typeof workflows)[number]) =>
  Object.values(workflow.jobs).flatMap(({ steps }) => steps);

it('every action of every workflow is pinned to a commit whose version is told, and leaves no token behind', () => {
  const faults = workflows.flatMap((one) =>
    stepsOf(one).flatMap(({ uses, with: inputs }) => {
      if (!uses) return [];
      const wrong: string[] = [];
      if (!/@[0-9a-f]{40}$/.test(uses) || !new RegExp(`${uses} # v\\d+\\.\\d+\\.\\d+`).test(one.text))
        wrong.push(`${one.name}: ${uses} is not pinned`);
      if (uses.startsWith('actions/checkout@') && inputs?.['persist-credentials'] !== false)
        wrong.push(`${one.name}: the checkout keeps its token`);
      return wrong;
    }),
  );
  expect(faults).toEqual([]);
  expect(workflows.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['atelier-render.yml', 'ci.yml', 'codeql.yml', 'supply-chain.yml']),
  );
});

it('every workflow may only read unless one of its jobs says otherwise, and every job ends', () => {
  for (const { name, workflow } of workflows) {
    expect(workflow.permissions, name).toEqual({ contents: 'read' });
    for (const job of Object.values(workflow.jobs)) expect(job['timeout-minutes'], name).toBeGreaterThan(0);
  }
});

it('a job that is given a secret runs in a protected environment, and nowhere else does a secret appear', () => {
  const holders = workflows.flatMap(({ name, text, workflow }) => {
    const secrets = [...text.matchAll(/secrets\.(\w+)/g)].filter(([, secret]) => secret !== 'GITHUB_TOKEN');
    const jobs = Object.values(workflow.jobs).filter((job) =>
      /secrets\.(?!GITHUB_TOKEN)/.test(JSON.stringify(job)),
    );
    return secrets.length === 0
      ? []
      : [{ name, secrets: secrets.length, environments: jobs.map(({ environment }) => environment) }];
  });
  expect(holders).toEqual([{ name: 'atelier-render.yml', secrets: 1, environments: ['atelier-render'] }]);
});

it('the supply chain is asked after: advisories, signatures, a list of packages, updates, code scanning', () => {
  const named = (name: string) => workflows.find((one) => one.name === name);
  const runs = stepsOf(named('supply-chain.yml') as (typeof workflows)[number]).map(({ run }) => run ?? '');
  for (const command of ['npm audit signatures', 'npm run audit:deps', 'npm run --silent sbom'])
    expect(
      runs.some((run) => run.includes(command)),
      command,
    ).toBe(true);
  expect(named('codeql.yml')?.text).toMatch(/github\/codeql-action\/analyze@/);
  const updates = parse(readFileSync(path.join(folder, '../dependabot.yml'), 'utf8')) as {
    updates: { 'package-ecosystem': string }[];
  };
  const systems = updates.updates.map((one) => one['package-ecosystem']).sort();
  expect(systems).toEqual(expect.arrayContaining(['github-actions', 'npm']));
});

it('what lands has passed .ci/run, which is npm test on the packaged browser', () => {
  const ci = workflows.find(({ name }) => name === 'ci.yml');
  expect(ci && stepsOf(ci).map(({ run }) => run)).toContain('.ci/run');
  const script = readFileSync(path.join(repositoryRoot, '.ci/run'), 'utf8');
  expect(script).toMatch(/^unset ATELIER_CHROMIUM\nexec npm test$/m);
});
