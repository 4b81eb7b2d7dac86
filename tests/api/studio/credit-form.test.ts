import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { CreditForm } from '#app/(cockpit)/portefeuille/credit-form.tsx';
import type { FormAction } from '#lib/http/actions/action-state.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { bookFaults } from '#tests/factories/ledger.ts';
import { useApi } from '#tests/setup/api.ts';
import { signInAs } from '../hostile/next-request.ts';

const service = useApi({ poolMax: 10 });

// After `next-request.ts`, which stands in for Next.
const { giveCredit } = await import('#app/(cockpit)/portefeuille/actions.ts');
const { giveAccountCredit } = await import('#app/(cockpit)/exploitation/actions.ts');

type Field = 'memberId' | 'accountId';

/** What a browser sends from the form as it is drawn: its hidden fields, and what was typed and confirmed. */
function typedIn(field: Field, id: string, amountUsd: string): () => FormData {
  const form = { action: giveCredit as FormAction<never>, field, id, onDone: () => undefined };
  const html = renderToStaticMarkup(
    createElement(CreditForm, {
      ...form,
      balanceMicros: 0n,
      what: 'Le solde',
      availableMicros: null,
      noteHint: '',
    }),
  );
  const inputs = [...html.matchAll(/<input type="hidden"[^>]*>/g)].map(([input]) => input);
  const hidden = inputs.map((input) => ['name', 'value'].map((name) => attribute(input, name)));
  expect(hidden.map(([name]) => name)).toEqual([field, 'key']);
  return () => {
    const data = new FormData();
    for (const [name, value] of hidden) data.set(name as string, value as string);
    data.set('amountUsd', amountUsd);
    data.set('confirmed', String(BigInt(amountUsd) * 1_000_000n));
    return data;
  };
}

const attribute = (tag: string, name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? '';

async function scene(field: Field) {
  const { account, member } = await makeAccount(service);
  await service.db.account.updateMany({ data: { isOperator: false } });
  await service.db.account.update({ where: { id: account.id }, data: { isOperator: true } });
  await signInAs(service, { accountId: account.id, memberId: member.id });
  const target = field === 'memberId' ? member.id : (await makeAccount(service)).account.id;
  const given = async () => {
    if (field === 'memberId')
      return service.db.ledgerLine.findMany({ where: { memberId: target, kind: 'GRANT' } });
    return service.db.budgetLine.findMany({ where: { accountId: target } });
  };
  return { target, given };
}

describe.each([
  ['a member', 'memberId', giveCredit],
  ['an account', 'accountId', giveAccountCredit],
] as const)('the form that gives credit to %s', (_, field, action) => {
  it('sent twice at once, or again later, gives once; opened anew, it gives again', async () => {
    const { target, given } = await scene(field);
    const sent = typedIn(field, target, '25');
    const answers = await Promise.all([1, 2, 3].map(() => action({ status: 'idle' }, sent())));
    expect(answers.map(({ status }) => status)).toEqual(['done', 'done', 'done']);
    expect((await given()).map(({ amountMicros }) => amountMicros)).toEqual([25_000_000n]);
    expect((await action({ status: 'idle' }, sent())).status).toBe('done');
    expect(await given()).toHaveLength(1);
    expect((await action({ status: 'idle' }, typedIn(field, target, '25')())).status).toBe('done');
    expect(await given()).toHaveLength(2);
    expect(await bookFaults(service)).toEqual([]);
  });

  it('sent again with another amount is refused, and gives nothing', async () => {
    const { target, given } = await scene(field);
    const sent = typedIn(field, target, '25');
    await action({ status: 'idle' }, sent());
    const changed = sent();
    changed.set('amountUsd', '50');
    changed.set('confirmed', '50000000');
    expect(await action({ status: 'idle' }, changed)).toMatchObject({
      status: 'refused',
      code: 'idempotency_conflict',
    });
    expect(await given()).toHaveLength(1);
  });
});
