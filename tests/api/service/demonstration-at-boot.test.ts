import { expect, it } from 'vitest';
import { connect } from '#lib/db/connection.ts';
import { DemonstrationInProduction, refuseDemonstration } from '#lib/http/boot/refuse-demonstration.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/demonstration.ts';
import { productsOf } from '#lib/products/registry.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { type LogLine, testContext } from '#tests/factories/context.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();

function boot(isProduction: boolean, { db = service.db, lines = [] as LogLine[] } = {}) {
  const { log } = testContext(service, { type: 'anonymous' }, { lines });
  return refuseDemonstration({ db, log }, { isProduction });
}

it('production does not boot while the demonstration account is open in its database, and says so by name', async () => {
  const real = await makeAccount(service);
  await expect(boot(true)).resolves.toBeUndefined();
  const now = new Date();
  await service.db.account.create({
    data: { id: DEMO_ACCOUNT_ID, name: 'Maison Lumen', createdAt: now, updatedAt: now },
  });
  await expect(boot(false)).resolves.toBeUndefined();
  await expect(boot(true)).rejects.toThrow(DemonstrationInProduction);
  await expect(boot(true)).rejects.toThrow('account close');
  await service.db.account.update({ where: { id: DEMO_ACCOUNT_ID }, data: { closedAt: now } });
  await expect(boot(true)).resolves.toBeUndefined();
  // Whatever is in the database, a real account has none of its products.
  expect(productsOf(DEMO_ACCOUNT_ID).length).toBeGreaterThan(0);
  expect(productsOf(real.account.id)).toEqual([]);
});

it('a database that does not answer stops no boot, and is told', async () => {
  const gone = connect({ url: 'postgresql://nobody@127.0.0.1:9/none', poolMax: 1 });
  const lines: LogLine[] = [];
  await expect(boot(true, { db: gone.db, lines })).resolves.toBeUndefined();
  await gone.close();
  expect(lines).toMatchObject([{ level: 'warn', event: 'boot.demonstration_unknown' }]);
});
