import type { Expression, RawBuilder } from 'kysely';
import type { GenerationState } from './generated/tables.ts';
import { isOneOf } from './values.ts';

/** The states of a generation that can still change. The partial indexes of the migrations are over these two. */
const OPEN_STATES = ['STARTING', 'SUBMITTED'] as const satisfies readonly GenerationState[];
type OpenState = (typeof OPEN_STATES)[number];

/** Whether a row in this state can still change: its job is not closed. */
export function isOpenState(state: GenerationState): state is OpenState {
  return (OPEN_STATES as readonly GenerationState[]).includes(state);
}

/** `"state" in ('STARTING', 'SUBMITTED')` over a column such as `g.state`, as the partial indexes say it (`isOneOf`). */
export function inOpenState(column: Expression<GenerationState | null> | string): RawBuilder<boolean> {
  return isOneOf(column, OPEN_STATES);
}
