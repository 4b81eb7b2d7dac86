import { expect, it } from 'vitest';
import { type Params, statementName } from '#lib/db/prepared.ts';

it('a statement prepared by one bundle of the server keeps its name on a connection made by another', async () => {
  // The server's bundles each have a copy of the module; a query in its address gives this test one.
  const address: string = '#lib/db/prepared.ts?another-bundle';
  const another = (await import(/* @vite-ignore */ address)) as typeof import('#lib/db/prepared.ts');
  expect(another.statementName).not.toBe(statementName);
  let text = '';
  const find = another.prepared('bundles.find', (db, p: Params<{ id: string }>) => {
    const query = db.selectFrom('Account').select('id').where('id', '=', p.id);
    text = query.compile().sql;
    return query;
  });
  await find.run({ executeQuery: async () => ({ rows: [] }) } as never, { id: 'acc_1' });
  expect(text).not.toBe('');
  expect(statementName(text)?.label).toBe('bundles.find');
});
