import { expect, test } from 'vitest';
import { onlyChanged } from '#app/_cockpit/only-changed.ts';
import { type FormAction, IDLE } from '#lib/http/actions/action-state.ts';

test('a form sends what was typed alone, with what its page showed, sent again after a proof too', async () => {
  const sent: Record<string, FormDataEntryValue>[] = [];
  const action: FormAction<never> = async (_, form) => {
    sent.push(Object.fromEntries(form));
    return IDLE;
  };
  const form = new FormData();
  for (const [name, value] of Object.entries({ id: 'prj_1', name: 'Boutique', cap: '12' }))
    form.set(name, value);
  const send = onlyChanged(action, { name: 'Boutique', cap: '5' }, { name: 'Boutique', cap: '5000000' });
  await send(IDLE, form);
  await send(IDLE, form);
  const once = { id: 'prj_1', cap: '12', shown: '{"name":"Boutique","cap":"5000000"}' };
  expect(sent).toEqual([once, once]);
  // For texts that represent the values fully.
  await onlyChanged(action, { cap: '12' })(IDLE, form);
  expect(sent[2]).toEqual({ id: 'prj_1', shown: '{"cap":"12"}' });
});
