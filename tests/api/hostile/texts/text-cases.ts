import { DIALECTS, type HouseDialect } from '#lib/http/responses/dialects.ts';
import { type BoundDeclaration, declarationOf } from '#lib/http/routes/declaration.ts';
import { TOOLS } from '#lib/mcp/register-tools.ts';
import { exampleFields, findTemplate } from '#lib/studio/templates/registry.ts';
import type { PopulatedAccount } from '#tests/factories/populated-account.ts';
import { ownFor } from '../attacks.ts';
import { type Shaped, shapesOf, textPlaces, valuesOf, withText } from '../fuzzing/schema-values.ts';
import { discoverRoutes, type Route } from '../routes.ts';

/** The code of a malformed request in each half, as their specifications say: read from our own table, a change of it would pass. */
const MALFORMED: Record<HouseDialect, string> = { brain: 'invalid_request', studio: 'invalid' };

/** What PostgreSQL cannot hold, or would hold as something else: refused wherever it comes, naming the field. */
export const NO_TEXT = ['\u0000', 'a\u0000b', '\ud800', 'a\udfffb', '\udc00\ud800'];
/** What is text, however odd (right to left, controls, unassigned, emoji, long): answered, or refused for another reason. */
const ODD_TEXT = [
  '\u202e\u0001\u001b\ufffe',
  '\u2067עברית\u2069 👩‍👩‍👧‍👦 \u{e0041}\u{40000}',
  'ﷺ'.repeat(2_000),
  'a'.repeat(50_000),
];
/** What may stand where a file is named: each form that is read, and what looks like one. */
const FILE_NAMES = [
  'https://exemple.test/a\u0000b.png',
  'upl_00000000000000000000000000\u0000',
  'references/libre/\ud800.png',
  'gen_00000000000000000000000000#0\u0000',
];
const ODD_FILE_NAMES = [
  'https://[::',
  'https://exemple.test:99999/a.png',
  'http://169.254.169.254/latest',
  'data:image/png;base64,AAAA',
  'upl_00000000000000000000000000',
  'ast_00000000000000000000000000',
  'ava_00000000000000000000000000',
  'gen_00000000000000000000000000#99',
  'references/../../etc/passwd',
  'https://local.private.blob.vercel-storage.com/%zz',
  `https://${'a'.repeat(70)}.test/`,
];
const NAMES_FILE =
  /(^|\.)(references|startImage|endImage|characters?|clips?|composition|edit|fields|document|pathname|url)(\.|$)/;
const DEEP = '['.repeat(60_000) + ']'.repeat(60_000);
const QUERY_TEXTS = [
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%FF',
  '%',
  '%zz',
  '%F0%9F%AA%94'.repeat(200),
  'a'.repeat(8_000),
];
const PATH_TEXTS = ['%00', 'gen_%00', '%EF%BF%BD', 'a'.repeat(2_000), '%F0%9F%AA%94', '..%2f..%2fetc'];

export type Operation = { route: Route; declaration: BoundDeclaration };
/** One request with a hostile text in one place. */
export type TextCase = {
  operation: Operation;
  where: string;
  path: string;
  body?: string | URLSearchParams | FormData;
  /** The field that a refusal of malformed input must name; null where any honest answer will do. */
  named: string | null;
  /** What it asks for is not there, whatever else. */
  isNowhere?: boolean;
};
export type TextAnswer = { status: number; text: string };

/** Every operation that a credential, a session or the scheduler reaches; `all`: those that speak a protocol's own dialect too. */
export async function discoverOperations(all = false): Promise<Operation[]> {
  return (await discoverRoutes()).flatMap((route) => {
    const declaration = declarationOf(route.handler);
    return declaration && (all || declaration.dialect in DIALECTS) ? [{ route, declaration }] : [];
  });
}

/** Every text of every JSON body, generated from its schema, with every text that is none or odd; and how many places that is. */
export function bodyCases(operations: Operation[], own: PopulatedAccount) {
  const cases: TextCase[] = [];
  let places = 0;
  for (const operation of operations) {
    const { body, id } = operation.declaration;
    if (body?.type !== 'json') continue;
    const path = pathOf(operation, own);
    const extra =
      id.startsWith('preview') || id.startsWith('play')
        ? shapesOf(bodyOf(operations, 'createGeneration'))
        : [];
    for (const shape of [...shapesOf(body.schema), ...extra].flatMap(withTemplate)) {
      for (const place of shape.places) {
        places += 1;
        const field = place.join('.') || 'corps';
        const [unnamed = [], odd = []] = NAMES_FILE.test(field) ? [FILE_NAMES, ODD_FILE_NAMES] : [];
        // Of an address of two callers, what is no token request is for its signature to judge.
        const isJudged = !(id === 'uploadReference' && !field.startsWith('payload'));
        for (const [texts, named] of [
          [[...NO_TEXT, ...unnamed], isJudged ? field : null],
          [[...ODD_TEXT, ...odd], null],
        ] as const)
          for (const text of texts)
            cases.push({
              operation,
              path,
              named,
              where: `${id} ${field} ${shown(text)}`,
              body: JSON.stringify(withText(shape.value, place, text)),
            });
      }
      if (body.maxBytes < 2 * DEEP.length) continue;
      const deep = JSON.stringify({ ...(shape.value as object), rules: 0 });
      const nested = deep.replace('"rules":0', `"rules":${DEEP}`);
      cases.push({ operation, path, named: null, where: `${id} nested`, body: nested });
    }
  }
  return { cases, places };
}

/** Every field of every form and every file name in one, with the same texts: a fault of ours is never the answer. */
export function formCases(operations: Operation[], own: PopulatedAccount): TextCase[] {
  return operations.flatMap((operation) => {
    const { body, id } = operation.declaration;
    if (body?.type !== 'form' && body?.type !== 'multipart') return [];
    return shapesOf(body.schema).flatMap(({ value }) => {
      const names = Object.keys(value as object);
      return names.flatMap((name) =>
        [...NO_TEXT, ...ODD_TEXT].map((text): TextCase => {
          const form = body.type === 'form' ? new URLSearchParams() : new FormData();
          for (const [field, given] of Object.entries(value as object)) {
            const sent = field === name ? text : typeof given === 'string' ? given : 'texte';
            if (form instanceof FormData && typeof given === 'object')
              form.append(field, new File(['# Note\n\nx'], `${field === name ? text : 'note'}.md`));
            else form.append(field, sent);
          }
          const path = pathOf(operation, own);
          return { operation, path, body: form, named: null, where: `${id} ${name} ${shown(text)}` };
        }),
      );
    });
  });
}

/** Every parameter of every query: with a NUL, twice, and with what cannot be decoded. */
export function queryCases(operations: Operation[], own: PopulatedAccount): TextCase[] {
  return operations.flatMap((operation) => {
    const { query, id } = operation.declaration;
    const path = pathOf(operation, own);
    return Object.keys(query?.shape ?? {}).flatMap((name) => [
      ...QUERY_TEXTS.map((text) => ({
        operation,
        path: `${path}?${name}=${text}`,
        named: text.includes('%00') ? name : null,
        where: `${id} ${name}=${text.slice(0, 20)}`,
      })),
      { operation, path: `${path}?${name}=a&${name}=b`, named: name, where: `${id} ${name} twice` },
    ]);
  });
}

/** Every value of every path, with what no identifier can be. */
export function pathCases(operations: Operation[]): TextCase[] {
  return operations
    .filter(({ route }) => route.params.length > 0)
    .flatMap((operation) =>
      PATH_TEXTS.map((text) => ({
        operation,
        path: operation.route.pattern.replace(/\[{1,2}(?:\.{3})?(\w+)\]{1,2}/g, text),
        named: null,
        isNowhere: operation.declaration.id !== 'notFound',
        where: `${operation.declaration.id} ${text.slice(0, 20)}`,
        ...(operation.route.method === 'GET' ? {} : { body: '{}' }),
      })),
    );
}

/** Every text argument of every assistant tool, with every text that is none. */
export function toolCases() {
  return TOOLS.flatMap((tool) =>
    valuesOf(tool.input).flatMap((value) =>
      textPlaces(value).flatMap((place) =>
        NO_TEXT.map((text) => ({
          name: tool.name,
          args: withText(value, place, text) as Record<string, unknown>,
          field: place.join('.'),
          where: `${tool.name} ${place.join('.')} ${shown(text)}`,
        })),
      ),
    ),
  );
}

/** Headers of a request of this case, its credential apart: a key of its own where one is wanted, so that none replays another. */
export function headersOf({ operation, body }: TextCase, count: number): Record<string, string> {
  return {
    ...(operation.declaration.headers?.shape['idempotency-key'] ? { 'idempotency-key': `k-${count}` } : {}),
    ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
  };
}

/** What is wrong with the answer to a case; null when nothing is. */
export function faultOf({ operation, named, where, isNowhere }: TextCase, answer: TextAnswer): string | null {
  const said = `${where}: ${answer.status} ${answer.text.slice(0, 200)}`;
  if (answer.status >= 500) return HONEST.test(answer.text) ? null : said;
  if (isNowhere && answer.status < 400) return said;
  if (named === null) return null;
  const json = answer.text.startsWith('{') ? JSON.parse(answer.text) : {};
  const error = (json.error ?? json.refused) as Refusal | undefined;
  const isNamed = error?.problems?.some(({ field }) => field === named);
  const malformed = MALFORMED[operation.declaration.dialect as HouseDialect];
  return error?.code === malformed && isNamed && [200, 400].includes(answer.status) ? null : said;
}

/** What is wrong with a tool's answer to a text that is none. */
export function toolFaultOf(
  { field, where }: { field: string; where: string },
  answer: { status: number; json: unknown; result: unknown },
): string | null {
  const result = answer.result as { _meta?: Record<string, Refusal & { retryable?: boolean }> } | undefined;
  const error = result?._meta?.['atelier/error'];
  const isNamed = error?.problems?.[0]?.field === field;
  if (error?.code === 'invalid_request' && error.retryable === false && isNamed) return null;
  return `${where}: ${answer.status} ${JSON.stringify(error ?? answer.json).slice(0, 200)}`;
}

type Refusal = { code: string; problems?: { field: string; message: string }[] };

/** Answers that say « not here, not now » on purpose. */
const HONEST = /"code":"(not_configured|composition-unavailable|unavailable|provider-failure)"/;

/** The start of a text as a failure shows it. */
export const shown = (text: string) => JSON.stringify(text.slice(0, 20));

/** A path of the account's own rows, so that what is refused is the text and nothing before it. */
function pathOf({ route, declaration }: Operation, own: PopulatedAccount): string {
  const id = route.pattern.includes('/templates') ? 'quote-card' : ownFor(route, own);
  return route.pattern.replace(/\[{1,2}(?:\.{3})?(\w+)\]{1,2}/g, (_, name) =>
    name === 'version' ? '1' : declaration.id === 'readVoicePreview' ? 'voix' : id,
  );
}

/** A render asks with the fields of templates that there are; of one with a picture, by address and by its place in the journal. */
function withTemplate({ value, places }: Shaped): Shaped[] {
  if ((value as { kind?: string }).kind !== 'render') return [{ value, places }];
  return ['quote-card', 'product-card'].flatMap((name) => {
    const template = findTemplate(name);
    if (!template) throw new Error(`${name} is gone`);
    const base = { ...(value as object), template: template.id, size: template.sizes[0]?.id };
    const asked = (fields: object) => {
      const one = { ...base, fields };
      return { value: one, places: textPlaces(one) };
    };
    const photo = template.fields.find(({ kind }) => kind === 'image')?.id;
    const made = { generationId: 'gen_00000000000000000000000000', file: 0 };
    const examples = exampleFields(template);
    return [
      asked(examples),
      ...(photo ? [asked({ ...examples, [photo]: 'x' }), asked({ ...examples, [photo]: made })] : []),
    ];
  });
}

function bodyOf(operations: Operation[], id: string) {
  const schema = operations.find(({ declaration }) => declaration.id === id)?.declaration.body?.schema;
  if (!schema) throw new Error(`${id} has no body`);
  return schema;
}
