import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '#lib/local/paths.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { useTestService } from '#tests/setup/service.ts';

const service = useTestService();
const page = readFileSync(path.join(repositoryRoot, 'docs/operations.md'), 'utf8');
const queries = [...page.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, sql]) => sql as string);

describe('the operations page', () => {
  it('holds queries, and every one runs on the schema as it is', async () => {
    await makeAccount(service);
    expect(queries.length).toBeGreaterThan(8);
    for (const sql of queries) await expect(service.pool.query(sql), sql).resolves.toBeDefined();
  });

  it.each([
    'cron.rejected',
    'generation.settle_pending',
    'generation.close_pending',
    'generation.submit_pending',
    'generation.charge_missing',
    'generation.paid_not_delivered',
    'generation.cost_divergence',
    'video_timeout',
    'no-callback',
    'quota',
    'generation.files_delete_failed',
    'ledger.spend_alert',
    'capacity_full',
  ])('has a runbook for %s', (alarm) => {
    const headings = page.split('\n').filter((line) => line.startsWith('### '));
    expect(headings.some((heading) => heading.includes(alarm))).toBe(true);
  });
});
