import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { linksOut } from '../../../scripts/deploy/links-out.ts';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(os.tmpdir(), 'atelier-links-'));
  mkdirSync(path.join(root, 'built/node_modules/pg'), { recursive: true });
  mkdirSync(path.join(root, 'built/.next'));
  writeFileSync(path.join(root, 'built/node_modules/pg/index.js'), '');
  symlinkSync('../node_modules/pg', path.join(root, 'built/.next/pg-1'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('the tree of an image', () => {
  it('keeps links that stay in it, as they were written', async () => {
    await cp(path.join(root, 'built'), path.join(root, 'tree'), { recursive: true, verbatimSymlinks: true });
    expect(linksOut(path.join(root, 'tree'))).toEqual([]);
  });

  it('is refused with links into the folder that it was built in, which no image has', async () => {
    await cp(path.join(root, 'built'), path.join(root, 'tree'), { recursive: true });
    symlinkSync('../../elsewhere', path.join(root, 'tree/.next/out'));
    expect(linksOut(path.join(root, 'tree'))).toEqual(['.next/out', '.next/pg-1']);
  });
});
