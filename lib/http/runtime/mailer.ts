import { systemClock } from '#lib/core/clock.ts';
import { env } from '#lib/core/env.ts';
import { faultFields } from '#lib/core/faults.ts';
import { stdoutLogger } from '#lib/core/log.ts';
import { type Mail, type Mailer, mailers, sendEach } from '#lib/core/mail/mail.ts';
import { outboxMailer } from '#lib/core/mail/outbox.ts';
import { smtpMailer } from '#lib/core/mail/smtp.ts';
import { connection } from './connection.ts';
import { runLater } from './run-later.ts';

const shared = globalThis as { atelierMailer?: Mailer };

/** The process's mailer: SMTP where it is configured; outside production the outbox and the terminal as well. */
function mailer(): Mailer {
  shared.atelierMailer ??= createMailer();
  return shared.atelierMailer;
}

function createMailer(): Mailer {
  const { SERVICE_SMTP_URL: url, SERVICE_MAIL_FROM: from, isProduction } = env();
  const all: Mailer[] = [];
  if (!isProduction)
    all.push(
      outboxMailer({
        db: connection().db,
        clock: systemClock,
        say: (line) => process.stdout.write(`${line}\n`),
      }),
    );
  if (url) all.push(smtpMailer({ url, from }));
  return mailers(all);
}

/**
 * Sends a message once the answer has left: how long it takes tells the caller nothing, and a slow mail server holds up
 * nobody. A failure is logged as `mail.failed`, without the address.
 */
export function postLater(mail: Mail, requestId: string): void {
  runLater('mail.failed', () => mailer().send(mail), { requestId });
}

/** Sends each of these by itself; what an address refuses is logged as `mail.failed`, without it. Throws when none was taken. */
export function sendAll(mails: readonly Mail[]): Promise<void> {
  return sendEach(mailer(), mails, (error) => stdoutLogger.error('mail.failed', faultFields(error)));
}
