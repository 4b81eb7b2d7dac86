import { expect, it } from 'vitest';
import { type Mail, type Mailer, sendEach } from '#lib/core/mail/mail.ts';

const to = (address: string): Mail => ({ to: address, subject: 'Avis', text: 'Avis' });

/** A mail server that refuses these addresses. */
function mailerWithout(refused: readonly string[]): Mailer & { taken: string[] } {
  const taken: string[] = [];
  return {
    taken,
    async send(mail) {
      if (refused.includes(mail.to)) throw new Error(`550 ${mail.to}`);
      taken.push(mail.to);
    },
  };
}

it('an address that refuses keeps nobody else from their mail, and is heard of', async () => {
  const mailer = mailerWithout(['b@exemple.fr']);
  const faults: unknown[] = [];
  await sendEach(mailer, ['a@exemple.fr', 'b@exemple.fr', 'c@exemple.fr'].map(to), (error) =>
    faults.push(error),
  );
  expect(mailer.taken).toEqual(['a@exemple.fr', 'c@exemple.fr']);
  expect(faults.map(String)).toEqual(['Error: 550 b@exemple.fr']);
});

it('throws when nobody was told, and not when there was nobody to tell', async () => {
  const mailer = mailerWithout(['a@exemple.fr', 'b@exemple.fr']);
  const heard: unknown[] = [];
  const send = (mails: Mail[]) => sendEach(mailer, mails, (error) => heard.push(error));
  await expect(send([to('a@exemple.fr'), to('b@exemple.fr')])).rejects.toThrow('550 a@exemple.fr');
  await send([]);
  expect(heard).toEqual([]);
});
