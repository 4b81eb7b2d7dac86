import { describe, expect, it } from 'vitest';
import { refusalSentence } from '#lib/studio/submission/refusal-sentence.ts';

const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ');

describe('the sentence of a cap', () => {
  it.each([
    ['monthly', 'Le plafond du mois (5,00 $US) serait dépassé'],
    ['credential', 'Le plafond du mois de cette clé ou de cette application (5,00 $US) serait dépassé'],
  ] as const)('of a %s agrees with no amount: half a dollar is singular', (detail, begins) => {
    const said = (usedMicros: bigint) =>
      plain(refusalSentence({ code: 'cap', detail, capMicros: 5_000_000n, usedMicros }, 4_750_000n));
    expect(said(500_000n)).toContain(
      `${begins} : le montant déjà engagé est de 0,50 $US, le montant à retenir est de 4,75 $US. Rien n’a été débité.`,
    );
    expect(said(5_000_000n)).toContain('le montant déjà engagé est de 5,00 $US,');
  });

  it('tells amounts apart that differ by one micro-dollar', () => {
    const low = { code: 'balance', detail: 'balance', availableMicros: 31_999n } as const;
    expect(plain(refusalSentence(low, 32_000n))).toBe(
      'Le solde disponible (0,031999 $US) ne couvre pas le montant à retenir (0,032 $US) : rien n’a été débité.',
    );
    const capped = { code: 'cap', detail: 'per-generation', capMicros: 32_000n, usedMicros: 0n } as const;
    expect(plain(refusalSentence(capped, 32_001n))).toContain(
      'Le montant à retenir (0,032001 $US) dépasse le plafond par génération (0,032 $US)',
    );
  });

  it('says of several asked together that none has left', () => {
    const refusal = { code: 'balance', detail: 'balance', availableMicros: 0n } as const;
    expect(plain(refusalSentence(refusal, 100_000n, 3))).toBe(
      'Le solde disponible (0,00 $US) ne couvre pas le montant à retenir (0,30 $US) : rien n’a été débité. Aucune des 3 générations demandées n’est partie.',
    );
  });
});
