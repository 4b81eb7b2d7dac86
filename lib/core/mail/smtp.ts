import { setTimeout as sleep } from 'node:timers/promises';
import type { Transporter } from 'nodemailer';
import { randomHex } from '../crypto.ts';
import type { Mailer } from './mail.ts';

type SmtpOptions = {
  /** `smtp://user:password@host:port` or `smtps://…`. */
  url: string;
  /** `Atelier <atelier@exemple.fr>` */
  from: string;
  /** Pauses before the second and the third try. */
  retryDelaysMs?: readonly number[];
};

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;

/**
 * Mail over SMTP. A connection to another machine is encrypted or refused (`?ignoreTLS=true` in the address opts out for a
 * relay on a private network). What the server refuses for now (4xx, a broken connection) is tried three times in all, under one Message-ID:
 * a server that took the first try before the connection broke can tell that the second is the same mail (RFC 5322, 3.6.4).
 */
export function smtpMailer(options: SmtpOptions): Mailer {
  const delays = options.retryDelaysMs ?? [1000, 4000];
  let transport: Promise<Transporter> | undefined;
  const open = async () => {
    const { createTransport } = await import('nodemailer');
    return createTransport({
      requireTLS: !LOOPBACK.test(new URL(options.url).hostname),
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
      ...({ url: options.url } as object),
    });
  };
  return {
    async send(mail) {
      transport ??= open();
      const message = {
        from: options.from,
        messageId: `<${randomHex(16)}@${domainOf(options.from)}>`,
        to: { name: '', address: mail.to },
        subject: mail.subject,
        text: mail.text,
        ...(mail.html ? { html: mail.html } : {}),
        headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': 'fr' },
      };
      for (let tried = 0; ; tried += 1) {
        try {
          await (await transport).sendMail(message);
          return;
        } catch (error) {
          const delay = delays[tried];
          const status = (error as { responseCode?: number }).responseCode;
          if (delay === undefined || (status !== undefined && status >= 500)) throw error;
          await sleep(delay);
        }
      }
    },
  };
}

const domainOf = (from: string) => from.slice(from.lastIndexOf('@') + 1).replace(/>\s*$/, '');
