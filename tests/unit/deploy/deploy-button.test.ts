import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseEnv as readEnvFile } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { ConfigurationError, parseEnv } from '#lib/core/env.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import {
  BUTTON_IMAGE,
  buttonMarkdown,
  cloneAddress,
  originOf,
  repositoryPage,
  VERCEL_VARIABLES,
  variablesBlock,
} from '../../../scripts/deploy/deploy-button.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');

/** The variables that only the operator knows, filled in. */
const FILLED = {
  DATABASE_URL: 'postgresql://app:secret@pooler.example/atelier',
  DATABASE_DIRECT_URL: 'postgresql://owner:secret@database.example/atelier',
  SERVICE_PUBLIC_URL: 'https://atelier.example',
  SERVICE_SMTP_URL: 'smtps://user:secret@mail.example:465',
  SERVICE_MAIL_FROM: 'Atelier <atelier@atelier.example>',
  BLOB_READ_WRITE_TOKEN: 'vercel_blob_rw_store_secret',
};

test('a production boots with the variables of the button and nothing else, and without any that docs/deploy.md marks it does not', () => {
  const made = readEnvFile(variablesBlock()) as Record<string, string>;
  expect(Object.keys(made).sort()).toEqual(VERCEL_VARIABLES.map(({ name }) => name).sort());
  const given: Record<string, string> = { VERCEL: '1', VERCEL_ENV: 'production', ...made, ...FILLED };
  expect(parseEnv(given).isProduction).toBe(true);
  const needed = [...read('docs/deploy.md').matchAll(/`([A-Z_]+)` \*/g)].map(([, name]) => name as string);
  expect(needed.length).toBeGreaterThan(4);
  for (const name of needed) {
    expect(Object.keys(made)).toContain(name);
    expect(() => parseEnv({ ...given, [name]: '' }), name).toThrow(ConfigurationError);
  }
});

test('each variable that docs/deploy.md calls a random text is printed with one, and no other is', () => {
  const rows = read('docs/deploy.md')
    .split('\n')
    .filter((line) => /^\| `[^|]*\|[^|]*random text/.test(line));
  const named = rows.flatMap((row) =>
    [...(row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g)].map(([, name]) => name as string),
  );
  expect(named).toContain('SERVICE_SEALING_SECRET');
  const made = VERCEL_VARIABLES.filter(({ random }) => random).map(({ name }) => name);
  expect(made.sort()).toEqual(named.sort());
});

test('the secrets that are printed are made each time, and none is in the address', () => {
  const [one, other] = [readEnvFile(variablesBlock()), readEnvFile(variablesBlock())];
  for (const { name, random } of VERCEL_VARIABLES) {
    if (random) expect(one[name], name).not.toBe(other[name]);
    else expect(one[name], name).toBe('');
  }
  const { searchParams } = new URL(cloneAddress('https://github.com/maison/atelier'));
  expect(searchParams.get('env')).toBe(VERCEL_VARIABLES.map(({ name }) => name).join(','));
  expect([...searchParams.keys()].sort()).toEqual(
    ['env', 'envDescription', 'envLink', 'project-name', 'repository-name', 'repository-url'].sort(),
  );
});

test('the repository is the reader’s own: of an address however git writes it, or of the clone’s origin', () => {
  for (const remote of [
    'https://github.com/maison/atelier',
    'https://github.com/maison/atelier.git',
    'https://token@github.com/maison/atelier.git',
    'git@github.com:maison/atelier.git',
    'ssh://git@github.com:22/maison/atelier.git',
  ])
    expect(repositoryPage(remote), remote).toBe('https://github.com/maison/atelier');
  for (const folder of ['/srv/atelier', '../atelier', ''])
    expect(repositoryPage(folder), folder).toBe(undefined);
  expect(buttonMarkdown('https://github.com/maison/atelier')).toContain(
    'repository-url=https%3A%2F%2Fgithub.com%2Fmaison%2Fatelier&',
  );

  const clone = mkdtempSync(path.join(tmpdir(), 'atelier-origin-'));
  onTestFinished(() => rmSync(clone, { recursive: true, force: true }));
  expect(originOf(clone)).toBe(undefined);
  mkdirSync(path.join(clone, '.git'));
  writeFileSync(
    path.join(clone, '.git/config'),
    '[core]\n\tbare = false\n[remote "upstream"]\n\turl = https://example.com/other\n[remote "origin"]\n\turl = git@github.com:maison/atelier.git\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n',
  );
  expect(originOf(clone)).toBe('git@github.com:maison/atelier.git');
});

test('both READMEs and docs/deploy.md show the button, drawn by the repository itself, which lets the reader choose the repository', () => {
  expect(existsSync(path.join(repositoryRoot, BUTTON_IMAGE))).toBe(true);
  for (const [page, image] of [
    ['README.md', BUTTON_IMAGE],
    ['README.fr.md', BUTTON_IMAGE],
    ['docs/deploy.md', 'images/deploy-on-vercel.svg'],
  ] as const)
    expect(read(page), page).toMatch(
      new RegExp(`\\[!\\[[^\\]]+\\]\\(${image}\\)\\]\\(https://vercel\\.com/new\\)`),
    );
});
