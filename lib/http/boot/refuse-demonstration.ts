import type { Env } from '#lib/core/env.ts';
import { faultFields } from '#lib/core/faults.ts';
import { type Logger, stdoutLogger } from '#lib/core/log.ts';
import { connect } from '#lib/db/connection.ts';
import type { Database } from '#lib/db/types.ts';
import { DEMO_ACCOUNT_ID } from '#lib/products/demonstration.ts';
import { connectionOptions } from '../runtime/connection.ts';

/** The demonstration account exists in a production database: its products, and their hosts, would be served. */
export class DemonstrationInProduction extends Error {
  constructor() {
    super(
      `${DEMO_ACCOUNT_ID}\u00a0: le compte de démonstration est dans cette base de production. Fermez-le (npm run admin -- account close) ou déployez sur une autre base.`,
    );
    this.name = 'DemonstrationInProduction';
  }
}

/**
 * At boot, before the first request: throws `DemonstrationInProduction` where the demonstration account is open in production. A database that
 * does not answer stops nothing here: `/api/health` reports it.
 */
export async function refuseDemonstration(
  deps: { db: Database; log: Logger },
  options: { isProduction: boolean },
): Promise<void> {
  if (!options.isProduction) return;
  let open: number;
  try {
    open = await deps.db.account.count({ where: { id: DEMO_ACCOUNT_ID, closedAt: null } });
  } catch (error) {
    deps.log.warn('boot.demonstration_unknown', faultFields(error));
    return;
  }
  if (open > 0) throw new DemonstrationInProduction();
}

/**
 * The same on a connection of its own, closed before the first request: what runs at boot is bundled apart from the routes, and must not
 * make the connection that they share (its copies of modules would not be theirs).
 */
export async function refuseDemonstrationAtBoot(env: Env): Promise<void> {
  const own = connect({ ...connectionOptions(env), poolMax: 1 });
  try {
    await refuseDemonstration({ db: own.db, log: stdoutLogger }, env);
  } finally {
    await own.close();
  }
}
