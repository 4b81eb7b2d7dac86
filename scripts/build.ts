import { spawnSync } from 'node:child_process';
import { generateClient } from '#lib/local/prisma/client.ts';
import { nextCli } from '#lib/local/serving/build.ts';

// npm run build: what the hosting platform runs. `npm run migrate` is a step of its own.
await generateClient();
const { status } = spawnSync(process.execPath, [nextCli(), 'build'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
