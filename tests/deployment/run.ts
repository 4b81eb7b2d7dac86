import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readOptions } from '#lib/local/options.ts';
import { ensureApplicationRole } from '#lib/local/postgres/rights.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { debianPrograms, startPgBouncer, startPostgres } from './debian.ts';
import { runFunctions } from './functions.ts';
import { runInstances } from './instances/run-instances.ts';
import { useReachableNode } from './own-node.ts';
import { type Deployment, imageCommand, layOutTree, secret } from './parts.ts';
import { runPreview } from './preview.ts';
import { runSaturation } from './saturation.ts';
import { runStore, runSuites } from './suites.ts';
import { startSwift } from './swift.ts';
import { runTree } from './tree.ts';
import { runUpgrade } from './upgrade/run-upgrade.ts';
import type { Step } from './walk.ts';

// npm run deployment-test [-- --only tree] [--skip-suites] [--rounds 5] [--tree <folder>] [--from <commit>]: the tree of the Dockerfile, run as an unprivileged user in a
// folder that cannot be written, with an empty environment, on Debian's PostgreSQL behind Debian's PgBouncer in transaction mode; a preview that
// may start no program; one at saturation; three of them behind a balancer; an upgrade from a former version; then the API and Studio suites once through that PgBouncer. Exit 1 when anything fails. Linux; installs Debian packages as root, else says what is missing.
const PARTS = {
  tree: runTree,
  functions: runFunctions,
  preview: runPreview,
  saturation: runSaturation,
  instances: runInstances,
  upgrade: runUpgrade,
  store: runStore,
  suites: runSuites,
};
type Part = keyof typeof PARTS;

const names = Object.keys(PARTS).join('|');
const { values } = readOptions(
  `npm run deployment-test [-- --only <${names}>] [--suite <path>…] [--skip-suites] [--tree <one laid out before>] [--from <commit>] [--rounds 5] [--node-flags '<others than the image’s>']`,
  {
    options: {
      tree: { type: 'string' },
      from: { type: 'string' },
      'node-flags': { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      suite: { type: 'string', multiple: true },
      'skip-suites': { type: 'boolean', default: false },
    },
  },
);
if (values.only && !Object.hasOwn(PARTS, values.only)) {
  console.error(`--only is one of: ${names}`);
  process.exit(2);
}
const parts = (Object.keys(PARTS) as Part[]).filter((part) =>
  values.only ? part === values.only : !(part === 'suites' && values['skip-suites']),
);

useReachableNode();
const owner = { name: 'atelier_owner', password: secret() };
const app = { name: 'atelier_app', password: secret() };
const image = imageCommand();
const programs = debianPrograms();
const root = await mkdtemp(path.join(os.tmpdir(), 'atelier-deployment-'));
await chmod(root, 0o755);
const stops: Deployment['stops'] = [() => rm(root, { recursive: true, force: true })];
const steps: Step[] = [];
let told = 0;
try {
  await everything();
} catch (error) {
  steps.push({ what: 'the whole', fault: stackOf(error) });
} finally {
  for (const stop of stops.reverse()) await stop();
}
tell();
process.exit(steps.some(({ fault }) => fault !== undefined) ? 1 : 0);

async function everything(): Promise<void> {
  let tree: string | undefined;
  let unlaid: Error | undefined;
  let store: ReturnType<typeof startSwift> | undefined;
  const postgres = await startPostgres(programs, path.join(root, 'postgres'), owner);
  stops.push(postgres.stop);
  const testApp = { name: 'atelier_app_tests', password: sha256(postgres.url('postgres')) };
  const pgbouncer = await startPgBouncer(programs, path.join(root, 'pgbouncer'), {
    postgresPort: postgres.port,
    users: [app, testApp],
  });
  stops.push(pgbouncer.stop);
  steps.push({ what: `PostgreSQL ${postgres.version} behind ${pgbouncer.version}, transaction mode` });
  await withSession(postgres.url('postgres'), (client) =>
    ensureApplicationRole(client, { role: app.name, password: app.password }),
  );
  const pooler = `127.0.0.1:${pgbouncer.port}`;
  const deployment: Deployment = {
    root,
    postgres,
    pooler,
    image: {
      ...image,
      ...(values['node-flags'] === undefined
        ? {}
        : { flags: values['node-flags'].split(' ').filter(Boolean) }),
    },
    isTreeGiven: values.tree !== undefined,
    from: values.from,
    suites: values.suite,
    rounds: values.rounds === undefined ? undefined : Number(values.rounds),
    stops,
    steps,
    tree: () => {
      // A build that failed is not made again for each part.
      if (unlaid) throw unlaid;
      try {
        tree ??= layOutTree({ root, stops, steps }, values.tree);
      } catch (error) {
        unlaid = new Error(`The tree could not be laid out: ${String(error)}`, { cause: error });
        throw unlaid;
      }
      return tree;
    },
    store: () => {
      store ??= startSwift(path.join(root, 'swift')).then((started) => {
        stops.push(started.stop);
        steps.push({ what: `${started.version}, spoken to in S3` });
        return started;
      });
      return store;
    },
    async createDatabase(name) {
      await withSession(postgres.url('postgres'), (client) => client.query(`create database "${name}"`));
      return {
        url: `postgresql://${app.name}:${app.password}@${pooler}/${name}`,
        directUrl: postgres.url(name),
      };
    },
  };
  for (const part of parts) await runPart(part, deployment);
}

/** One part, whose fault does not keep the others from being run: what it started is ended with it, and what it said is told at once. */
async function runPart(part: Part, deployment: Deployment): Promise<void> {
  const own: Deployment['stops'] = [];
  try {
    await PARTS[part]({ ...deployment, stops: own });
  } catch (error) {
    steps.push({ what: `the part « ${part} »`, fault: stackOf(error) });
  }
  for (const stop of own.reverse()) await stop();
  tell();
}

/** Prints the steps that were not printed yet: a run that somebody ends has said what it had seen. */
function tell(): void {
  for (const { what, fault } of steps.slice(told))
    console.log(fault === undefined ? `✓ ${what}` : `✗ ${what}\n    ${fault}`);
  told = steps.length;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
