import { count } from '#app/_ui/format.ts';
import type { Mail } from '#lib/core/mail/mail.ts';
import type { Post } from '#lib/identity/notices/mail-notices.ts';

/** Does the work, then mails what it had to say, over SMTP where it is configured. Who could not be told is counted on the error stream. */
export async function withMail<T>(work: (post: Post) => Promise<T>): Promise<T> {
  const mails: Mail[] = [];
  const result = await work((mail) => mails.push(mail));
  const url = process.env.SERVICE_SMTP_URL?.trim();
  const mailer = url
    ? (await import('#lib/core/mail/smtp.ts')).smtpMailer({
        url,
        from: process.env.SERVICE_MAIL_FROM?.trim() || 'Atelier <atelier@localhost>',
      })
    : null;
  let unsent = 0;
  for (const mail of mails)
    await Promise.resolve(mailer ? mailer.send(mail) : Promise.reject(new Error('SMTP'))).catch(() => {
      unsent += 1;
    });
  if (unsent > 0)
    process.stderr.write(
      `${count(unsent, 'fondateur')} à prévenir vous-même\u00a0: ${url ? 'le courrier a été refusé' : 'SERVICE_SMTP_URL n’est pas réglée'}.\n`,
    );
  return result;
}
