import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import { makeMember } from '#tests/factories/account.ts';
import { type HiddenSpace, hiddenSpace } from '#tests/factories/hidden-space.ts';
import { type PopulatedAccount, populatedAccount } from '#tests/factories/populated-account.ts';
import { useApi } from '#tests/setup/api.ts';
import { rowsOf, unknownTwin, withoutChance } from './attacks.ts';
import { signInAs } from './next-request.ts';

const service = useApi({ poolMax: 10 });
const VICTIM = 'ZQVICTIMEZQ';
const OWN = 'ZQATTAQUEZQ';
const HIDDEN = 'ZQCACHEEZQ';
const root = path.join(repositoryRoot, 'app');

/** What a page reads of its address through a file beside it. */
const READ_BESIDE: Record<string, readonly string[]> = {
  '(cockpit)/audit/page.tsx': ['membre', 'objet'],
  '(cockpit)/journal/page.tsx': ['productId', 'memberId', 'cursor'],
  '(cockpit)/produits/page.tsx': ['concepts', 'lecons', 'rushs', 'envois'],
};
/** Names of an address that hold a word, a day or a number, and never name a row. */
const WORDS =
  /^(ts|page|type|vue|format|taille|etat|cles|max|mois|du|au|differences|groupe|piliers?|role|cas|retires|action|q)$/;
/** Rows that a page could look up; no page looks for a session, a code or a secret by what is in its address. */
const LOOKED_UP = [
  'account',
  'member',
  'space',
  'memory',
  'deletion',
  'project',
  'importJob',
  'proposal',
  'developerKey',
  'ledgerLine',
  'generation',
  'savedFilter',
  'comment',
  'asset',
  'avatar',
  'concept',
  'lesson',
  'upload',
  'rush',
  'consent',
  'accountExport',
  'webhookEndpoint',
  'webhookDelivery',
  'shareLink',
  'audit',
];

type Person = { accountId: string; memberId: string };
type Page = { file: string; params: string[]; names: string[] };
type Place = { page: Page; what: string; at(id: string): { params: object; query: object } };

let places: Place[] = [];
let victim: PopulatedAccount;
let own: PopulatedAccount;
let hidden: HiddenSpace;
let founder: Person;
let restricted: Person;

beforeAll(async () => {
  victim = await populatedAccount(service, {
    marker: VICTIM,
    accountId: DEMO_ACCOUNT_ID,
    productId: 'lumen-bougies',
  });
  own = await populatedAccount(service, { marker: OWN });
  hidden = await hiddenSpace(service, own, HIDDEN);
  founder = { accountId: own.accountId, memberId: own.actor.memberId };
  const member = await makeMember(service, own.accountId, {
    role: 'MEMBER',
    permissions: ['brain.write', 'generate'],
  });
  const given = { [own.ids.space?.[0] as string]: 'write' };
  await service.db.member.update({ where: { id: member.id }, data: { spaceRights: given } });
  restricted = { accountId: own.accountId, memberId: member.id };
  places = (await discoverPages()).flatMap(placesOf);
});

async function discoverPages(): Promise<Page[]> {
  const files = (await readdir(root, { recursive: true })).filter(
    (file) => file.startsWith('(cockpit)') && path.basename(file) === 'page.tsx',
  );
  return Promise.all(
    files.sort().map(async (file) => {
      const source = await readFile(path.join(root, file), 'utf8');
      const read = [...source.matchAll(/\bquery\.(\w+)/g)].map(([, name]) => name as string);
      return {
        file,
        params: [...file.matchAll(/\[(\w+)\]/g)].map(([, name]) => name as string),
        names: [...new Set([...read, ...(READ_BESIDE[file] ?? [])])].filter((name) => !WORDS.test(name)),
      };
    }),
  );
}

/** Every place of a page's address in which an identifier may stand; in the others stands what its reader may see. */
function placesOf(page: Page): Place[] {
  const params = Object.fromEntries(page.params.map((name) => [name, ownFor(page)]));
  const beside = own.ids.generation?.[0];
  return [
    ...page.params.map((name) => ({
      page,
      what: `[${name}]`,
      at: (id: string) => ({ params: { ...params, [name]: id }, query: {} }),
    })),
    ...page.names.map((name) => ({
      page,
      what: `?${name}=`,
      // Fewer than two are not compared at all.
      at: (id: string) => ({ params, query: { [name]: name === 'ids' ? `${beside},${id}` : id } }),
    })),
  ];
}

function ownFor({ file }: Page): string {
  if (file.includes('/modeles/')) return 'affiche';
  const kind = file.includes('/espaces/')
    ? 'space'
    : file.includes('/evenements/')
      ? 'webhookEndpoint'
      : 'generation';
  return own.ids[kind]?.[0] as string;
}

/** Everything that a page holds, as one text: what its components were given, and what those that read the database themselves made of it. */
async function textOf(node: unknown): Promise<string> {
  const seen = new WeakSet<object>();
  const plain = async (given: unknown): Promise<unknown> => {
    const value = await given;
    if (typeof value === 'bigint') return String(value);
    if (typeof value === 'function') return null;
    if (typeof value !== 'object' || value === null || value instanceof Date) return value;
    if (value instanceof Map || value instanceof Set) return plain([...value]);
    if (seen.has(value)) return null;
    seen.add(value);
    const { type, props } = value as { type?: unknown; props?: unknown };
    if (typeof type === 'function' && type.constructor.name === 'AsyncFunction')
      return plain((type as (props: unknown) => unknown)(props));
    const parts = Array.isArray(value) ? value.entries() : Object.entries(value);
    const all: [unknown, unknown][] = [];
    for (const [name, part] of parts)
      if (name !== '_owner' && name !== '_store') all.push([name, await plain(part)]);
    return all;
  };
  return JSON.stringify(await plain(node)) ?? '';
}

let drawn = 0;
async function draw({ page, at }: Place, id: string, person: Person): Promise<string> {
  drawn += 1;
  await signInAs(service, person);
  const { default: render } = (await import(pathToFileURL(path.join(root, page.file)).href)) as {
    default: (props: object) => Promise<unknown>;
  };
  const { params, query } = at(id);
  try {
    return await textOf(
      await render({ params: Promise.resolve(params), searchParams: Promise.resolve(query) }),
    );
  } catch (error) {
    const { digest } = error as { digest?: unknown };
    if (typeof digest !== 'string' || !digest.startsWith('NEXT_')) throw error;
    return digest;
  }
}

/** A page without what may differ from one drawing to the next. */
const said = (text: string, id: string) => withoutChance(text.replaceAll(id, '<id>'));

type Whose = { ids: Record<string, string[]>; marker: string; all: readonly string[]; each: number };

/** What pages tell this person of rows that are not theirs to see, and where they tell them from unknown ones. */
async function toldOf(whose: Whose, person: Person): Promise<string[]> {
  const failures: string[] = [];
  for (const place of places) {
    // What is said here of identifiers that no row has.
    const none = new Set<string>();
    for (const kind of LOOKED_UP)
      for (const id of whose.ids[kind]?.slice(0, whose.each) ?? []) {
        const shown = `${place.page.file} ${place.what} ${kind} ${id}`;
        const text = await draw(place, id, person);
        const named = text.toUpperCase().includes(whose.marker)
          ? whose.marker
          : whose.all.find((one) => one !== id && text.includes(one));
        if (named) failures.push(`${shown}: names ${named}`);
        if (none.has(said(text, id))) continue;
        const twin = unknownTwin(id);
        none.add(said(await draw(place, twin, person), twin));
        if (!none.has(said(text, id))) failures.push(`${shown}: is told from an unknown one`);
      }
  }
  return failures;
}

describe('what stands in the address of a page', () => {
  test('of another account is drawn like an unknown identifier, in every place of every page, tells nothing and changes nothing', async () => {
    const before = await rowsOf(service, victim, VICTIM);
    const all = Object.values(victim.ids).flat();
    const failures = await toldOf({ ids: victim.ids, marker: VICTIM, all, each: 1 }, founder);
    console.log(`pages: ${drawn} drawn, ${places.length} places`);
    expect(drawn).toBeGreaterThan(500);
    expect(failures.slice(0, 12)).toEqual([]);
    expect(await rowsOf(service, victim, VICTIM)).toEqual(before);
  });

  test('of a Space that was not given is drawn like an unknown identifier for a restricted member', async () => {
    const { ids, all } = hidden;
    const failures = await toldOf({ ids, marker: HIDDEN, all, each: 3 }, restricted);
    expect(failures.slice(0, 12)).toEqual([]);
  });

  test('is drawn for the one whose row it is: the matrix bites', async () => {
    const opens: [file: string, what: string, kind: string][] = [
      ['espaces/[id]', '[id]', 'space'],
      ['espaces/[id]', '?memoire=', 'memory'],
      ['journal/[id]', '[id]', 'generation'],
      ['journal/comparer', '?ids=', 'generation'],
      ['developpeurs/evenements/[id]', '[id]', 'webhookEndpoint'],
      ['partages', '?espace=', 'space'],
      ['portefeuille', '?membre=', 'member'],
      ['audit', '?membre=', 'member'],
    ];
    const closed: string[] = [];
    for (const [file, what, kind] of opens) {
      const place = places.find((one) => one.page.file === `(cockpit)/${file}/page.tsx` && one.what === what);
      // Of generations, the first stands beside the one that is named, where two are compared.
      const id = own.ids[kind]?.at(kind === 'generation' ? -1 : 0);
      if (!place || !id) throw new Error(`no ${what} of ${file}`);
      const twin = unknownTwin(id);
      const isTold =
        said(await draw(place, id, founder), id) !== said(await draw(place, twin, founder), twin);
      if (!isTold) closed.push(`${file} ${what}`);
    }
    expect(closed).toEqual([]);
  });
});
