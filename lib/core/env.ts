import { z } from 'zod';

/** Variables that were renamed: the former prefix is read when the new name is absent or empty (S-166). */
const RENAMED = ['PUBLIC_URL', 'RENDER_DISPATCH_TOKEN', 'SPEND_ALERT_USD', 'PROVIDERS'] as const;
const FORMER_PREFIX = 'STUDIO_';

/** Outside services that can be served live: the key of each, the other variables that it requires, and those that it is better with. */
export const PROVIDERS = {
  gateway: { key: 'AI_GATEWAY_API_KEY', needs: [], wants: [] },
  elevenlabs: { key: 'ELEVENLABS_API_KEY', needs: [], wants: ['ELEVENLABS_VOICE_ID'] },
  lipsync: { key: 'LIPSYNC_API_KEY', needs: [], wants: ['LIPSYNC_WEBHOOK_SECRET'] },
  github: {
    key: 'SERVICE_RENDER_DISPATCH_TOKEN',
    needs: ['SERVICE_RENDER_REPOSITORY', 'CALLBACK_SECRET'],
    wants: [],
  },
} as const satisfies Record<
  string,
  { key: Variable; needs: readonly Variable[]; wants: readonly Variable[] }
>;
export type ProviderName = keyof typeof PROVIDERS;
export const PROVIDER_NAMES = Object.keys(PROVIDERS) as readonly ProviderName[];

const SERVICE_ENVS = ['development', 'preview', 'production'] as const;

const optionalText = z.string().trim().min(1).optional();
const secret = (minLength: number) =>
  z.string().min(minLength, `doit compter au moins ${minLength} caractères`).optional();
/** One secret, or two separated by a comma while one replaces the other: each as long as one alone must be. */
const secrets = (minLength: number) =>
  z
    .string()
    .refine((value) => {
      const given = value
        .split(',')
        .map((one) => one.trim())
        .filter((one) => one !== '');
      return given.length > 0 && given.every((one) => one.length >= minLength);
    }, `doit compter au moins ${minLength} caractères, chacun s’il y en a deux`)
    .optional();

/** A secret that is sent as a bearer: the header loses what surrounds it, and cannot hold the rest. */
const bearerSecret = (minLength: number) =>
  z
    .string()
    .trim()
    .min(minLength, `doit compter au moins ${minLength} caractères`)
    .regex(/^[\x21-\x7e]*$/, 'ne doit contenir ni espace ni accent (un en-tête le porte)')
    .optional();

const httpUrl = z
  .string()
  .refine((value) => /^https?:$/.test(urlProtocol(value)), 'doit être une adresse http(s) complète')
  .transform((value) => value.replace(/\/+$/, ''));

function urlProtocol(value: string): string {
  try {
    return new URL(value).protocol;
  } catch {
    return '';
  }
}

/** Browsers say an origin in one spelling, and pages are compared with it: no path, the host in lower case, no port of the scheme. */
const origin = httpUrl
  .refine((value) => {
    const url = URL.parse(value);
    return url !== null && `${url.pathname}${url.search}${url.hash}${url.username}` === '/';
  }, 'doit être une adresse sans chemin (https://atelier.exemple.fr)')
  .transform((value) => URL.parse(value)?.origin ?? value);

const integer = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'doit être un nombre entier')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `doit être compris entre ${min} et ${max}`);

const schema = z.object({
  PORT: integer(0, 65_535).default(3000),
  DATABASE_URL: z
    .string({ error: 'manque (npm start fournit une base embarquée)' })
    .refine((value) => /^postgres(ql)?:$/.test(urlProtocol(value)), 'doit être une adresse postgresql://'),
  /** Who owns the tables, for `npm run migrate` and a started clone; the service itself signs in as DATABASE_URL alone. */
  DATABASE_DIRECT_URL: z
    .string()
    .refine((value) => /^postgres(ql)?:$/.test(urlProtocol(value)), 'doit être une adresse postgresql://')
    .optional(),
  /** Connections of one instance; a function serves few requests at once and there are many of them. */
  DATABASE_POOL_MAX: integer(1, 200).optional(),
  /** 0 behind a pooler in transaction mode that does not follow prepared statements (PgBouncer before 1.21). */
  DATABASE_PREPARED: z.enum(['0', '1'], 'doit être 0 ou 1').default('1'),
  BLOB_READ_WRITE_TOKEN: z
    .string()
    .regex(
      /^vercel_blob_rw_[A-Za-z0-9]+_[A-Za-z0-9]+$/,
      'doit avoir la forme vercel_blob_rw_<magasin>_<secret>',
    )
    .optional(),
  VERCEL_BLOB_API_URL: httpUrl.optional(),
  /** A private bucket of anything that speaks S3, in place of a Blob store. */
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'doit être le nom d’un seau (minuscules, chiffres, tirets)')
    .optional(),
  /** The store's address without the bucket; absent: AWS. */
  S3_ENDPOINT: httpUrl.optional(),
  S3_REGION: z
    .string()
    .regex(/^[a-z0-9-]+$/, 'doit être le nom d’une région')
    .optional(),
  S3_ACCESS_KEY_ID: optionalText,
  S3_SECRET_ACCESS_KEY: optionalText,
  /** 1: the bucket is in the path of addresses, as most stores of one's own want; by default so where S3_ENDPOINT is set. */
  S3_PATH_STYLE: z.enum(['0', '1'], 'doit être 0 ou 1').optional(),
  /** 0 on a store that refuses conditional writes: a signed address then writes more than once until it expires. */
  S3_CONDITIONAL_WRITES: z.enum(['0', '1'], 'doit être 0 ou 1').default('1'),
  SERVICE_ENV: z.enum(SERVICE_ENVS, `doit valoir ${SERVICE_ENVS.join(', ')}`),
  SERVICE_DATA_DIR: z.string().default('.data'),
  SERVICE_PUBLIC_URL: origin.optional(),
  SERVICE_PROVIDERS: z.string().default(''),
  SERVICE_SPEND_ALERT_USD: z
    .string()
    .regex(/^\d+([.,]\d{1,6})?$/, 'doit être un montant en dollars')
    .optional(),
  SERVICE_RENDER_REPOSITORY: z
    .string()
    .regex(/^[\w.-]+\/[\w.-]+$/, 'doit avoir la forme propriétaire/dépôt')
    .optional(),
  SERVICE_RENDER_DISPATCH_TOKEN: optionalText,
  SERVICE_SESSION_SECRET: secret(32),
  /** Seals the webhooks' secrets in the database; one, or two separated by a comma: the first seals, both open. Absent: the session's secret. */
  SERVICE_SEALING_SECRET: secrets(32),
  SERVICE_SMTP_URL: z
    .string()
    .refine((value) => /^smtps?:$/.test(urlProtocol(value)), 'doit être une adresse smtp:// ou smtps://')
    .optional(),
  SERVICE_MAIL_FROM: z.string().default('Atelier <atelier@localhost>'),
  CRON_SECRET: bearerSecret(16),
  /** One or two secrets separated by a comma: the second keeps a rotation open. */
  CALLBACK_SECRET: secrets(16),
  AI_GATEWAY_API_KEY: optionalText,
  /** 1: the gateway asks only providers that keep nothing of a request, and refuses where there is none. */
  AI_GATEWAY_ZERO_RETENTION: z.enum(['0', '1'], 'doit être 0 ou 1').optional(),
  /** Where the gateway's providers run; a request that none can take there is refused. */
  AI_GATEWAY_REGION: z.enum(['eu', 'us'], 'doit être eu ou us').optional(),
  ELEVENLABS_API_KEY: optionalText,
  ELEVENLABS_VOICE_ID: optionalText,
  LIPSYNC_API_KEY: optionalText,
  /** Signs the lipsync service's webhooks; one, or two separated by a comma during a rotation. Absent: reads and the sweep close its jobs. */
  LIPSYNC_WEBHOOK_SECRET: optionalText,
  /** What `npm run voice` may say in a month; the web does not read it. */
  VOICE_MONTHLY_CHARACTERS: integer(1, 1_000_000_000).default(100_000),
  /** Proxies of the operator's before the service, of which each appends to `x-forwarded-for`. 0: the connection's own address. */
  TRUSTED_PROXY_HOPS: integer(0, 10).default(0),
  /** Requests that one account may make in a minute, all keys, applications and sessions together; see lib/identity/rate/rate-limit.ts. */
  SERVICE_ACCOUNT_RATE: integer(60, 100_000_000).optional(),
  /** Opens the outbox page, outside production; `npm start` makes one and prints it. */
  SERVICE_OUTBOX_TOKEN: secret(32),
  /** Set by the hosting platform, which serves https alone and writes `x-vercel-forwarded-for` itself. */
  VERCEL: optionalText,
});

type Variable = keyof z.output<typeof schema>;

export type Env = z.output<typeof schema> & {
  SERVICE_SESSION_SECRET: string;
  /** Services that run live. Outside production every other one answers from recorded answers. */
  liveProviders: ReadonlySet<ProviderName>;
  /** Services that are unavailable: those without their key and, in production, those that are not live. */
  absentProviders: ReadonlySet<ProviderName>;
  isProduction: boolean;
};

/** Every fault of the configuration, one line each. */
export class ConfigurationError extends Error {
  readonly problems: string[];
  constructor(problems: string[]) {
    super(`Configuration invalide\u00a0:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`);
    this.name = 'ConfigurationError';
    this.problems = problems;
  }
}

function withFormerNames(source: Record<string, string | undefined>): Record<string, string | undefined> {
  const result: Record<string, string | undefined> = {};
  for (const [name, value] of Object.entries(source))
    if (value !== undefined && value !== '') result[name] = value;
  for (const name of RENAMED) result[`SERVICE_${name}`] ??= result[`${FORMER_PREFIX}${name}`];
  result.SERVICE_ENV ??= result.VERCEL_ENV ?? 'production';
  return result;
}

/** The public address of the service, without a final slash, for commands that need nothing else of its configuration. */
export function publicUrlOf(source: Record<string, string | undefined>): string | undefined {
  return withFormerNames(source).SERVICE_PUBLIC_URL?.replace(/\/+$/, '');
}

type Listed = { live: Set<ProviderName>; problems: string[]; byName?: boolean };

function parseProviders(text: string, serviceEnv: string): Listed {
  const mode = text.trim() || (serviceEnv === 'production' ? 'live' : 'fixtures');
  if (mode === 'live') return { live: new Set(PROVIDER_NAMES), problems: [] };
  if (mode === 'fixtures') return { live: new Set(), problems: [] };
  const names = mode.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !Object.hasOwn(PROVIDERS, name));
  return {
    live: new Set(names as ProviderName[]),
    byName: true,
    problems: unknown.map(
      (name) =>
        `SERVICE_PROVIDERS\u00a0: «\u00a0${name}\u00a0» est inconnu (live, fixtures, ou une liste parmi ${PROVIDER_NAMES.join(', ')})`,
    ),
  };
}

/** The variables that a service lacks, by name. */
function missingKeys(service: ProviderName, source: Record<string, unknown>): string[] {
  const { key, needs } = PROVIDERS[service];
  return [key, ...needs].filter((name) => !source[name]);
}

function sentencesOf(error: z.ZodError): string[] {
  return error.issues.map((issue) => `${issue.path.join('.')} : ${issue.message}`);
}

/** One file store, and all that it needs. */
function storeProblems(named: Record<string, string | undefined>): string[] {
  if (!named.S3_BUCKET) return [];
  const missing = ['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'S3_REGION'].filter((name) => !named[name]);
  return [
    ...missing.map((name) => `${name}\u00a0: manque, et S3_BUCKET est donné`),
    ...(named.BLOB_READ_WRITE_TOKEN
      ? ['S3_BUCKET\u00a0: un seul magasin, et BLOB_READ_WRITE_TOKEN en nomme un autre']
      : []),
  ];
}

/** Reads the configuration once, pure. Throws ConfigurationError that names every fault at once. */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const named = withFormerNames(source);
  const parsed = schema.safeParse(named);
  const problems = parsed.success ? [] : sentencesOf(parsed.error);
  const serviceEnv = named.SERVICE_ENV ?? 'production';
  const providers = parseProviders(named.SERVICE_PROVIDERS ?? '', serviceEnv);
  problems.push(...providers.problems);
  if (!named.SERVICE_SESSION_SECRET)
    problems.push('SERVICE_SESSION_SECRET\u00a0: manque (32 caractères au moins)');
  problems.push(...storeProblems(named));
  if (serviceEnv === 'production') {
    for (const name of ['CRON_SECRET', 'CALLBACK_SECRET', 'SERVICE_SMTP_URL'])
      if (!named[name]) problems.push(`${name}\u00a0: obligatoire en production`);
    // The addresses that assistants and providers are given, and the only Host that MCP answers: never told by a request.
    if (!named.SERVICE_PUBLIC_URL?.startsWith('https://'))
      problems.push('SERVICE_PUBLIC_URL\u00a0: obligatoire en production, en https');
    // A service that is listed by its name is meant to answer; « live » alone serves with those that have their key.
    for (const service of PROVIDER_NAMES)
      if (providers.byName && providers.live.has(service))
        for (const name of missingKeys(service, named))
          problems.push(`${name}\u00a0: manque, et SERVICE_PROVIDERS nomme ${service}`);
  }
  if (problems.length > 0 || !parsed.success) throw new ConfigurationError(problems);
  return {
    ...parsed.data,
    SERVICE_SESSION_SECRET: named.SERVICE_SESSION_SECRET as string,
    liveProviders: providers.live,
    absentProviders: new Set(
      PROVIDER_NAMES.filter((service) =>
        providers.live.has(service)
          ? missingKeys(service, parsed.data).length > 0
          : serviceEnv === 'production',
      ),
    ),
    isProduction: serviceEnv === 'production',
  };
}

/** The keys of the outside services, as configured. */
export function providerKeys(config: Env): Record<ProviderName, string | undefined> {
  const keys = PROVIDER_NAMES.map((name) => [name, config[PROVIDERS[name].key]] as const);
  return Object.fromEntries(keys) as Record<ProviderName, string | undefined>;
}

const voiceSchema = schema.pick({
  ELEVENLABS_API_KEY: true,
  ELEVENLABS_VOICE_ID: true,
  VOICE_MONTHLY_CHARACTERS: true,
});
type VoiceEnv = z.output<typeof voiceSchema> & Pick<Env, 'liveProviders'>;

/** What the voice pipeline reads of the configuration: it needs no database and no secret. Throws as `parseEnv` does. */
export function parseVoiceEnv(source: Record<string, string | undefined>): VoiceEnv {
  const named = withFormerNames(source);
  const parsed = voiceSchema.safeParse(named);
  const providers = parseProviders(named.SERVICE_PROVIDERS ?? '', named.SERVICE_ENV ?? 'production');
  const problems = [...(parsed.success ? [] : sentencesOf(parsed.error)), ...providers.problems];
  if (problems.length > 0 || !parsed.success) throw new ConfigurationError(problems);
  return { ...parsed.data, liveProviders: providers.live };
}

/** Every variable that the service reads, by its present name. */
export const VARIABLES = Object.keys(schema.shape);

let cached: Env | undefined;

/** The process's configuration, parsed at first use and at boot (instrumentation.ts). */
export function env(): Env {
  cached ??= parseEnv(process.env);
  return cached;
}
