import { readFileSync } from 'node:fs';
import type { NextConfig } from 'next';

/** Two years, subdomains included: the value that lib/http/security/page-headers.ts gives to pages. */
const STRICT_TRANSPORT = 'max-age=63072000; includeSubDomains';

const buildFolder = process.env.SERVICE_BUILD_DIR;

/** The packages, with all that they need, as the lockfile has them. */
function packagesOf(names: readonly string[]): string[] {
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  const found = new Set<string>();
  const visit = (name: string, from: string) => {
    const nested = `${from}/node_modules/${name}`;
    const place = nested in packages ? nested : `node_modules/${name}`;
    if (!packages[place] || found.has(place)) return;
    found.add(place);
    for (const next of Object.keys(packages[place].dependencies ?? {})) visit(next, place);
  };
  for (const name of names) visit(name, '');
  return [...found].map((place) => `./${place}/**/*`);
}

const READER_FILES = [
  './package.json',
  './lib/brain/**/*.ts',
  './lib/core/**/*.ts',
  './lib/db/generated/tables.ts',
  ...packagesOf([
    '@mozilla/readability',
    'htmlparser2',
    'linkedom',
    'saxes',
    'unpdf',
    'yaml',
    'yauzl',
    'zod',
  ]),
];

// For every route that asks for a generation (tests/unit/deploy/carried-programs.test.ts); assistants compose nothing.
const COMPOSITION_FILES = [
  './package.json',
  './lib/studio/composition/*.ts',
  './lib/core/**/*.ts',
  './lib/messages/**/*.ts',
  ...packagesOf(['sharp']),
];

// Its settings too: right after a release they are all that the folder holds, and a folder without files is not carried along.
const CHANGELOG_FILES = ['./CHANGELOG.md', './.changeset/*'];

/** An `Accept` that names Markdown, and does not say that it will not have it. A person's browser never names it. */
const ASKS_FOR_MARKDOWN = {
  type: 'header' as const,
  key: 'accept',
  value: '(?!.*text/markdown\\s*;\\s*q=0(?:\\.0*)?\\s*(?:,|$)).*text/markdown.*',
};

const config: NextConfig = {
  // The browser tests build beside the build that a running `npm start` serves (lib/local/serving/build.ts).
  distDir: buildFolder || '.next',
  // What `npm run container-tree` lays out for an image: a server with the modules that it imports, and no other.
  ...(process.env.SERVICE_STANDALONE ? { output: 'standalone' as const } : {}),
  poweredByHeader: false,
  reactStrictMode: true,
  // tsc runs on its own in `npm test`; building twice as slow buys nothing.
  typescript: {
    ignoreBuildErrors: true,
    ...(buildFolder ? { tsconfigPath: `${buildFolder}.tsconfig.json` } : {}),
  },
  // `npm run dev` shows no address that carries what a person searched for, the path of a file, or the token of a share.
  logging: { incomingRequests: { ignore: [/\?/, /^\/api\/files\//, /^\/partage\//] } },
  experimental: {
    // An image sent as a reference: 4 MB and what a form adds around it.
    serverActions: { bodySizeLimit: '5mb' },
    // Nobody reads the maps of the server's bundles: tracing leaves them out of functions and images, and no server is told to follow them.
    ...(process.env.NODE_ENV === 'production' ? { turbopackSourceMaps: false } : {}),
    // What the next build would read costs this one processor: not written where there may be no next (lib/local/serving/build.ts).
    turbopackFileSystemCacheForBuild: !process.env.SERVICE_FIRST_BUILD && !process.env.SERVICE_STANDALONE,
  },
  // What the child processes run from their sources (lib/brain/imports/child-process, lib/studio/composition); no bundle imports them, so no
  // tracing finds them.
  outputFileTracingIncludes: {
    '/api/generations': COMPOSITION_FILES,
    '/api/v1/generations': COMPOSITION_FILES,
    '/api/dev/generate': COMPOSITION_FILES,
    '/api/brain/spaces/*/imports': READER_FILES,
    '/espaces/*': READER_FILES,
    // The changelog is read as it lies in the repository.
    '/docs/*': CHANGELOG_FILES,
    '/api/docs/*': CHANGELOG_FILES,
    '/llms-full.txt': CHANGELOG_FILES,
  },
  serverExternalPackages: ['pg', 'sharp', 'mediabunny', '@prisma/adapter-pg', '@prisma/client'],
  // Each page of the documentation is also Markdown: under its address with `.md`, and under its own for who asks for the type.
  rewrites: async () => ({
    beforeFiles: [
      { source: '/docs.md', destination: '/api/docs' },
      { source: '/docs/:slug([\\w-]+).md', destination: '/api/docs/:slug' },
      { source: '/docs', has: [ASKS_FOR_MARKDOWN], destination: '/api/docs' },
      { source: '/docs/:slug([\\w-]+)', has: [ASKS_FOR_MARKDOWN], destination: '/api/docs/:slug' },
    ],
    afterFiles: [],
    fallback: [],
  }),
  // Pages get theirs from proxy.ts, which a share's does not pass. Browsers heed it over https alone.
  headers: async () =>
    ['/api/:path*', '/.well-known/:path*', '/partage/:path+'].map((source) => ({
      source,
      headers: [{ key: 'Strict-Transport-Security', value: STRICT_TRANSPORT }],
    })),
};
export default config;
