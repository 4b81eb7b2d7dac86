import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';

type Entry = { optionalDependencies?: Record<string, string> };
const text = readFileSync(path.join(repositoryRoot, 'package-lock.json'), 'utf8');
const packages = (JSON.parse(text) as { packages: Record<string, Entry> }).packages;

function isLocked(from: string, name: string): boolean {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}

it('the lockfile names the packages of every platform, without which `npm ci` refuses to install', () => {
  const missing = Object.entries(packages).flatMap(([folder, entry]) =>
    Object.keys(entry.optionalDependencies ?? {}).filter((name) => !isLocked(folder, name)),
  );
  expect(missing).toEqual([]);
});

it('the lockfile names no registry host', () => {
  expect(text).not.toMatch(/"resolved": "http/);
});
