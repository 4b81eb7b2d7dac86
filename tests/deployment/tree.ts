import { wordsOf } from './child.ts';
import { timeCommands } from './commands.ts';
import { type Deployment, PUBLIC_URL, residentMb } from './deployment.ts';
import { stopsGracefully } from './graceful-stop.ts';
import { startInstance } from './instances/instance.ts';
import { startTreeScheduler } from './scheduler.ts';
import { prepareService } from './service.ts';
import { walk } from './walk.ts';

/** One server of the tree, alone, and its scheduler: walked over HTTP, then stopped in the middle of requests. */
export async function runTree(on: Deployment): Promise<void> {
  const { steps } = on;
  const service = await prepareService(on, 'atelier');
  const { tree, env, admin, cookie } = service;
  steps.push({
    what: 'migrated by the owner, straight to the server; the application signs in through the pooler',
  });
  admin('quota', 'set', '10000');
  const { spaceId = '' } = admin('space', 'create', 'Lampes');
  const { secret: apiKey = '' } = admin('key', 'create', 'Essai', '--scopes', 'brain:read,brain:write');
  steps.push({ what: 'an account, a Space, a key and a session by the commands of the tree' });
  const schedulerCalled = await startTreeScheduler(on, tree);
  timeCommands(on, tree, env);

  const server = await startInstance(on, service);
  const startMb = residentMb(server.child);
  steps.push({ what: `ready ${server.readySeconds.toFixed(1)} s after its start, ${startMb} MB resident` });
  steps.push(
    ...(await walk({
      baseUrl: server.url,
      publicUrl: PUBLIC_URL,
      apiKey,
      cookie,
      cronSecret: env.CRON_SECRET ?? '',
      spaceId,
    })),
  );
  steps.push({ what: `after the walk: ${residentMb(server.child)} MB resident` });
  const scheduler = await schedulerCalled().then(() => undefined, wordsOf);
  steps.push({
    what: 'the scheduler of the tree calls with its secret, and ends when it is asked to',
    ...(scheduler === undefined ? {} : { fault: scheduler }),
  });
  steps.push(await stopsGracefully(server.child, server.url, { apiKey, spaceId }));
  const errors = server.errors();
  steps.push({
    what: 'no error in its log',
    ...(errors.length ? { fault: errors.slice(0, 5).join('\n    ') } : {}),
  });
}
