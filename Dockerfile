# The service as an image: built from the lockfile, run by nobody in particular, on a root file system that may be read-only.
# `npm run deployment-test` lays out and runs the very tree of the second stage, without a container engine.
FROM node:24-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json .npmrc ./
COPY scripts/ensure-install.mjs scripts/prune-modules.mjs scripts/
COPY scripts/checks/install-hook.mjs scripts/checks/
# The workspace too: without it what is installed is not what the lockfile names, and the next command installs all of it again.
COPY packages/client/package.json packages/client/
RUN npm ci --omit=dev --no-audit --no-fund
COPY . .
RUN npm run container-tree -- /app

FROM node:24-bookworm-slim
WORKDIR /app
COPY --from=build /app ./
# What fits in 512 MB at saturation; the caches follow the heap (lib/core/resource-limits/cache-bytes.ts). docs/deploy.md, « Memory ».
ENV NODE_ENV=production HOSTNAME=0.0.0.0 PORT=3000 MALLOC_ARENA_MAX=2
USER 65534:65534
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:'+process.env.PORT+'/api/ready').then(r=>process.exit(r.ok?0:1),()=>process.exit(1))"]
CMD ["node", "--max-old-space-size=288", "--max-semi-space-size=8", "server.js"]
