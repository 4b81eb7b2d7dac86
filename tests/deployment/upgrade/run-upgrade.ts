import { notDeepStrictEqual } from 'node:assert';
import { withSession } from '#lib/local/postgres/session.ts';
import { wordsOf } from '../child.ts';
import { type Deployment, inTreeMeanwhile, PUBLIC_URL } from '../deployment.ts';
import { requireReady, startInstance, type TreeInstance } from '../instances/instance.ts';
import { startBalancer } from '../instances/round-robin.ts';
import type { Client } from '../instances/shared-state.ts';
import { clientOf, replace, underTraffic } from '../instances/traffic.ts';
import { prepareService } from '../service.ts';
import { findFormerVersion, layOutFormerTree } from './former-version.ts';

/**
 * The update that docs/deploy.md describes, between two versions: two servers of a former one on a database that it migrated itself; under
 * traffic this version's migrations are applied, its servers come in their place one after the other, and then go back.
 */
export async function runUpgrade(on: Deployment): Promise<void> {
  const former = findFormerVersion(on.from);
  if ('absent' in former) {
    const what = `an upgrade is not shown: ${former.absent}`;
    on.steps.push(on.from === undefined ? { what, isLeftOut: true } : { what, fault: former.absent });
    return;
  }
  const tree = on.tree();
  const formerTree = layOutFormerTree(on, former.commit);
  const service = await prepareService({ ...on, tree: () => formerTree }, 'upgrade', {
    SERVICE_ACCOUNT_RATE: '100000000',
  });
  const { directUrl } = service;
  service.admin('quota', 'set', '1000000');
  const { spaceId = '' } = service.admin('space', 'create', 'Lampes');
  const old = await Promise.all([1, 2].map(() => startInstance(on, service)));
  const balancer = await startBalancer(PUBLIC_URL);
  on.stops.push(balancer.close);
  balancer.setInstances(old.map(({ url }) => url));
  const client = clientOf(service, { url: balancer.url, spaceId });
  const began = [...old];

  const step = async (what: string, work: () => Promise<string>) => {
    try {
      on.steps.push({ what: `${what}: ${await work()}` });
    } catch (error) {
      on.steps.push({ what, fault: wordsOf(error) });
    }
  };
  const start = (which: string) => async () => {
    const instance = await startInstance(on, { tree: which, env: service.env });
    began.push(instance);
    return instance;
  };
  const comeBack = async (newer: readonly TreeInstance[]) => {
    if (newer.length < old.length) throw new Error('this version had not come in its place');
    return replace(client, balancer, newer, start(formerTree));
  };
  on.steps.push({ what: `the former version is ${former.subject}` });
  await step('this version migrates while the former one serves: it goes on reading and writing', () =>
    migrate(client, old, directUrl, () =>
      inTreeMeanwhile(tree, { ...service.env, DATABASE_DIRECT_URL: directUrl }, ['scripts/migrate.ts']),
    ),
  );
  await step('its servers come in the place of the former one’s, under traffic: no request fails', () =>
    replace(client, balancer, old, start(tree)),
  );
  await step('the former version comes back on the migrated database, under traffic: no request fails', () =>
    comeBack(began.slice(old.length)),
  );
  const errors = began.flatMap((instance) => instance.errors());
  on.steps.push({
    what: 'no error in the logs of either version',
    ...(errors.length ? { fault: errors.slice(0, 5).join('\n    ') } : {}),
  });
}

async function migrate(
  client: Client,
  old: readonly TreeInstance[],
  directUrl: string,
  work: () => Promise<void>,
): Promise<string> {
  const applied = () =>
    withSession(directUrl, async (owner) => {
      const { rows } = await owner.query<{ name: string }>(
        'select migration_name as name from "_prisma_migrations" where finished_at is not null order by 1',
      );
      return rows.map(({ name }) => name);
    });
  const before = await applied();
  const { writes, result: after } = await underTraffic(client, async ({ writeMore }) => {
    await writeMore(2, 'before the migration');
    await work();
    const names = await applied();
    notDeepStrictEqual(names, before, 'it had nothing to apply: choose an earlier version (--from)');
    await requireReady(old);
    await writeMore(6, 'on the migrated schema');
    return names;
  });
  return `${after.filter((name) => !before.includes(name)).join(', ')}; ${writes} writes while and after`;
}
