import type { FailureReason } from '#lib/providers/ports.ts';
import { type Random, seeded } from './random.ts';

/** A call of an instance to its outside that goes wrong, by its number: it fails, or the process dies there; before it took effect, or after. */
export type Trouble = { call: number; dies: boolean; after: boolean };

/** One verb on one instance: how far its clock is from the simulation's, what orders its calls among the others', and what goes wrong. */
export type Call = { skewMs: number; seed: number; troubles: Trouble[] };

type AskedKind = 'video' | 'render' | 'image' | 'pictogram' | 'voice' | 'lipsync';

/** What a simulated provider does with one request, decided beforehand. */
export type ProviderScript = {
  /** `taken`: work begins. Else how the provider refuses it. */
  start: 'taken' | FailureReason;
  ends: JobEnd | RunEnd | AnswerEnd;
  readyMinutes: number;
  /** Reads of the job that are refused, by number, and how. */
  reads: { read: number; reason: FailureReason }[];
  /** Of its prices: each answer may tell another one. */
  seed: number;
};
type JobEnd =
  | 'completed'
  | 'dropped'
  | 'garbage'
  | 'never'
  | 'provider-error'
  | 'content-refused'
  | 'cancelled'
  | 'no-file';
type RunEnd = 'success' | 'failure' | 'empty' | 'blackout' | 'vanished';
/** `garbage`: paid for, and nothing that may be kept. */
type AnswerEnd = 'completed' | 'garbage';

/** A request of a member, or of a key, and what becomes of it outside. */
export type Asked = Call & {
  id: number;
  account: number;
  by: 'founder' | 'member' | 'key' | 'member-key';
  kind: AskedKind;
  /** Asked at a moment of the plan, and let in then; else it is in flight, and was let in, when the scene begins. */
  later: boolean;
  /** The client that lost the answer sends the request again. */
  again: boolean;
  script: ProviderScript;
};

/** What a founder, or the shell, changes of an account while it works; members and money are those of its member who is no founder. */
export type Change =
  | { what: 'revoke'; key: 'key' | 'member-key' }
  | { what: 'rotate'; overlapDays: 0 | 1 }
  | { what: 'key-cap'; key: 'key' | 'member-key'; capMicros: number }
  | { what: 'member-cap'; capMicros: number }
  /** `forbid` takes the right to generate, `allow` gives it back. */
  | { what: 'suspend' | 'reactivate' | 'remove' | 'forbid' | 'allow' }
  /** A founder shares what the account has; the shell gives the account more, or takes back what is not shared. */
  | { what: 'share' | 'give' | 'take-back'; amountMicros: number }
  /** A founder closes the account, or opens it again within its 30 days. */
  | { what: 'close' | 'reopen' };

export type Act = Call & { id: number } & (
    | { does: 'webhook' | 'read'; of: number }
    /** The runner calls back: what happened, or another verdict. */
    | { does: 'callback'; of: number; lies: boolean }
    | { does: 'sweep' | 'retention' }
    /** What was closed 30 days ago is erased. */
    | { does: 'night' }
    /** Events are sent; the subscriber answers this. */
    | { does: 'send'; answer: 200 | 500 | 429 | 'timeout' }
    /** `again`: whoever lost the answer does it once more. */
    | { does: 'change'; account: number; change: Change; again: boolean }
    /** A request that is asked later. */
    | { does: 'ask'; of: number }
  );

/** Time goes by, then all of this happens together. */
export type Step = { afterMs: number; acts: Act[] };

/** Everything that a scene's seed decides. */
export type Plan = {
  seed: number;
  accounts: number;
  asked: Asked[];
  steps: Step[];
  /** A month later: which generations' files were approved, and the passes of retention over all of them. */
  month: { approved: number[]; passes: Act[] } | null;
  /** An account is closed in one of the steps; 30 days after everything: the nights, beside the first of which it may be opened again. */
  leaving: { reopened: Act | null; nights: Act[] } | null;
};

export type PlanOptions = { asynchronousOnly?: boolean; synchronousOnly?: boolean };

export const MINUTE_MS = 60_000;
/** Every row must be over by 2 h 15 after the last start. */
export const LIFE_MS = 135 * MINUTE_MS;
/** From here on nothing goes wrong: whatever was left is finished by the sweeps of the last half hour. */
export const TROUBLED_MS = LIFE_MS - 20 * MINUTE_MS;
const GENERATIONS = 24;
/** Three instances: beyond what a minute tells apart, within what deadlines forgive. */
const SKEWS_MS = [0, 20_000, -20_000];
/** How often a call fails, and how often the process dies there. */
const FAULT = 0.05;
const DEATH = 0.02;
/** No verb but a long sweep makes more calls. */
const MOST_CALLS = 150;
/** Mixed with a scene's seed: what is changed in it has draws of its own. */
const CHANGES_SEED = 0x5bd1e995;
/** The same for an account that leaves, and how many scenes have one: all of it is read three times. */
const LEAVING_SEED = 0x27d4eb2f;
const LEAVING = 0.04;
/** What is asked until then is over before the last sweeps, whatever becomes of it. */
const CHANGES_UNTIL_MS = 75 * MINUTE_MS;
/** Nothing costs less: under such a cap nothing may be asked. */
export const LEAST_MICROS = 500;
const RAISED_MICROS = 5_000_000;
const SYNCHRONOUS_KINDS: readonly AskedKind[] = ['image', 'pictogram', 'voice'];
const LATER_BY: readonly Asked['by'][] = ['key', 'key', 'member', 'member', 'member-key', 'founder'];

/** What the providers document of a refused request (docs/providers.md): 429, 5xx, 402, 401, 400, moderation, no answer in time. */
const START_FAULTS: readonly FailureReason[] = [
  'rate-limited',
  'provider-error',
  'quota-exhausted',
  'unauthorized',
  'invalid-request',
  'content-refused',
  'timeout',
  'unreachable',
  'bad-answer',
];
const READ_FAULTS: readonly FailureReason[] = [
  'rate-limited',
  'provider-error',
  'timeout',
  'unreachable',
  'bad-answer',
  'unauthorized',
];
const JOB_ENDS: readonly JobEnd[] = [
  ...(['completed', 'completed', 'completed', 'completed', 'completed', 'completed'] as const),
  ...(['dropped', 'garbage', 'never', 'provider-error', 'content-refused', 'cancelled', 'no-file'] as const),
];
const RUN_ENDS: readonly RunEnd[] = [
  ...(['success', 'success', 'success', 'failure', 'empty', 'blackout', 'vanished'] as const),
];
const ANSWER_ENDS: readonly AnswerEnd[] = [...Array<'completed'>(9).fill('completed'), 'garbage'];

/** Draws one scene: the same seed, the same scene, as data; so that what happens can be told, and taken out of it piece by piece. */
export function drawPlan(seed: number, options: PlanOptions = {}): Plan {
  const random = seeded(seed);
  const kinds: readonly AskedKind[] = options.synchronousOnly
    ? SYNCHRONOUS_KINDS
    : options.asynchronousOnly
      ? ['video', 'render']
      : ['video', 'video', 'video', 'render', 'render', 'image', 'pictogram', 'voice', 'lipsync'];
  const accounts = 1 + random.below(3);
  const asked = Array.from({ length: GENERATIONS }, (_, id) => drawAsked(random, id, accounts, kinds));
  const steps: Step[] = [];
  let ids = 0;
  for (let atMs = 0; atMs < TROUBLED_MS; ) {
    const wanted = random.pick([5_000, 15_000, 3 * MINUTE_MS, 7 * MINUTE_MS, 16 * MINUTE_MS, 40 * MINUTE_MS]);
    const afterMs = Math.min(wanted, TROUBLED_MS - atMs);
    atMs += afterMs;
    const acts = drawActs(random, asked).map((act) => ({ ...act, id: ids++ }) as Act);
    steps.push({ afterMs, acts });
  }
  const month = random.chance(0.25)
    ? {
        approved: asked.filter(() => random.chance(0.3)).map(({ id }) => id),
        passes: Array.from(
          { length: 3 },
          (): Act => ({ ...drawCall(random), id: ids++, does: 'retention' as const }),
        ),
      }
    : null;
  return withLeaving(withChanges({ seed, accounts, asked, steps, month, leaving: null }));
}

/** The same scene with what its accounts change meanwhile, and what is asked later; drawn by itself, so that nothing else moves. */
function withChanges(plan: Plan): Plan {
  const random = seeded(plan.seed ^ CHANGES_SEED);
  const changed = random.below(plan.accounts);
  const account = () => (random.chance(0.7) ? changed : random.below(plan.accounts));
  let ids = plan.steps.reduce((sum, { acts }) => sum + acts.length, plan.month?.passes.length ?? 0);
  const asked = [...plan.asked];
  let atMs = 0;
  let caps = 0;
  const steps = plan.steps.map((step): Step => {
    atMs += step.afterMs;
    if (atMs > CHANGES_UNTIL_MS || !random.chance(0.6)) return step;
    // One of each sort at most: of two at once about the same, either may be the last.
    const where = account();
    const changes = drawChanges(random, () => ++caps).map(
      (change): DrawnAct => ({
        ...drawCall(random),
        does: 'change',
        account: where,
        change,
        again: random.chance(0.3),
      }),
    );
    const later = Array.from({ length: random.below(4) }, (): Asked => {
      const one = drawAsked(random, 0, plan.accounts, SYNCHRONOUS_KINDS);
      return { ...one, account: account(), by: random.pick(LATER_BY), later: true };
    }).map((one, index) => ({ ...one, id: asked.length + index }));
    asked.push(...later);
    // Its request has a call of its own, with all that goes wrong in it.
    const asks = later.map(({ id: of }): DrawnAct => ({ does: 'ask', of, skewMs: 0, seed: 0, troubles: [] }));
    const acts = [...changes, ...asks].map((act) => ({ ...act, id: ids++ }) as Act);
    return { ...step, acts: [...step.acts, ...acts] };
  });
  return { ...plan, asked, steps };
}

/** The same scene, where few have an account that its founder closes while work runs; drawn by itself too. */
export function withLeaving(plan: Plan): Plan {
  const random = seeded(plan.seed ^ LEAVING_SEED);
  if (!random.chance(LEAVING)) return plan;
  const account = random.below(plan.accounts);
  let ids = plan.steps.reduce((sum, { acts }) => sum + acts.length, plan.month?.passes.length ?? 0);
  const drawn = (change: Change): Act => ({
    ...drawCall(random),
    id: ids++,
    does: 'change' as const,
    account,
    change,
    again: random.chance(0.3),
  });
  let atMs = 0;
  const early = plan.steps.filter(({ afterMs }) => {
    atMs += afterMs;
    return atMs <= CHANGES_UNTIL_MS;
  });
  const closing = random.below(early.length);
  const after = plan.steps.length - closing - 1;
  const opening = after > 0 && random.chance(0.4) ? closing + 1 + random.below(after) : null;
  const steps = plan.steps.map((step, index): Step => {
    if (index === closing) return { ...step, acts: [...step.acts, drawn({ what: 'close' })] };
    return index === opening ? { ...step, acts: [...step.acts, drawn({ what: 'reopen' })] } : step;
  });
  const reopened = random.chance(0.3) ? drawn({ what: 'reopen' }) : null;
  const nights = Array.from(
    { length: 3 },
    (): Act => ({ ...drawCall(random), id: ids++, does: 'night' as const }),
  );
  return { ...plan, steps, leaving: { reopened, nights } };
}

function drawChanges(random: Random, nextCap: () => number): Change[] {
  const changes: Change[] = [];
  // Each cap is another one, so that the audit tells which it speaks of.
  const cap = () => (random.chance(0.5) ? 0 : RAISED_MICROS) + nextCap();
  if (random.chance(0.5)) {
    const what = random.pick(['revoke', 'rotate', 'key-cap', 'key-cap'] as const);
    const key = random.pick(['key', 'key', 'member-key'] as const);
    if (what === 'rotate') changes.push({ what, overlapDays: random.pick([0, 1] as const) });
    else changes.push(what === 'revoke' ? { what, key } : { what, key, capMicros: cap() });
  }
  if (random.chance(0.5)) {
    const what = random.pick([
      ...(['suspend', 'suspend', 'reactivate', 'reactivate', 'remove'] as const),
      ...(['forbid', 'allow', 'member-cap', 'member-cap'] as const),
    ]);
    changes.push(what === 'member-cap' ? { what, capMicros: cap() } : { what });
  }
  if (random.chance(0.3)) {
    const what = random.pick(['share', 'give', 'take-back'] as const);
    changes.push({ what, amountMicros: 1 + random.below(1_000_000) });
  }
  return changes;
}

function drawAsked(random: Random, id: number, accounts: number, kinds: readonly AskedKind[]): Asked {
  const kind = random.pick(kinds);
  return {
    id,
    account: random.below(accounts),
    by: random.pick(['founder', 'member', 'key'] as const),
    kind,
    again: random.chance(0.2),
    later: false,
    script: {
      start: random.chance(0.12) ? random.pick(START_FAULTS) : 'taken',
      ends: random.pick(
        kind === 'video' || kind === 'lipsync' ? JOB_ENDS : kind === 'render' ? RUN_ENDS : ANSWER_ENDS,
      ),
      readyMinutes: random.below(kind === 'render' ? 30 : 90),
      reads: [0, 1, 2, 3, 4, 5]
        .filter(() => random.chance(0.1))
        .map((read) => ({ read, reason: random.pick(READ_FAULTS) })),
      seed: random.below(2 ** 31),
    },
    ...drawCall(random),
  };
}

/** What happens together at one moment: up to two webhooks and two readers of each row, its runner, and whoever looks at all of them. */
function drawActs(random: Random, asked: readonly Asked[]): DrawnAct[] {
  const acts: DrawnAct[] = [];
  for (const { id: of, kind } of asked) {
    for (let n = random.below(3); n > 0; n -= 1) acts.push({ ...drawCall(random), does: 'webhook', of });
    for (let n = random.below(3); n > 0; n -= 1) acts.push({ ...drawCall(random), does: 'read', of });
    if (kind !== 'render' || random.chance(0.3)) continue;
    acts.push({ ...drawCall(random), does: 'callback', of, lies: false });
    if (random.chance(0.4)) acts.push({ ...drawCall(random), does: 'callback', of, lies: false });
    if (random.chance(0.2)) acts.push({ ...drawCall(random), does: 'callback', of, lies: true });
  }
  for (let n = random.below(3); n > 0; n -= 1) acts.push({ ...drawCall(random), does: 'sweep' });
  if (random.chance(0.3)) {
    const answer = random.pick([200, 200, 500, 429, 'timeout'] as const);
    for (let n = 1 + random.below(2); n > 0; n -= 1) acts.push({ ...drawCall(random), does: 'send', answer });
  }
  if (random.chance(0.1)) acts.push({ ...drawCall(random), does: 'retention' });
  return acts;
}
type DrawnAct = Act extends infer One ? (One extends Act ? Omit<One, 'id'> : never) : never;

function drawCall(random: Random): Call {
  const troubles: Trouble[] = [];
  // How many calls go well before the next one that does not, drawn at once rather than call by call.
  const wait = () => Math.floor(Math.log(1 - random.next()) / Math.log(1 - FAULT - DEATH));
  for (let call = wait(); call < MOST_CALLS; call += 1 + wait()) {
    const dies = random.chance(DEATH / (FAULT + DEATH));
    troubles.push({ call, dies, after: random.chance(0.5) });
    if (dies) break;
  }
  return { skewMs: random.pick(SKEWS_MS), seed: random.below(2 ** 31), troubles };
}
