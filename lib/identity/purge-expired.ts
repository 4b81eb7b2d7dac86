import type { Context } from '#lib/core/context.ts';

const DAY_MS = 86_400_000;
/** Ended sessions stay a while, for whoever reads the audit. */
const SESSIONS_KEPT_MS = 90 * DAY_MS;

/**
 * Removes what signing in leaves behind: codes of yesterday, throttle windows of the day before, sessions ended for 90 days. For
 * the retention job; harmless at any time. Returns the counts.
 */
export async function purgeExpired(
  ctx: Pick<Context, 'db' | 'clock'>,
): Promise<{ codes: number; windows: number; sessions: number }> {
  const nowMs = ctx.clock.now().getTime();
  const before = (ms: number) => new Date(nowMs - ms);
  const [codes, windows, sessions] = await Promise.all([
    ctx.db.signInCode.deleteMany({ where: { expiresAt: { lt: before(DAY_MS) } } }),
    ctx.db.rateLimitWindow.deleteMany({ where: { startsAt: { lt: before(2 * DAY_MS) } } }),
    ctx.db.session.deleteMany({ where: { expiresAt: { lt: before(SESSIONS_KEPT_MS) } } }),
  ]);
  return { codes: codes.count, windows: windows.count, sessions: sessions.count };
}
