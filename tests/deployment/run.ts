import { createHash } from 'node:crypto';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { readCount, readOptions } from '#lib/local/options.ts';
import { ensureApplicationRole } from '#lib/local/postgres/rights.ts';
import { withSession } from '#lib/local/postgres/session.ts';
import { wordsOf } from './child.ts';
import { type Deployment, imageCommand, layOutTree, secret } from './deployment.ts';
import { runFunctions } from './functions.ts';
import { debianPrograms, startPgBouncer, startPostgres } from './host/debian.ts';
import { useReachableNode } from './host/own-node.ts';
import { startSwift } from './host/swift.ts';
import { runInstances } from './instances/run-instances.ts';
import { runPreview } from './preview.ts';
import { runSaturation } from './saturation.ts';
import { runStore, runSuites } from './suites.ts';
import { runTree } from './tree.ts';
import { runUpgrade } from './upgrade/run-upgrade.ts';
import type { Step } from './walk.ts';

// npm run deployment-test [-- --only tree] [--skip-suites] [--rounds 5] [--tree <folder>] [--from <commit>]: the tree of the Dockerfile, run as an unprivileged user in a
// folder that cannot be written, with an empty environment, on Debian's PostgreSQL behind Debian's PgBouncer in transaction mode; a preview that
// may start no program; one at saturation; three of them behind a balancer; an upgrade from a former version; the store's suite on Swift; then the suites of what rests on PostgreSQL, once through that PgBouncer. Exit 1 when anything fails. Linux; installs Debian packages as root, else says what is missing.
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
const rounds = values.rounds === undefined ? undefined : readCount('rounds', values.rounds);
const parts = (Object.keys(PARTS) as Part[]).filter((part) =>
  values.only ? part === values.only : !(part === 'suites' && values['skip-suites']),
);

await useReachableNode();
const owner = { name: 'atelier_owner', password: secret() };
const app = { name: 'atelier_app', password: secret() };
const image = imageCommand();
const programs = debianPrograms();
const root = await mkdtemp(path.join(os.tmpdir(), 'atelier-deployment-'));
await chmod(root, 0o755);
const stops: Deployment['stops'] = [() => rm(root, { recursive: true, force: true })];
/** What the part under way started. */
let own: Deployment['stops'] = [];
const steps: Step[] = [];
let printed = 0;
const table: { part: Part; verdict: string; tried: number; minutes: number }[] = [];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.once(signal, () => {
    console.error(`${signal}: what was started is ended.`);
    void finish().finally(() => process.exit(130));
  });
// A fault of one part that nothing waited for must not keep the others from being run, nor leave what was started.
process.on('unhandledRejection', unawaited);
process.on('uncaughtException', unawaited);

try {
  await everything();
} catch (error) {
  steps.push({ what: 'the whole', fault: stackOf(error) });
}
await finish();
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
    rounds,
    stops,
    steps,
    tree: () => {
      // A build that failed is not made again for each part.
      if (unlaid) throw unlaid;
      try {
        tree ??= layOutTree({ root, stops, steps }, values.tree);
      } catch (error) {
        unlaid = new Error(`The tree could not be laid out: ${wordsOf(error)}`, { cause: error });
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

/** One part, whose fault does not keep the others from being run: what it started is ended with it, and what it said is printed at once. */
async function runPart(part: Part, deployment: Deployment): Promise<void> {
  printSteps();
  console.log(`— ${part}`);
  const [beganAt, before] = [performance.now(), steps.length];
  own = [];
  try {
    await PARTS[part]({ ...deployment, stops: own });
  } catch (error) {
    steps.push({ what: `the part « ${part} »`, fault: stackOf(error) });
  }
  await end(own);
  printSteps();
  const tried = steps.slice(before);
  const failed = tried.filter(({ fault }) => fault !== undefined).length;
  const isLeftOut = tried.some((step) => step.isLeftOut);
  table.push({
    part,
    verdict: failed > 0 ? `${failed} failed` : isLeftOut ? 'left out' : 'passed',
    tried: tried.length,
    minutes: (performance.now() - beganAt) / 60_000,
  });
}

/** Ends what was started, the last first; what cannot be ended is printed, and the rest is ended all the same. */
async function end(started: Deployment['stops']): Promise<void> {
  for (let stop = started.pop(); stop; stop = started.pop())
    try {
      await stop();
    } catch (error) {
      steps.push({ what: 'everything that was started ends', fault: wordsOf(error) });
    }
}

/** Ends everything, prints what was not printed yet, and prints the table of the parts. */
async function finish(): Promise<void> {
  await end(own);
  await end(stops);
  printSteps();
  const line = (part: string, verdict: string, tried: string, minutes: string) =>
    console.log(`${part.padEnd(12)}${verdict.padEnd(12)}${tried.padStart(6)}${minutes.padStart(9)}`);
  line('part', 'verdict', 'steps', 'minutes');
  for (const part of parts) {
    const row = table.find((one) => one.part === part);
    if (row) line(part, row.verdict, String(row.tried), row.minutes.toFixed(1));
    else line(part, 'not run', '', '');
  }
}

/** Prints the steps that were not printed yet: a run that somebody ends has said what it had seen. */
function printSteps(): void {
  for (const { what, fault, isLeftOut } of steps.slice(printed)) {
    const sign = isLeftOut ? '–' : '✓';
    console.log(fault === undefined ? `${sign} ${what}` : `✗ ${what}\n    ${fault}`);
  }
  printed = steps.length;
}

function unawaited(error: unknown): void {
  steps.push({ what: 'no fault that nothing waited for', fault: stackOf(error) });
}

/** The words of an error and where it comes from. */
function stackOf(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return [wordsOf(error), ...stack.split('\n').filter((line) => /^\s+at /.test(line))].join('\n');
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
