import type { Micros } from '#lib/core/money.ts';
import { estimateMicros } from '#lib/providers/models/pricing.ts';

/** What a render that is started again would hold today, whatever the first one held. Apart: a page that says it starts nothing. */
export const relaunchMicros = (): Micros => estimateMicros('render', {});
