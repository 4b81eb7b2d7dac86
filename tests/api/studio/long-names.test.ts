import { expect, it } from 'vitest';
import type { ActionState, FormAction } from '#lib/http/actions/action-state.ts';
import { makeAccount } from '#tests/factories/account.ts';
import { useApi } from '#tests/setup/api.ts';
import { formOf } from '../hostile/actions.ts';
import { signInAs } from '../hostile/next-request.ts';

const service = useApi({ poolMax: 10 });

// After `next-request.ts`, which stands in for Next.
const { attachFile, saveAvatarAction } = await import('#app/_studio/journal/actions.ts');
const { addCommentAction } = await import('#app/_studio/comments/actions.ts');
const { saveFilterAction } = await import('#app/_studio/journal/filters/actions.ts');
const { keepRush } = await import('#app/(cockpit)/produits/actions.ts');
const { propose } = await import('#app/(cockpit)/produits/proposer/actions.ts');
const { newKey } = await import('#app/(cockpit)/developpeurs/actions.ts');

const LONG = 'a'.repeat(5_000);
const key = { scopes: ['brain:read'], expiresInDays: '30' };
const attached = { assetId: 'ast_x', productId: 'libre', conceptId: '' };

it.each<[string, FormAction<never>, string, Record<string, unknown>, RegExp]>([
  ['a concept', attachFile, 'name', attached, /de 1 à 120 caractères/],
  ['a comment', addCommentAction, 'text', { generationId: 'gen_x' }, /de 1 à 2\s000 caractères/],
  ['an avatar', saveAvatarAction, 'name', { assetId: 'ast_x' }, /de 1 à 80 caractères/],
  ['a filter', saveFilterAction, 'name', { query: 'status=done' }, /de 1 à 60 caractères/],
  ['a rush', keepRush, 'title', { uploadId: 'upl_x' }, /de 1 à 120 caractères/],
  ['a key', newKey as FormAction<never>, 'name', key, /de 1 à 80 caractères/],
  ['a product', propose as FormAction<never>, 'id', {}, /de 3 à 40 lettres/],
])(
  'the text of %s that is too long stays in its form, which says how long it may be',
  async (_, action, field, more, limit) => {
    const { account, member } = await makeAccount(service);
    await signInAs(service, { accountId: account.id, memberId: member.id });
    const state: ActionState = await action({ status: 'idle' }, formOf({ ...more, [field]: LONG }));
    if (state.status !== 'refused') throw new Error(state.status);
    expect(state.problems?.find((one) => one.field === field)?.message).toMatch(limit);
    expect(state.values?.[field]).toEqual([LONG]);
  },
);

it('a search of the journal in any script is saved, however long its address', async () => {
  const { account, member } = await makeAccount(service);
  await signInAs(service, { accountId: account.id, memberId: member.id });
  for (const q of ['é'.repeat(200), 'ж'.repeat(200), '灯'.repeat(200)]) {
    const query = new URLSearchParams({ q, from: '2026-01-01' }).toString();
    const sent = formOf({ name: `Filtre ${q[0]}`, query, shown: '{}' });
    expect([q[0], await saveFilterAction({ status: 'idle' }, sent)]).toMatchObject([
      q[0],
      { status: 'done' },
    ]);
  }
});
