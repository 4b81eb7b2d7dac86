import { describe, expect, it } from 'vitest';
import {
  decodePathname,
  generationFolder,
  importFolder,
  pathnameOfStoreUrl,
  productFolders,
  referenceFolder,
} from '#lib/storage/pathnames.ts';

const cloud = { storeToken: 'vercel_blob_rw_AbC123_secret', storeApiUrl: null };
const embedded = { storeToken: 'vercel_blob_rw_local_secret', storeApiUrl: 'http://127.0.0.1:9000/api/blob' };
const HOST = 'https://abc123.private.blob.vercel-storage.com';

it('a file lies in the folder of what it is: a generation’s, a product’s, a reference’s, an import’s; what members bring names its account', () => {
  expect(generationFolder('gen_1')).toBe('generations/gen_1/');
  expect(referenceFolder('acc_1', 'bougies')).toBe('references/bougies/acc_1/');
  expect(importFolder('acc_1', 'mem_1')).toBe('imports/acc_1/mem_1/');
  expect(importFolder('acc_1')).toBe('imports/acc_1/');
  expect(productFolders('bougies')).toEqual([
    'products/bougies/',
    'references/bougies/',
    'products/libre/',
    'references/libre/',
    'libre/',
  ]);
});

describe('the pathname of a store address', () => {
  it.each([
    ['generations/gen_1/image-1.png', 'generations/gen_1/image-1.png'],
    ['libre/%C3%A9t%C3%A9%20%23.png?download=1', 'libre/été #.png'],
  ])('%s is decoded once', (path, pathname) => {
    expect(pathnameOfStoreUrl(`${HOST}/${path}`, cloud)).toBe(pathname);
    expect(pathnameOfStoreUrl(`http://127.0.0.1:9000/files/local/private/${path}`, embedded)).toBe(pathname);
    expect(decodePathname(path.split('?')[0] ?? '')).toBe(pathname);
  });

  // The same parsing for files that are served and references that are accepted.
  it.each([
    ['an encoded slash', 'products/a%2Fb.png'],
    ['an encoded backslash', 'products/a%5Cb.png'],
    ['a second layer of encoding', 'products/a%252Fb.png'],
    ['an encoded dot segment', 'products/%2e%2e%2fsecret.png'],
    ['an empty segment', 'products//a.png'],
    ['a control character', 'products/a%00.png'],
    ['a broken encoding', 'products/%zz.png'],
    ['half a character', 'products/%C3.png'],
  ])('hides no other path: %s names nothing', (_, path) => {
    expect(decodePathname(path)).toBeNull();
    expect(pathnameOfStoreUrl(`${HOST}/${path}`, cloud)).toBeNull();
  });

  it.each([
    ['another store', 'https://other.private.blob.vercel-storage.com/a.png'],
    ['a host that only begins like ours', 'https://abc123.evil.example/a.png'],
    ['the public form', 'https://abc123.public.blob.vercel-storage.com/a.png'],
    ['no encryption', 'http://abc123.private.blob.vercel-storage.com/a.png'],
    ['a port', `${HOST}:8443/a.png`],
    ['user information', 'https://me:you@abc123.private.blob.vercel-storage.com/a.png'],
    ['no address', 'generations/gen_1/a.png'],
  ])('of %s is none of ours', (_, address) => {
    expect(pathnameOfStoreUrl(address, cloud)).toBeNull();
  });

  it.each([
    ['another port', 'http://127.0.0.1:9001/files/local/private/a.png'],
    ['another store of the machine', 'http://127.0.0.1:9000/files/other/private/a.png'],
    ['the public form', 'http://127.0.0.1:9000/files/local/public/a.png'],
    ['user information', 'http://me@127.0.0.1:9000/files/local/private/a.png'],
  ])('of the embedded store, with %s, is none of ours', (_, address) => {
    expect(pathnameOfStoreUrl(address, embedded)).toBeNull();
  });
});
