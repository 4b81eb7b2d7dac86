import { expect, test } from 'vitest';
import { spendAlertMail } from '#lib/ledger/notices/spend-alert-mail.ts';

test('the mail of a spend alert names its month in words, and agrees with no amount', () => {
  const alert = { accountId: 'acc_x', month: '2026-08', multiple: 3 };
  const mail = spendAlertMail('a@exemple.test', {
    ...alert,
    thresholdMicros: 500_000n,
    spentMicros: 1_620_000n,
  });
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');
  expect(plain(mail.subject)).toBe('Atelier : 1,62 $US de dépenses en août 2026');
  expect(plain(mail.text)).toContain('ont coûté 1,62 $US depuis le 1er août 2026 (heure UTC).');
  expect(plain(mail.text)).toContain('Le seuil de 1,50 $US est franchi.');
});
