import type { z } from 'zod';
import type { PersonActor } from '#lib/core/actor.ts';
import type { Context } from '#lib/core/context.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/input/validate.ts';
import { countOne, minuteOf } from '#lib/identity/rate/rate-limit.ts';
import { currentPerson } from '../sessions/person-session.ts';
import type { ActionState } from './action-state.ts';
import { guardAction, type Outcome } from './guard-action.ts';

/** Actions of one person in a minute, before an account is chosen. */
const ACTIONS_PER_MINUTE = 60;

async function countAction(ctx: Context, { personId }: PersonActor): Promise<void> {
  const { windowStart, resetSeconds } = minuteOf(ctx.clock.now());
  const counted = await countOne.first(ctx.kysely, { key: `person:${personId}`, windowStart });
  if ((counted?.requests ?? 0) <= ACTIONS_PER_MINUTE) return;
  throw new ServiceError('rate_limited', {
    params: { seconds: resetSeconds },
    retryAfterSeconds: resetSeconds,
  });
}

/** A server action of a person without a chosen account. Checks our own origin, a live session and the schema, then calls the verb. */
export function personCall<S extends z.ZodType>(options: {
  schema: S;
  // biome-ignore lint/suspicious/noConfusingVoidType: an action with nothing to say returns nothing
  run(ctx: Context<PersonActor>, input: z.output<S>): Promise<Outcome<never> | void>;
}) {
  return (input: z.input<S>): Promise<ActionState<never>> =>
    guardAction<never>(async (anonymous) => {
      const person = await currentPerson();
      if (!person)
        throw new ServiceError('unauthenticated', {
          message: 'Votre session est terminée. Connectez-vous, puis recommencez.',
        });
      await countAction(anonymous, person.actor);
      return options.run({ ...anonymous, actor: person.actor }, validate(options.schema, input));
    });
}
