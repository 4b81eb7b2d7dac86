import { spawnSync } from 'node:child_process';
import { nextCli } from '#lib/local/build.ts';
import { generateClient } from '#lib/local/client.ts';

// npm run build: what the hosting platform runs. `npm run migrate` is a step of its own.
await generateClient();
const { status } = spawnSync(process.execPath, [nextCli(), 'build'], { stdio: 'inherit' });
process.exitCode = status ?? 1;
