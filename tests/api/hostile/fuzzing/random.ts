/** Chance that can be played again: the same seed gives the same requests. */
export function generator(seed: number) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  return { next, pick: <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T };
}

export type Random = ReturnType<typeof generator>;

export const TEXTS = [
  '',
  ' ',
  'a',
  '0',
  '-1',
  'null',
  'é',
  '\u0000',
  '%00',
  '\ud800',
  '🪔',
  "' OR 1=1 --",
  '<script>',
  '../../etc/passwd',
  '..%2f..%2f',
  '{{7*7}}',
  '$' + '{7*7}',
  'a'.repeat(300),
  '1e309',
  '__proto__',
  'constructor',
  '\r\nX-Injected: 1',
  'ITEMS',
  'IDENTITY,ITEMS',
  'spc_x',
  'gen_x',
  '2026-13-45',
  '9'.repeat(30),
];

/** Texts that a parser, a rule or a regular expression could choke on, as large as a body may be and larger. */
export const LONG_TEXTS = [
  'a'.repeat(130_000),
  '_a_ __'.repeat(20_000),
  '*a_'.repeat(30_000),
  `<p>${'<b>'.repeat(20_000)}${'<p>'.repeat(10_000)}`,
  `---\n${Array.from({ length: 9_000 }, (_, n) => `cle${n}: a`).join('\n')}\n---\n`,
  '# Titre\n\ntexte\n'.repeat(6_000),
  '['.repeat(60_000),
  '> '.repeat(40_000),
  '`'.repeat(100_000),
  ' '.repeat(120_000),
  '\n'.repeat(120_000),
  'e\u0301'.repeat(40_000),
  '🪔'.repeat(30_000),
  '\u202e\u{e0041}'.repeat(20_000),
  'https://a.example/'.repeat(6_000),
  `${'9'.repeat(60_000)}.${'9'.repeat(60_000)}`,
  'mot '.repeat(32_000),
  'x'.repeat(1_100_000),
];

export const NAMES = [
  'q',
  'limit',
  'cursor',
  'pillars',
  'maxChars',
  'spaceId',
  'pillar',
  'status',
  'kind',
  'from',
  'to',
  'productId',
  'memberId',
  'case',
  'client_id',
  'redirect_uri',
  'code',
  'resource',
  'scope',
  'state',
  'token',
  'grant_type',
  '__proto__',
  'é',
];

const FIELDS = [
  ...NAMES,
  'title',
  'body',
  'parentId',
  'brief',
  'references',
  'settings',
  'voiceId',
  'template',
  'fields',
  'url',
  'type',
  'payload',
];

/** Any JSON: wrong types, depths, names and lengths. */
export function hostileValue(random: Random, depth = 0): unknown {
  const roll = random.next();
  if (roll < 0.01 && depth < 3) return random.pick(LONG_TEXTS);
  if (roll < 0.45 || depth > 4) return random.pick(TEXTS);
  if (roll < 0.6) return random.pick([0, -1, 1.5, 1e308, 2 ** 53, true, false, null]);
  if (roll < 0.75)
    return Array.from({ length: Math.floor(random.next() * 4) }, () => hostileValue(random, depth + 1));
  return Object.fromEntries(
    Array.from({ length: Math.floor(random.next() * 6) }, () => [
      random.pick(FIELDS),
      hostileValue(random, depth + 1),
    ]),
  );
}
