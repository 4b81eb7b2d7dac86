import { expect, it } from 'vitest';
import { preparedBy } from '#lib/db/pool.ts';
import { type Params, statementName, unprepared } from '#lib/db/prepared.ts';

it('a statement prepared by one bundle of the server keeps its name on a connection made by another', async () => {
  // Each bundle of the server has its own copy of the module; a query in the address gives this test another copy.
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

it('a statement that is not prepared runs as written, and its text is remembered nowhere', async () => {
  const sent: { sql: string; parameters: readonly unknown[] }[] = [];
  const on = {
    executeQuery: async (query: { sql: string; parameters: readonly unknown[] }) => {
      sent.push(query);
      return { rows: [{ id: 'acc_1' }] };
    },
  } as never;
  const find = unprepared((db, p: Params<{ id: string }>) =>
    db.selectFrom('Account').select('id').where('id', '=', p.id).where('name', '=', 'of no other test'),
  );
  expect(await find.all(on, { id: 'acc_1' })).toEqual([{ id: 'acc_1' }]);
  expect(sent.map(({ parameters }) => parameters)).toEqual([['acc_1', 'of no other test']]);
  expect(statementName(sent[0]?.sql ?? '')).toBeUndefined();
});

it('prepared statements are left out by a 0 alone, however it is spaced; unset or otherwise, they are used', () => {
  for (const off of ['0', ' 0 ', '0\n']) expect(preparedBy({ DATABASE_PREPARED: off })).toBe(false);
  for (const on of [undefined, '', '1', '00']) expect(preparedBy({ DATABASE_PREPARED: on })).toBe(true);
});
