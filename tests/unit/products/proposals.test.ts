import { execFileSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ServiceError } from '#lib/core/errors.ts';
import { createId } from '#lib/core/ids.ts';
import { CATALOGUE } from '#lib/products/catalogue.ts';
import { catalogueFaults } from '#lib/products/check.ts';
import { listedPlaces, PRODUCT_FILES } from '#lib/products/product-files.ts';
import { catalogueSource, productSource } from '#lib/products/proposals/product-source.ts';
import { judgeProposal } from '#lib/products/proposals/propose-product.ts';
import { productPullRequest, REVIEW_LIST } from '#lib/products/proposals/pull-request.ts';
import { productProposalBody } from '#lib/products/proposals/schema.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/registry.ts';
import type { ProductFile } from '#lib/products/types.ts';

const REPOSITORY = path.resolve(PRODUCT_FILES, '../../..');
const real = createId('account');
const GOOD = {
  id: 'savon-noir',
  name: 'Savon noir',
  spaceName: 'Savonnerie',
  tone: 'Simple.',
  promises: 'Sans huile de palme\nFait à Marseille',
  shopDomains: 'www.savonnerie.fr\n',
};

const judged = (given: object, catalogue = CATALOGUE, accountId = real) =>
  judgeProposal(catalogue, accountId, productProposalBody.parse(given));

function refusal(given: object, accountId = real): string[] {
  try {
    judged(given, CATALOGUE, accountId);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return (error.options.problems ?? []).map(({ field, message }) => `${field}: ${message}`);
  }
  return ['accepted'];
}

const requestFor = (given: object, accountId = real) => {
  const { productId, file, changed } = judged(given, CATALOGUE, accountId);
  return productPullRequest({
    catalogue: CATALOGUE,
    productId,
    file,
    changed,
    note: '',
    askedBy: 'Agnès',
    account: { id: accountId, name: 'Savonnerie' },
  });
};

/** What the source of a product's file exports, once it runs. */
async function evaluated(source: string): Promise<ProductFile> {
  const code = stripTypeScriptTypes(source);
  const module = await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
  expect(Object.keys(module)).toEqual(['product']);
  return module.product as ProductFile;
}

const linted = (source: string, command: readonly string[]) =>
  execFileSync(
    path.join(REPOSITORY, 'node_modules/.bin/biome'),
    [...command, '--stdin-file-path=lib/products/x.ts'],
    { cwd: REPOSITORY, input: source, encoding: 'utf8' },
  );

/** Copies the files of the registry, applies a patch with `git apply`, and runs `use` there. */
async function applied(patch: string, use: (root: string) => Promise<void>): Promise<void> {
  const root = await mkdtemp(path.join(os.tmpdir(), 'proposal-'));
  try {
    await mkdir(path.join(root, 'lib/products'), { recursive: true });
    for (const name of ['accounts', 'catalogue.ts'])
      await cp(path.join(REPOSITORY, 'lib/products', name), path.join(root, 'lib/products', name), {
        recursive: true,
      });
    const env = { ...process.env, GIT_CEILING_DIRECTORIES: os.tmpdir(), GIT_DIR: undefined };
    execFileSync('git', ['apply', '-'], { cwd: root, input: patch, env });
    await use(root);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

describe('the registry on disk', () => {
  test('is written as proposals write it, so that their patches apply', async () => {
    expect(await readFile(path.join(REPOSITORY, 'lib/products/catalogue.ts'), 'utf8')).toBe(
      catalogueSource(Object.keys(CATALOGUE)),
    );
    for (const [place, file] of Object.entries(CATALOGUE))
      expect(await readFile(path.join(PRODUCT_FILES, `${place}.ts`), 'utf8'), place).toBe(
        productSource(file),
      );
  });

  test('is asked the questions of the template', async () => {
    const template = await readFile(
      path.join(REPOSITORY, '.github/PULL_REQUEST_TEMPLATE/product.md'),
      'utf8',
    );
    const asked = template.split('\n').filter((line) => line.startsWith('- [ ] '));
    expect(asked).toEqual(REVIEW_LIST.map((line) => `- [ ] ${line}`));
    const { description } = requestFor(GOOD);
    for (const line of template.split('\n').filter((one) => /^(##|- \[ \]) /.test(one)))
      expect(description).toContain(line);
  });
});

describe('a proposal', () => {
  test('of a product, applied where it says, is in the catalogue and without fault', async () => {
    const { patch, path: place, source, title } = requestFor(GOOD);
    expect(title).toBe('Product savon-noir');
    await applied(patch, async (root) => {
      expect(await readFile(path.join(root, place), 'utf8')).toBe(source);
      const key = `${real}/savon-noir`;
      const file = await evaluated(source);
      const catalogue = { ...CATALOGUE, [key]: file };
      expect(await catalogueFaults(catalogue, path.join(root, 'lib/products/accounts'))).toEqual([]);
      const files = path.join(root, 'lib/products/accounts');
      expect(await listedPlaces(Object.keys(CATALOGUE), files)).toEqual(Object.keys(catalogue));
      expect(file).toEqual({
        name: 'Savon noir',
        spaceName: 'Savonnerie',
        references: { shopDomains: ['www.savonnerie.fr'] },
        brand: { tone: 'Simple.', promises: ['Sans huile de palme', 'Fait à Marseille'] },
      });
    });
  });

  test('says nothing of another account: neither its identifier nor what it prepares', () => {
    const other = createId('account');
    const theirs = {
      ...CATALOGUE,
      [`${other}/secret-de-saison`]: { name: 'Secret', references: { shopDomains: [] } },
    };
    const { productId, file, changed } = judged(GOOD, theirs);
    const request = productPullRequest({
      catalogue: theirs,
      productId,
      file,
      changed,
      note: '',
      askedBy: 'Agnès',
      account: { id: real, name: 'Savonnerie' },
    });
    const told = JSON.stringify(request);
    for (const word of [other, 'secret', 'Secret', DEMO_ACCOUNT_ID, 'lumen'])
      expect(told).not.toContain(word);
  });

  test('of a change keeps what the form does not ask, touches that file alone, and names what changes', async () => {
    const place = `${DEMO_ACCOUNT_ID}/lumen-parfums`;
    const before = CATALOGUE[place];
    const given = {
      changes: 'lumen-parfums',
      id: 'autre',
      name: before?.name,
      spaceName: before?.spaceName,
      tone: 'Sobre.',
      promises: before?.brand?.promises?.join('\n'),
      shopDomains: `${before?.references.shopDomains[0]}\nboutique.lumen.example`,
    };
    const { patch, title } = requestFor(given, DEMO_ACCOUNT_ID);
    expect(title).toBe('Product lumen-parfums: tone, shopDomains');
    expect(patch.match(/^diff --git/gm)).toHaveLength(1);
    await applied(patch, async (root) => {
      const file = await evaluated(
        await readFile(path.join(root, `lib/products/accounts/${place}.ts`), 'utf8'),
      );
      expect(file).toEqual({
        ...before,
        references: { shopDomains: ['www.maison-lumen.example', 'boutique.lumen.example'] },
        brand: { ...before?.brand, tone: 'Sobre.' },
      });
    });
    const same = {
      ...given,
      tone: before?.brand?.tone,
      shopDomains: before?.references.shopDomains.join('\n'),
    };
    expect(() => judged(same, CATALOGUE, DEMO_ACCOUNT_ID)).toThrow('rien ne change');
    expect(() => judged(given)).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  test.each<[string, object, string]>([
    ['an identifier of another alphabet', { id: 'Savon Noir' }, 'id: Il faut de 3 à 40 lettres minuscules'],
    ['the free product', { id: 'libre' }, 'id: Cet identifiant est celui du produit'],
    ['another account’s identifier', { id: 'lumen-bougies' }, 'id: Cet identifiant est déjà pris.'],
    ['a place above its own', { id: '../../x' }, 'id: Il faut de 3 à 40'],
    ['no name', { name: ' ' }, 'name: Le nom doit faire de 1 à 80 caractères.'],
    ['a name of two lines', { name: 'Savon\nnoir' }, 'name: Le nom tient sur une seule ligne.'],
    ['a demonstration’s name', { name: 'Bougies Maison Lumen' }, 'name: Ce nom est celui'],
    ['a long tone', { tone: 'x'.repeat(301) }, 'tone: Le ton doit faire de 1 à 300 caractères.'],
    ['thirteen promises', { promises: 'x\n'.repeat(13) }, 'promises: Il y a plus de 12 promesses.'],
    ['a long promise', { promises: 'x'.repeat(201) }, 'promises: Une promesse doit faire de 1 à 200'],
    [
      'an address for a host',
      { shopDomains: 'https://savonnerie.fr/a' },
      'shopDomains: « https://savonnerie.fr/a »',
    ],
    [
      'a wildcard',
      { shopDomains: '*.savonnerie.fr' },
      'shopDomains: « *.savonnerie.fr » contient un astérisque',
    ],
    [
      'capitals',
      { shopDomains: 'Savonnerie.fr' },
      'shopDomains: « Savonnerie.fr » est à écrire en minuscules',
    ],
    [
      'an address of the network',
      { shopDomains: '127.0.0.1' },
      'shopDomains: « 127.0.0.1 » est une adresse IP',
    ],
    [
      'the shared CDN',
      { shopDomains: 'cdn.shopify.com' },
      'shopDomains: « cdn.shopify.com » sert les images',
    ],
    [
      'a demonstration’s host',
      { shopDomains: 'a.test' },
      'shopDomains: « a.test » est une adresse de démonstration',
    ],
    ['a host twice', { shopDomains: 'a.fr\na.fr' }, 'shopDomains: Une boutique y est deux fois.'],
  ])('with %s is refused by its field', (_, fault, said) => {
    const problems = refusal({ ...GOOD, ...fault });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.replaceAll('\u00a0', ' ')).toContain(said);
  });

  test('names every field at fault, once', () => {
    const problems = refusal({ ...GOOD, id: '', name: '', tone: 'x'.repeat(400), shopDomains: 'a\nb' });
    expect(problems.map((line) => line.split(':')[0])).toEqual([
      'id',
      'name',
      'shopDomains',
      'shopDomains',
      'tone',
    ]);
    expect(refusal({ ...GOOD, id: 'lumen-parfums' }, DEMO_ACCOUNT_ID)).toEqual([
      'id: Cet identifiant est déjà pris.',
    ]);
  });

  test('with any text stays text: the file is one value, which is what was typed, as the linter writes it', async () => {
    const piece = fc.constantFrom(
      "'",
      '"',
      '`',
      '${',
      '}',
      '\\',
      '\n',
      '\r',
      '\u2028',
      '*/',
      '//',
      '</script>',
      "';process.exit();'",
      '\u202e',
      '\u200b',
      '\u00a0',
      '\ud83d',
      '👩‍👧',
      'é',
      '\0',
      '\\u{0}',
      'import ',
      '{ ',
      ' ',
      'x',
    );
    const text = fc.oneof(
      fc.array(piece, { minLength: 1, maxLength: 30 }).map((all) => all.join('')),
      fc.string({ minLength: 1, maxLength: 150, unit: 'grapheme' }),
    );
    const files = fc.record({
      name: text,
      spaceName: text,
      references: fc.record({ shopDomains: fc.array(text, { maxLength: 4 }) }),
      brand: fc.record({
        tone: text,
        promises: fc.array(text, { minLength: 1, maxLength: 4 }),
        pronunciations: fc.array(fc.record({ written: text, spoken: text }), { maxLength: 3 }),
        colours: fc.record({ ink: text }),
      }),
    });
    await fc.assert(
      fc.asyncProperty(files, async (file) => {
        const source = productSource(file);
        expect(await evaluated(source)).toEqual(file);
        // No invisible character besides spaces and line ends.
        expect(source).not.toMatch(/(?![\n ])[\p{C}\p{Z}]/u);
      }),
      { numRuns: 300 },
    );
  });

  test('is written as the linter leaves it', () => {
    const long = 'Une promesse qui tient à peine sur sa ligne, et qui se prouve';
    const file: ProductFile = {
      name: 'L\'encre "bleue"',
      spaceName: "l'a d'b",
      references: {
        shopDomains: ['www.encre.fr', 'boutique.encre.fr', 'www.encre-bleue.fr', 'les-encres.fr'],
      },
      brand: {
        tone: `${long}\u00a0; ${long}. ${long}`,
        promises: [long, `${long}.`],
        pronunciations: [
          { written: 'a', spoken: 'b' },
          { written: 'c', spoken: 'd' },
        ],
        colours: { colour: '#112233', ink: '#112233' },
      },
    };
    for (const source of [productSource(file), productSource({ name: 'x', references: { shopDomains: [] } })])
      expect(linted(source, ['format'])).toBe(source);
    const ids = ['lumen-10', 'lumen-9', 'class', 'a-1', 'a1', 'b--c', 'b-c'];
    const catalogue = catalogueSource(ids.map((id) => `${DEMO_ACCOUNT_ID}/${id}`));
    expect(linted(catalogue, ['check', '--write'])).toBe(catalogue);
    expect(() => stripTypeScriptTypes(catalogue)).not.toThrow();
  });

  test('says its texts as text in the description: no markup, no mention, no fence left', () => {
    const { productId, file, changed } = judged({ ...GOOD, name: '@equipe `x` <!-- a' });
    const { description } = productPullRequest({
      catalogue: CATALOGUE,
      productId,
      file,
      changed,
      askedBy: 'Agnès\n## Titre',
      account: { id: real, name: '`' },
      note: 'Preuve\u00a0:\n```\n# faux titre\n```\n@tous',
    });
    expect(description).toContain('``@equipe `x` <!-- a``');
    expect(description).toContain('`Agnès ## Titre`');
    expect(description).toContain('`` ` ``');
    expect(description).toContain('````text\nPreuve\u00a0:\n```\n# faux titre\n```\n@tous\n````');
  });
});
