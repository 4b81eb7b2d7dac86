import { cookies } from 'next/headers';
import { redirect } from 'next/navigation';
import type { z } from 'zod';
import type { PersonActor } from '#lib/core/actor.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { Context } from '#lib/core/context.ts';
import { env } from '#lib/core/env.ts';
import { ServiceError } from '#lib/core/errors.ts';
import { validate } from '#lib/core/validate.ts';
import { authenticatePerson } from '#lib/identity/people/authenticate-person.ts';
import { countOne, minuteOf } from '#lib/identity/rate/rate-limit.ts';
import { readSessionCookie, sessionCookieName } from '#lib/identity/sessions/session-cookie.ts';
import { connection } from '../runtime/connection.ts';
import { createContext } from '../runtime/context.ts';
import { signInPath } from '../security/return-path.ts';
import type { ActionState } from './action-state.ts';
import { guardAction, type Outcome } from './guard-action.ts';
import { isSecureService } from './member-session.ts';

/** The person of this browser's session, whether or not an account was chosen in it; null without one. */
export async function currentPerson(): Promise<{ actor: PersonActor; email: string } | null> {
  const value = (await cookies()).get(sessionCookieName(isSecureService()))?.value;
  const sessionId = value && (await readSessionCookie(value, env().SERVICE_SESSION_SECRET));
  return sessionId ? authenticatePerson({ ...connection(), clock: systemClock }, sessionId) : null;
}

/** The same for a page; anyone else is sent to the sign-in page and comes back to `path`. */
export async function requirePerson(path: string): Promise<{ ctx: Context<PersonActor>; email: string }> {
  const person = await currentPerson();
  if (!person) redirect(signInPath(path));
  return { ctx: createContext(person.actor), email: person.email };
}

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

/** A server action of a person: our own origin, a live session, the schema, the verb. */
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
