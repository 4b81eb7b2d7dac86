import type { Database } from '#lib/db/types.ts';
import type { Clock } from '../clock.ts';
import { createId } from '../ids.ts';
import type { Mail, Mailer } from './mail.ts';

/** Messages kept, newest first. */
const KEPT = 50;

/**
 * Outside production: keeps the last messages in the database, whatever instance sent them, and says the essential one in
 * the terminal. Not for production, where a code must reach its owner alone.
 */
export function outboxMailer(deps: { db: Database; clock: Clock; say: (line: string) => void }): Mailer {
  return {
    async send(mail: Mail) {
      if (mail.terminal) deps.say(mail.terminal);
      const now = deps.clock.now();
      await deps.db.outboxMessage.create({
        data: {
          id: createId('mail', now),
          recipient: mail.to,
          subject: mail.subject,
          text: mail.text,
          createdAt: now,
        },
      });
      const [oldest] = await deps.db.outboxMessage.findMany({ orderBy: { id: 'desc' }, skip: KEPT, take: 1 });
      if (oldest) await deps.db.outboxMessage.deleteMany({ where: { id: { lte: oldest.id } } });
    },
  };
}

/** The kept messages, newest first. */
export async function listOutbox(db: Database) {
  return db.outboxMessage.findMany({ orderBy: { id: 'desc' }, take: KEPT });
}
