import { expect, test } from 'vitest';
import { GET as exportAudit } from '#app/(cockpit)/audit/export/route.ts';
import { withCron } from '#lib/http/middleware/with-cron.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { ORIGIN, useApi } from '#tests/setup/api.ts';
import { sessionCookie } from '#tests/setup/storage/blob.ts';

const service = useApi();

const empty = { params: Promise.resolve({}) };

// Next calls the handler of GET for HEAD, and sends no body (its auto-implement-methods.js).
test('HEAD of the audit’s export has the headers of GET, no body, and leaves no entry; GET leaves one', async () => {
  const { account, member } = await makeAccount(service);
  const cookie = await sessionCookie(service, member);
  const ask = (method: string) =>
    exportAudit(new Request(`${ORIGIN}/audit/export?format=csv`, { method, headers: { cookie } }), empty);
  const exports = () =>
    service.db.auditEntry.count({ where: { accountId: account.id, action: 'audit.exported' } });
  const head = await ask('HEAD');
  expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([
    200,
    'text/csv; charset=utf-8',
    '',
  ]);
  expect(await exports()).toBe(0);
  const whole = await ask('GET');
  expect(whole.headers.get('content-disposition')).toBe(head.headers.get('content-disposition'));
  expect(await whole.text()).toContain('date (UTC);');
  expect(await exports()).toBe(1);
});

test('HEAD of a scheduled job judges the secret and runs nothing', async () => {
  let runs = 0;
  const job = withCron(
    { id: 'job', summary: 'Une tâche', tag: 'Tâches planifiées', job: 'retention', answers: {} },
    async () => {
      runs += 1;
      return {};
    },
  );
  const ask = (method: string, secret: string) =>
    job(new Request(`${ORIGIN}/api/cron/job`, { method, headers: { authorization: `Bearer ${secret}` } }));
  const secret = process.env.CRON_SECRET ?? '';
  expect((await ask('HEAD', 'un-autre')).status).toBe(401);
  const head = await ask('HEAD', secret);
  expect([head.status, await head.text(), runs]).toEqual([200, '', 0]);
  expect([(await ask('GET', secret)).status, runs]).toEqual([200, 1]);
});
