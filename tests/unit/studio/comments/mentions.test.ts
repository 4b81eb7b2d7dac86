import { expect, it } from 'vitest';
import { mentionedIn, withTokens } from '#lib/studio/comments/mentions.ts';

const member = (name: string, letter: string) => ({ id: `mbr_${letter.repeat(26)}`, name });
const ROY = member('Inès Roy', 'a');
const ROYER = member('Inès Royer', 'b');
const SIGNS = member('A. (B)+', 'c');
const MEMBERS = [ROY, ROYER, SIGNS, member('Inès Roy', 'd'), member(' ', 'e')];

it.each([
  ['@Inès Royer, @INÈS ROY.', `@[${ROYER.id}], @[${ROY.id}].`],
  ['@Inès Royers et @Ines Roy', '@Inès Royers et @Ines Roy'],
  ['@A. (B)+ oui, @Ax (B)+ non', `@[${SIGNS.id}] oui, @Ax (B)+ non`],
  ['@@Inès Roy@', `@@[${ROY.id}]@`],
  ['@'.repeat(2_000), '@'.repeat(2_000)],
  ['a@ b', 'a@ b'],
])('names in a text are whole, of any case, the longest first: %#', (text, expected) => {
  expect(withTokens(text, MEMBERS)).toBe(expected);
  expect(mentionedIn(expected).every((id) => MEMBERS.some((one) => one.id === id))).toBe(true);
});

it('a text stays as it is where nobody can be named', () => {
  expect(withTokens('@Inès', [])).toBe('@Inès');
  expect(withTokens('@ ', [member(' ', 'e')])).toBe('@ ');
});
