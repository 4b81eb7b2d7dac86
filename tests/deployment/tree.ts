import { spawn } from 'node:child_process';
import { nextFreePort } from '#lib/local/serving/serve.ts';
import { until } from '#tests/setup/until.ts';
import { timeCommands } from './commands.ts';
import { stopProcess, UNPRIVILEGED } from './debian.ts';
import { stopsGracefully } from './graceful-stop.ts';
import { type Deployment, inTree, lastWords, PUBLIC_URL, residentMb, serviceEnv } from './parts.ts';
import { walk } from './walk.ts';

/** One server of the tree, alone: walked over HTTP, then stopped in the middle of requests. */
export async function runTree(on: Deployment): Promise<void> {
  const { steps, stops } = on;
  const tree = on.tree();
  const database = await on.createDatabase('atelier');
  const store = await on.store();

  const port = await nextFreePort(20_000 + Math.floor(Math.random() * 4_000));
  const env: Record<string, string> = { ...serviceEnv({ databaseUrl: database.url, port }), ...store.env };
  const command = (...args: string[]) => inTree(tree, env, args);
  inTree(tree, { ...env, DATABASE_DIRECT_URL: database.directUrl }, ['scripts/migrate.ts']);
  steps.push({
    what: 'migrated by the owner, straight to the server; the application signs in through the pooler',
  });
  command(
    'scripts/admin.ts',
    'account',
    'create',
    'Essai',
    '--email',
    'essai@atelier.example',
    '--operator',
    '--capacity',
    '100000',
  );
  command('scripts/admin.ts', 'quota', 'set', '10000');
  const printed = (args: string[]) =>
    JSON.parse(command('scripts/admin.ts', ...args, '--json')) as Record<string, string>;
  const { spaceId = '' } = printed(['space', 'create', 'Lampes']);
  const { secret: apiKey = '' } = printed(['key', 'create', 'Essai', '--scopes', 'brain:read,brain:write']);
  const { cookie = '' } = printed(['session', 'create']);
  steps.push({ what: 'an account, a Space, a key and a session by the commands of the tree' });
  timeCommands(on, tree, env);

  const beganAt = performance.now();
  const server = spawn(process.execPath, [...on.image.flags, 'server.js'], {
    ...UNPRIVILEGED,
    cwd: tree,
    env: { ...on.image.env, ...env } as unknown as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  stops.push(() => stopProcess(server, 'SIGKILL'));
  const said = lastWords(server);
  const baseUrl = `http://127.0.0.1:${port}`;
  const health = await until('the tree to answer', async () => {
    if (server.exitCode !== null) return 'ended';
    return (await fetch(`${baseUrl}/api/ready`)).status === 200 ? 'ready' : undefined;
  });
  if (health === 'ended') throw new Error(`the server ended: ${said()}`);
  const startSeconds = ((performance.now() - beganAt) / 1000).toFixed(1);
  steps.push({ what: `ready ${startSeconds} s after its start, ${residentMb(server)} MB resident` });
  steps.push(
    ...(await walk({
      baseUrl,
      publicUrl: PUBLIC_URL,
      apiKey,
      cookie,
      cronSecret: env.CRON_SECRET ?? '',
      spaceId,
    })),
  );
  steps.push({ what: `after the walk: ${residentMb(server)} MB resident` });
  steps.push(await stopsGracefully(server, baseUrl, { apiKey, spaceId }));
  const errors = said()
    .split('\n')
    .filter((line) => /EROFS|EACCES|"level":"error"/.test(line));
  steps.push({
    what: 'no error in its log',
    ...(errors.length ? { fault: errors.slice(0, 5).join('\n    ') } : {}),
  });
}
