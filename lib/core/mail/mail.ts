/** One message to one address. */
export type Mail = {
  to: string;
  subject: string;
  text: string;
  html?: string;
  /** What the server's terminal says of it outside production, e.g. a sign-in code. */
  terminal?: string;
};

/** Delivers mail. `send` resolves once the message is accepted; it throws when it was not. */
export type Mailer = { send(mail: Mail): Promise<void> };

/** Hands a message to several mailers at once; throws when one of them refuses it, after all have tried. */
export function mailers(all: readonly Mailer[]): Mailer {
  return {
    async send(mail) {
      const results = await Promise.allSettled(all.map((one) => one.send(mail)));
      const failed = results.find((result) => result.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

/**
 * Sends each message independently: an address that is refused does not stop the others, and is reported to `refused`. Throws the first error
 * only when no message was accepted, so that a retry mails nobody twice.
 */
export async function sendEach(
  mailer: Mailer,
  mails: readonly Mail[],
  refused: (error: unknown) => void,
): Promise<void> {
  const faults: unknown[] = [];
  for (const mail of mails)
    try {
      await mailer.send(mail);
    } catch (error) {
      faults.push(error);
    }
  if (faults.length > 0 && faults.length === mails.length) throw faults[0];
  for (const fault of faults) refused(fault);
}
