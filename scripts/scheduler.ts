import './env-file.ts';

import { startScheduler } from '#lib/local/serving/scheduler.ts';

// node scripts/scheduler.ts: calls the scheduled jobs of the service at SERVICE_URL, as the hosting platform's cron would. One per
// service; two do no harm, since the database gives each pass to one caller.
const baseUrl = process.env.SERVICE_URL?.replace(/\/+$/, '');
const secret = process.env.CRON_SECRET;
if (!baseUrl || !secret) {
  console.error(
    'SERVICE_URL and CRON_SECRET are needed: where the service answers, and the secret of its jobs.',
  );
  process.exit(2);
}
const scheduler = startScheduler({ baseUrl, secret, say: (line) => console.error(line) });
// The scheduler's own timers let a process end.
const alive = setInterval(() => undefined, 3_600_000);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    scheduler.stop();
    clearInterval(alive);
  });
