import { createId, ID_PREFIXES, type IdKind } from '#lib/core/ids.ts';
import type { PopulatedAccount } from '#tests/factories/populated-account.ts';
import type { TestService } from '#tests/setup/service.ts';
import { generationsWith } from './generation-bodies.ts';
import type { Route, RouteCall } from './routes.ts';

const ID = /\b[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}\b/g;
const KIND_OF_PREFIX = Object.fromEntries(
  Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix, kind as IdKind]),
);

/** The same value with every identifier in it replaced by one that no row has: what a stranger cannot tell from the real one. */
export function unknownTwin(value: string): string {
  return value.replace(ID, (id) => createId(KIND_OF_PREFIX[id.slice(0, 3)] ?? 'request'));
}

/** An answer without what may differ from one call to the next: identifiers (also as words of a search), instants, the caller's own trail of exports. */
export function withoutChance(text: string): string {
  return text
    .replace(/^.*audit\.exported.*(\r?\n|$)/gm, '')
    .replace(/\b(?:[a-z]{3}_)?[0-9a-hjkmnp-tv-z]{26}\b/g, '<id>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, '<at>')
    .replace(/\bwhsec_[A-Za-z0-9+/]{43}=/g, '<secret>')
    .replace(/\b[0-9a-f]{32,64}\b/g, '<hex>');
}

/** Query parameters that name a row, and the kind of row. */
const QUERY_IDS: [name: string, kind: string][] = [
  ['spaceId', 'space'],
  ['memberId', 'member'],
  ['generationId', 'generation'],
  ['memoryId', 'memory'],
  ['assetId', 'asset'],
  ['keyId', 'developerKey'],
  ['subject', 'generation'],
  ['subjectId', 'memory'],
  ['actor', 'member'],
  ['cursor', 'audit'],
  ['cursor', 'generation'],
  ['after', 'ledgerLine'],
  ['before', 'audit'],
  ['q', 'generation'],
  ['id', 'asset'],
];

/** One thing to try: a call as the attacker makes it with the value that belongs to the victim. */
export type Attempt = { what: string; value: string; call(value: string): RouteCall };

const json = (value: unknown): { body: string; headers: Record<string, string> } => ({
  body: JSON.stringify(value),
  headers: { 'content-type': 'application/json' },
});

const mcpCall = (name: string, args: object) => ({
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  headers: {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  },
});

const GENERATES = /\/api\/(dev\/generate|(v1\/)?generations(\/preview|\/variants)?)$/;

/** Bodies that name a row of the victim, by the routes that could read them; `own` is what the attacker may name. */
function bodiesWith(route: Route, kind: string, value: string, own: PopulatedAccount) {
  const ownSpace = own.ids.space?.[0] as string;
  const memory = { pillar: 'KNOWLEDGE', title: 'Titre', body: 'Corps' };
  if (route.pattern === '/api/mcp')
    return [
      ...(kind === 'space' || kind === 'account'
        ? [
            mcpCall('brain_get_context', { spaceId: value }),
            mcpCall('brain_search', { q: 'bougie', spaceId: value }),
            mcpCall('brain_add_memory', { spaceId: value, ...memory }),
            mcpCall('brain_propose_memory', { spaceId: value, ...memory }),
            mcpCall('studio_generate_image', { brief: 'Une bougie', spaceId: value }),
          ]
        : []),
      ...(kind === 'memory'
        ? [
            mcpCall('brain_add_memory', { spaceId: ownSpace, ...memory, parentId: value }),
            mcpCall('brain_propose_memory', { memoryId: value, title: 'Titre', body: 'Corps' }),
            mcpCall('brain_get_memory', { memoryId: value }),
            mcpCall('fetch', { id: value }),
          ]
        : []),
      ...(kind === 'generation' ? [mcpCall('studio_status', { generationId: value })] : []),
    ];
  if (route.pattern.endsWith('/memories'))
    return kind === 'memory' ? [json({ ...memory, parentId: value })] : [];
  if (GENERATES.test(route.pattern)) {
    const bodies = generationsWith(kind, value, own);
    const isSet = route.pattern.endsWith('/variants');
    return bodies.map((request) => json(isSet ? { request, variants: 2 } : request));
  }
  if (route.pattern.includes('upload') && (kind === 'pathname' || kind === 'product'))
    return [
      json({
        type: 'blob.generate-client-token',
        payload: {
          pathname: value,
          callbackUrl: 'http://atelier.test/',
          multipart: false,
          clientPayload: null,
        },
      }),
      json({
        type: 'blob.generate-client-token',
        payload: { pathname: 'a.mp4', multipart: false, clientPayload: JSON.stringify({ productId: value }) },
      }),
    ];
  // Any other route that reads a body gets every usual name for a row, so that a new one is attacked too.
  const name = `${kind === 'developerKey' ? 'key' : kind}Id`;
  return [json({ [name]: value, id: value, pathname: value, productId: value, assetIds: [value] })];
}

/** Everything to try on a route with the identifiers of the victim. */
export function attemptsOn(route: Route, victim: PopulatedAccount, own: PopulatedAccount): Attempt[] {
  const attempts: Attempt[] = [];
  const values = [
    ...Object.entries(victim.ids).flatMap(([kind, ids]) => ids.map((value) => ({ kind, value }))),
    ...victim.pathnames.map((value) => ({ kind: 'pathname', value })),
    { kind: 'product', value: 'lumen-bougies' },
  ];
  const headers = { 'idempotency-key': 'idem-shared', origin: 'http://atelier.test' };
  const isRead = route.method === 'GET';
  for (const { kind, value } of values) {
    if (route.params.length > 0)
      for (const version of route.params.length > 1 ? ['1', '2'] : [''])
        attempts.push({
          what: `path ${kind} ${version}`,
          value,
          call: (id) => ({
            params: Object.fromEntries(
              route.params.map(({ name }, rank) => [name, rank === 0 ? id : version || id]),
            ),
            query: route.pattern.endsWith('/export') ? '?format=json' : '',
            ...(isRead ? { headers } : bodyFor(route, own, headers)),
          }),
        });
    if (isRead) continue;
    for (const rank of bodiesWith(route, kind, value, own).keys())
      attempts.push({
        what: `body ${rank} ${kind}`,
        value,
        call: (id) => {
          const sent = bodiesWith(route, kind, id, own)[rank];
          return {
            params: Object.fromEntries(route.params.map(({ name }) => [name, ownFor(route, own)])),
            body: sent?.body ?? null,
            headers: { ...headers, ...sent?.headers, 'idempotency-key': createId('request') },
          };
        },
      });
  }
  if (isRead)
    for (const [name, kind] of QUERY_IDS)
      for (const value of victim.ids[kind] ?? [])
        attempts.push({
          what: `query ${name}=${kind}`,
          value,
          call: (id) => ({
            params: Object.fromEntries(route.params.map((param) => [param.name, ownFor(route, own)])),
            query: `?${name === 'q' ? '' : route.pattern.endsWith('/search') ? 'q=bougie&' : ''}${name}=${id}`,
            headers,
          }),
        });
  return attempts;
}

/** A body that the route would accept, so that only the identifier is wrong. */
function bodyFor(route: Route, own: PopulatedAccount, headers: Record<string, string>) {
  if (route.pattern.endsWith('/imports')) {
    const form = new FormData();
    form.set('pillar', 'KNOWLEDGE');
    form.set('files', new File(['# Titre\n\nCorps'], 'note.md', { type: 'text/markdown' }));
    return { body: form, headers };
  }
  if (route.pattern.endsWith('/imports/direct')) {
    const sent =
      route.method === 'POST'
        ? { bytes: 10 }
        : { pathname: 'imports/x/y/z', contentType: 'multipart/form-data; boundary=x' };
    return { body: json(sent).body, headers: { ...headers, ...json(sent).headers } };
  }
  const memory = { pillar: 'KNOWLEDGE', title: 'Titre', body: 'Corps' };
  const sent = json(route.pattern.endsWith('/memories') ? memory : { memberId: own.ids.member?.[0] });
  return { body: sent.body, headers: { ...headers, ...sent.headers } };
}

/** An identifier of this account's own that the route's path understands. */
export function ownFor(route: Route, own: PopulatedAccount): string {
  const kind = route.pattern.includes('/spaces')
    ? 'space'
    : route.pattern.includes('/memories')
      ? 'memory'
      : route.pattern.includes('/imports')
        ? 'importJob'
        : 'generation';
  return own.ids[kind]?.[0] as string;
}

/** Everything the database holds of an account, as one checksum per table. Tables without `accountId` are found by what they name. */
export async function rowsOf(
  service: Pick<TestService, 'pool'>,
  account: Pick<PopulatedAccount, 'accountId' | 'ids'>,
  marker: string,
): Promise<Record<string, { rows: number; sum: string }>> {
  const { rows: tables } = await service.pool.query<{ name: string; owned: boolean }>(
    `SELECT t.table_name AS name, bool_or(c.column_name = 'accountId') AS owned
     FROM information_schema.tables t JOIN information_schema.columns c USING (table_schema, table_name)
     WHERE t.table_schema = 'public' AND t.table_type = 'BASE TABLE'
       AND t.table_name NOT IN ('RateLimitWindow', '_prisma_migrations') GROUP BY 1 ORDER BY 1`,
  );
  const names = [marker, marker.toLowerCase(), ...Object.values(account.ids).flat()];
  const sums: Record<string, { rows: number; sum: string }> = {};
  for (const { name, owned } of tables) {
    const where = owned
      ? `t."accountId" = $1`
      : name === 'Account'
        ? `t."id" = $1`
        : `t::text ILIKE ANY (SELECT '%' || n || '%' FROM unnest($1::text[]) AS n)`;
    const { rows } = await service.pool.query<{ rows: number; sum: string }>(
      `SELECT count(*)::int AS rows, md5(coalesce(string_agg(md5(t::text), ',' ORDER BY md5(t::text)), '')) AS sum
       FROM "${name}" t WHERE ${where}`,
      [owned || name === 'Account' ? account.accountId : names],
    );
    sums[name] = rows[0] ?? { rows: 0, sum: '' };
  }
  return sums;
}
