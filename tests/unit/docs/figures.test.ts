import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MAX_MEMORY_REQUEST_BYTES } from '#lib/brain/limits.ts';
import { READS_PER_CU } from '#lib/brain/quota/read-quota.ts';
import { parseEnv } from '#lib/core/env.ts';
import { connectionOptions } from '#lib/http/runtime/connection.ts';
import { LIVE_KEYS_PER_MEMBER } from '#lib/identity/keys/key-limit.ts';
import { ACCOUNT_RATE, CREDENTIAL_RATE } from '#lib/identity/rate/rate-limit.ts';
import { repositoryRoot } from '#lib/local/paths.ts';
import { ACCESS_LIFETIME_MS, REFRESH_LIFETIME_MS } from '#lib/oauth/protocol/config.ts';
import { DEFAULT_BUDGETS } from '#lib/providers/budgets.ts';
import { MANIFEST_LIMITS } from '#lib/storage/imports/manifest.ts';
import { PASS_MS } from '#lib/storage/retention/budget.ts';
import { STORAGE_LIMITS } from '#lib/storage/uploads/judge-hold.ts';
import {
  DIVERGENCE_PERCENT,
  RENDER_DEADLINE_MS,
  SETTLE_AFTER_MS,
  VIDEO_DEADLINE_MS,
} from '#lib/studio/limits.ts';

const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8').replace(/\s+/g, ' ');
const english = (value: number) => value.toLocaleString('en-GB');
const minutes = (ms: number) => ms / 60_000;
/** Small numbers as the documents write them in words. */
const IN_WORDS: Readonly<Record<number, string>> = { 2: 'two', 4: 'four', 10: 'ten', 20: 'twenty' };
const words = (value: number) => IN_WORDS[value] ?? String(value);
const EN_LETTRES: Readonly<Record<number, string>> = { 1: 'une', 2: 'deux', 30: 'trente', 100: 'cent' };
const lettres = (value: number) => EN_LETTRES[value] ?? String(value);

/** How long the client waits for a generation unless it is told. */
const [, waitedMinutes = ''] = /maxWaitMs = (\d+) \* 60_000/.exec(read('packages/client/src/wait.ts')) ?? [];

/** Figures that documents write out, from what the service goes by. */
const TOLD: Readonly<Record<string, readonly string[]>> = {
  'docs/tour.md': [
    `at most ${english(MAX_MEMORY_REQUEST_BYTES)} bytes`,
    `${words(minutes(PASS_MS))} minutes when the caller sets none`,
  ],
  'docs/operations.md': [
    `\`SERVICE_ACCOUNT_RATE\`: ${english(ACCOUNT_RATE.requests)} requests a minute`,
    `the ${STORAGE_LIMITS.quotaBytes / 1024 ** 3} GiB that every account has`,
    `the pass used its ${words(minutes(PASS_MS))} minutes`,
    `The first sweep after ${minutes(SETTLE_AFTER_MS)} minutes`,
    `not finished ${words(minutes(VIDEO_DEADLINE_MS) / 60)} hours after its start`,
    `After ${minutes(RENDER_DEADLINE_MS)} minutes without a callback`,
    `After the longest render (${minutes(RENDER_DEADLINE_MS)} minutes)`,
    `from the formula by more than ${DIVERGENCE_PERCENT} %`,
    `at most ${english(MANIFEST_LIMITS.lines)} lines and ${MANIFEST_LIMITS.bytes / 1024 ** 2} MiB`,
  ],
  'docs/deploy.md': [`with ${words(READS_PER_CU)} reads a month for each KiB`],
  'docs/security.md': [`${words(LIVE_KEYS_PER_MEMBER)} active keys per member`],
  'docs/providers.md': (
    [
      ['Image', 'image'],
      ['Pictogram', 'vector'],
      ['Voice', 'voice'],
      ['Video start', 'videoStart'],
      ['Voice origin', 'voiceOrigin'],
    ] as const
  ).map(([call, budget]) => `| ${call} | ${DEFAULT_BUDGETS[budget] / 1_000} |`),
  'app/_docs/content/developer.ts': [
    `Le client attend ${waitedMinutes} minutes au plus`,
    `a ${lettres(minutes(VIDEO_DEADLINE_MS) / 60)} heures, un rendu ${lettres(minutes(RENDER_DEADLINE_MS))} minutes`,
  ],
  'app/_docs/content/assistant.ts': [
    `Un jeton d’accès dure ${lettres(minutes(ACCESS_LIFETIME_MS) / 60)} heure`,
    `sans usage pendant ${lettres(minutes(REFRESH_LIFETIME_MS) / 1_440)} jours`,
  ],
  'app/api/_documents/context-api.ts': [
    `${CREDENTIAL_RATE.requests} requêtes par minute et par identifiants, dont ${CREDENTIAL_RATE.writes} écritures`,
  ],
};

test.each(Object.entries(TOLD))('the figures of %s are those that the service goes by', (file, sentences) => {
  const text = read(file);
  expect(sentences.filter((sentence) => !text.includes(sentence))).toEqual([]);
});

const { SERVICE_ENV, ...LEAST } = {
  DATABASE_URL: 'postgresql://localhost/atelier',
  SERVICE_SESSION_SECRET: 's'.repeat(32),
  SERVICE_ENV: 'development',
};

test('.env.example gives each variable that has a default its default', () => {
  const env = parseEnv({ ...LEAST, SERVICE_ENV });
  const text = readFileSync(path.join(repositoryRoot, '.env.example'), 'utf8');
  const shown = Object.fromEntries(
    [...text.matchAll(/^# ([A-Z][A-Z0-9_]+)=(\S*)/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const optional = {
    SERVICE_ACCOUNT_RATE: ACCOUNT_RATE.requests,
    DATABASE_POOL_MAX: connectionOptions(env).poolMax,
  };
  const defaults = Object.entries({ ...env, ...optional }).filter(
    ([name, value]) =>
      (typeof value === 'string' || typeof value === 'number') && !(name in LEAST) && name !== 'SERVICE_ENV',
  );
  // The free texts: one is an example of what a sender looks like, the other means « as SERVICE_ENV says ».
  const compared = defaults.filter(([name]) => !['SERVICE_MAIL_FROM', 'SERVICE_PROVIDERS'].includes(name));
  expect(compared.map(([name]) => name).sort()).toEqual(
    [
      'DATABASE_POOL_MAX',
      'DATABASE_PREPARED',
      'PORT',
      'S3_CONDITIONAL_WRITES',
      'SERVICE_ACCOUNT_RATE',
      'SERVICE_DATA_DIR',
      'TRUSTED_PROXY_HOPS',
      'VOICE_MONTHLY_CHARACTERS',
    ].sort(),
  );
  expect(Object.fromEntries(compared.map(([name]) => [name, shown[name]]))).toEqual(
    Object.fromEntries(compared.map(([name, value]) => [name, String(value)])),
  );
});

test('docs/deploy.md and .env.example say how many connections an instance opens', () => {
  const pool = (source: object) => connectionOptions(parseEnv({ ...LEAST, SERVICE_ENV, ...source })).poolMax;
  expect(read('docs/deploy.md')).toContain(
    `\`DATABASE_POOL_MAX\` is what one instance opens: ${pool({})}, or ${pool({ VERCEL: '1' })} on Vercel`,
  );
  expect(read('.env.example')).toContain(`connections of one instance (${pool({ VERCEL: '1' })} on Vercel)`);
});
