import { CLOSING_DAYS } from '#lib/identity/closing/closing-rules.ts';
import type { Act, Asked, Call, Change, Plan } from './plan.ts';

/** The parts that a plan can do without, the largest first: whole requests with all that happens to them, what happens, what goes wrong. */
export function piecesOf(plan: Plan): string[][] {
  const acts = [
    ...plan.steps.flatMap((step) => step.acts),
    ...(plan.month?.passes ?? []),
    ...actsOf(plan.leaving),
  ];
  const faults = (name: string, { skewMs, troubles }: Call) => [
    ...(skewMs === 0 ? [] : [`${name}, clock`]),
    ...troubles.map(({ call }) => `${name}, call ${call}`),
  ];
  return [
    [...(plan.month ? ['month'] : []), ...(plan.leaving ? ['leaving'] : [])],
    plan.asked.map(({ id }) => `request ${id}`),
    acts.map(({ id }) => `act ${id}`),
    [
      ...plan.asked.filter(({ again }) => again).map(({ id }) => `request ${id}, again`),
      ...acts.flatMap((act) => (act.does === 'change' && act.again ? [`act ${act.id}, again`] : [])),
      ...plan.asked.flatMap(({ id, script }) =>
        script.reads.map(({ read }) => `request ${id}, read ${read}`),
      ),
      ...plan.asked.flatMap((one) => faults(`request ${one.id}`, one)),
      ...acts.flatMap((one) => faults(`act ${one.id}`, one)),
      ...(plan.month?.approved ?? []).map((id) => `request ${id}, approved`),
    ],
  ];
}

const actsOf = (leaving: Plan['leaving']): Act[] =>
  leaving ? [...(leaving.reopened ? [leaving.reopened] : []), ...leaving.nights] : [];

/** The plan without these parts. Time goes by as it did: an empty moment lengthens the wait for the next one. */
export function without(plan: Plan, dropped: ReadonlySet<string>): Plan {
  const isKept = (name: string) => !dropped.has(name);
  const calm = <T extends Call>(name: string, call: T): T => ({
    ...call,
    skewMs: isKept(`${name}, clock`) ? call.skewMs : 0,
    troubles: call.troubles.filter((one) => isKept(`${name}, call ${one.call}`)),
  });
  const asked = plan.asked
    .filter(({ id }) => isKept(`request ${id}`))
    .map(
      (one): Asked => ({
        ...calm(`request ${one.id}`, one),
        again: one.again && isKept(`request ${one.id}, again`),
        script: {
          ...one.script,
          reads: one.script.reads.filter(({ read }) => isKept(`request ${one.id}, read ${read}`)),
        },
      }),
    );
  const left = new Set(asked.map(({ id }) => id));
  const keptActs = (acts: readonly Act[]) =>
    acts
      .filter((act) => isKept(`act ${act.id}`) && (!('of' in act) || left.has(act.of)))
      .map((act): Act => {
        const kept = calm(`act ${act.id}`, act);
        return kept.does === 'change'
          ? { ...kept, again: kept.again && isKept(`act ${act.id}, again`) }
          : kept;
      });
  const steps: Plan['steps'] = [];
  let waitedMs = 0;
  for (const step of plan.steps) {
    const acts = keptActs(step.acts);
    waitedMs += step.afterMs;
    if (acts.length === 0) continue;
    steps.push({ afterMs: waitedMs, acts });
    waitedMs = 0;
  }
  const month =
    plan.month && isKept('month')
      ? {
          approved: plan.month.approved.filter((id) => left.has(id) && isKept(`request ${id}, approved`)),
          passes: keptActs(plan.month.passes),
        }
      : null;
  const leaving =
    plan.leaving && isKept('leaving')
      ? {
          reopened: plan.leaving.reopened && (keptActs([plan.leaving.reopened])[0] ?? null),
          nights: keptActs(plan.leaving.nights),
        }
      : null;
  return { ...plan, asked, steps, month, leaving };
}

/**
 * The smallest plan found that still goes wrong: parts are taken out, many at once and then fewer, for as long as `goesWrong` says so of
 * what is left; in the end none can be taken out alone, unless `most` plans were tried before. What it returns was seen to go wrong last.
 */
export async function shrink(
  plan: Plan,
  goesWrong: (plan: Plan) => Promise<boolean>,
  most = 400,
): Promise<{ plan: Plan; tried: number }> {
  let smallest = plan;
  let tried = 0;
  const isSpared = async (names: readonly string[]): Promise<boolean> => {
    if (tried >= most) return false;
    const less = without(smallest, new Set(names));
    tried += 1;
    if (!(await goesWrong(less))) return false;
    smallest = less;
    return true;
  };
  for (let level = 0; level < piecesOf(plan).length; level += 1) {
    let size = piecesOf(smallest)[level]?.length ?? 0;
    while (size >= 1) {
      const names = piecesOf(smallest)[level] ?? [];
      for (let at = 0; at < names.length; at += size) await isSpared(names.slice(at, at + size));
      size = Math.floor(size / 2);
    }
  }
  // What was needed beside something that is gone by now may not be any more: until a whole round spares nothing.
  for (let isLess = true; isLess && tried < most; ) {
    isLess = false;
    for (const name of piecesOf(smallest).flat())
      if (piecesOf(smallest).flat().includes(name) && (await isSpared([name]))) isLess = true;
  }
  return { plan: smallest, tried };
}

const SECOND_MS = 1_000;

/** What is changed, in words. */
function describeChange(change: Change): string {
  switch (change.what) {
    case 'revoke':
      return `the ${change.key} is revoked`;
    case 'rotate':
      return `the key is replaced, and works ${change.overlapDays} days more`;
    case 'key-cap':
      return `the ${change.key} may spend ${change.capMicros} µ$ a month`;
    case 'member-cap':
      return `the member may spend ${change.capMicros} µ$ a month`;
    case 'share':
    case 'give':
    case 'take-back':
      return `${change.what} ${change.amountMicros} µ$`;
    case 'close':
    case 'reopen':
      return `${change.what} the account`;
    default:
      return `${change.what} the member`;
  }
}

/** Describes a plan in words, one line for each thing that happens. */
export function describePlan(plan: Plan): string[] {
  const name = (id: number) => {
    const one = plan.asked.find((known) => known.id === id);
    return one ? `${one.kind} ${id}` : `request ${id}`;
  };
  const goesWrong = ({ skewMs, troubles }: Call) => [
    ...(skewMs === 0 ? [] : [`clock ${skewMs > 0 ? '+' : '−'}${Math.abs(skewMs) / SECOND_MS} s`]),
    ...troubles.map(
      ({ call, dies, after }) =>
        `${dies ? 'dies' : 'a fault'} ${after ? 'after' : 'before'} its call ${call + 1} took effect`,
    ),
  ];
  const withDetails = (what: string, details: string[]) =>
    details.length > 0 ? `${what} (${details.join(', ')})` : what;
  const actIn = (act: Act) => {
    switch (act.does) {
      case 'webhook':
      case 'read':
        return `${act.does} of ${name(act.of)}`;
      case 'ask':
        return `${name(act.of)} is asked for`;
      case 'change':
        return `account ${act.account}: ${describeChange(act.change)}${act.again ? ', twice' : ''}`;
      case 'callback':
        return `callback of ${name(act.of)}${act.lies ? ', which says that it failed' : ''}`;
      case 'send':
        return `events sent, answered ${act.answer}`;
      default:
        return act.does;
    }
  };
  const together = (acts: readonly Act[]) =>
    acts.map((act) => withDetails(actIn(act), goesWrong(act))).join('; ');
  return [
    ...plan.asked.map((one) =>
      withDetails(`account ${one.account}, ${one.by}: ${one.later ? 'later asks' : 'asks'} ${name(one.id)}`, [
        one.script.start === 'taken'
          ? `${one.script.ends} after ${one.script.readyMinutes} min`
          : `refused: ${one.script.start}`,
        ...(one.again ? ['asked twice'] : []),
        ...one.script.reads.map(({ read, reason }) => `its read ${read + 1} answered ${reason}`),
        ...goesWrong(one),
      ]),
    ),
    ...plan.steps.map(
      ({ afterMs, acts }) =>
        `${afterMs / SECOND_MS} s later: ${acts.map((act) => withDetails(actIn(act), goesWrong(act))).join('; ')}`,
    ),
    ...(plan.month
      ? [
          `a month later: approved ${plan.month.approved.map(name).join(', ') || 'none'}; ${plan.month.passes.map((act) => withDetails(actIn(act), goesWrong(act))).join('; ')}`,
        ]
      : []),
    ...(plan.leaving ? [`${CLOSING_DAYS} days later: ${together(actsOf(plan.leaving))}`] : []),
  ];
}
