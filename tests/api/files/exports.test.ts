import { expect, test } from 'vitest';
import { GET as sweep } from '#app/api/cron/generations-sweep/route.ts';
import { GET as readExport } from '#app/api/exports/[id]/route.ts';
import { startExport } from '#lib/storage/offboarding/exports.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { testContext } from '#tests/factories/context.ts';
import { call, ORIGIN, useApi } from '#tests/setup/api.ts';
import { sessionCookie, useBlobStore } from '#tests/setup/storage/blob.ts';
import { until } from '#tests/setup/until.ts';

const service = useApi();
const blob = useBlobStore();

test('an export goes on with the sweep, HEAD of it opens nothing, and GET gives it whole or by a range, audited once', async () => {
  const { account, member, actor } = await makeAccount(service);
  const { exportId } = await startExport({ ...testContext(service, actor), files: blob.ports });
  const stateOf = async () =>
    (await service.db.accountExport.findUniqueOrThrow({ where: { id: exportId } })).state;
  expect(await stateOf()).toBe('RUNNING');
  const swept = await call(sweep, {
    path: '/api/cron/generations-sweep',
    token: process.env.CRON_SECRET ?? '',
  });
  expect(swept.status).toBe(200);
  await until('the export to be made', async () => (await stateOf()) === 'READY');

  const cookie = await sessionCookie(service, member);
  const ask = (method: string, more: Record<string, string> = {}) =>
    readExport(new Request(`${ORIGIN}/api/exports/${exportId}`, { method, headers: { cookie, ...more } }), {
      params: Promise.resolve({ id: exportId }),
    });
  const opened = () =>
    service.db.auditEntry.count({ where: { accountId: account.id, action: 'account.export_opened' } });
  const head = await ask('HEAD');
  expect([head.status, await head.text(), await opened()]).toEqual([200, '', 0]);
  const whole = await ask('GET');
  const zip = Buffer.from(await whole.arrayBuffer());
  expect([whole.status, String(zip.length)]).toEqual([200, head.headers.get('content-length')]);
  const part = await ask('GET', { range: 'bytes=4-9' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-9/${zip.length}`]);
  expect(Buffer.from(await part.arrayBuffer()).equals(zip.subarray(4, 10))).toBe(true);
  expect(await opened()).toBe(1);
});
