import { expect, it } from 'vitest';
import { drawPlan, LIFE_MS, type Plan, TROUBLED_MS, withLeaving } from '#tests/simulation/plan.ts';
import { describePlan, piecesOf, shrink, without } from '#tests/simulation/shrink.ts';

const actsOf = (plan: Plan) => plan.steps.flatMap(({ acts }) => acts);
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed);

it('the same seed draws the same scene, another one another', () => {
  const told = (seed: number) => JSON.stringify({ ...drawPlan(seed), seed: 0 });
  expect(SEEDS.map(told)).toEqual(SEEDS.map(told));
  expect(new Set(SEEDS.map(told)).size).toBe(SEEDS.length);
});

it('scenes have several accounts, every kind, every documented refusal, faults and deaths at any call, and a month after', () => {
  const plans = SEEDS.map((seed) => drawPlan(seed));
  const asked = plans.flatMap((plan) => plan.asked);
  expect(new Set(plans.map(({ accounts }) => accounts))).toEqual(new Set([1, 2, 3]));
  expect(new Set(asked.map(({ kind }) => kind))).toEqual(
    new Set(['video', 'render', 'image', 'pictogram', 'voice', 'lipsync']),
  );
  expect(new Set(asked.map(({ script }) => script.start))).toContain('rate-limited');
  expect(new Set(asked.map(({ script }) => script.ends))).toContain('never');
  const troubles = plans.flatMap((plan) => actsOf(plan).flatMap((act) => act.troubles));
  expect(troubles.some(({ dies }) => dies)).toBe(true);
  expect(Math.max(...troubles.map(({ call }) => call))).toBeGreaterThan(20);
  expect(new Set(plans.flatMap((plan) => actsOf(plan).map(({ does }) => does)))).toEqual(
    new Set(['webhook', 'read', 'callback', 'sweep', 'send', 'retention', 'change', 'ask']),
  );
  expect(plans.some(({ month }) => month !== null)).toBe(true);
  for (const plan of plans) {
    expect(plan.steps.reduce((sum, { afterMs }) => sum + afterMs, 0)).toBe(TROUBLED_MS);
    expect(TROUBLED_MS).toBeLessThan(LIFE_MS);
  }
});

it('every sort of change is drawn, beside what is asked later, and moves nothing of what a scene had before', () => {
  const plans = Array.from({ length: 100 }, (_, seed) => drawPlan(seed));
  const changes = plans.flatMap((plan) =>
    actsOf(plan).flatMap((act) => (act.does === 'change' ? [act.change] : [])),
  );
  const sorts = [
    'revoke',
    'rotate',
    'key-cap',
    'member-cap',
    'share',
    'give',
    'take-back',
    'suspend',
    'reactivate',
    'remove',
    'forbid',
    'allow',
  ];
  const drawn = new Set<string>(changes.map(({ what }) => what));
  // In few scenes, and drawn separately: the next test is about them.
  for (const what of ['close', 'reopen']) drawn.delete(what);
  expect(drawn).toEqual(new Set(sorts));
  for (const plan of plans) {
    const own = actsOf(plan).filter(({ does }) => does === 'change' || does === 'ask');
    const others = [...actsOf(plan), ...(plan.month?.passes ?? [])].filter((act) => !own.includes(act));
    expect(others.map(({ id }) => id)).toEqual(others.map((_, id) => id));
    const later = plan.asked.flatMap((one) => (one.later ? [one.id] : []));
    expect(later).toEqual(own.flatMap((act) => (act.does === 'ask' ? [act.of] : [])));
    expect(plan.asked.map(({ id }) => id)).toEqual(plan.asked.map((_, id) => id));
  }
});

it('in few scenes an account is closed, at times opened again before its end or beside the night that would erase it; nothing else moves', () => {
  const plain: Plan = { ...drawPlan(3), leaving: null };
  const own = (plan: Plan) =>
    actsOf(plan).filter((act) => act.does === 'change' && /^(close|reopen)$/.test(act.change.what));
  const drawn = Array.from({ length: 2_000 }, (_, seed) => withLeaving({ ...plain, seed }));
  const left = drawn.filter(({ leaving }) => leaving !== null);
  expect(left.length).toBeGreaterThan(40);
  expect(left.length).toBeLessThan(160);
  expect(left.some(({ leaving }) => leaving?.reopened)).toBe(true);
  expect(left.some((plan) => own(plan).length > own(plain).length + 1)).toBe(true);
  for (const { leaving, steps } of drawn) if (!leaving) expect(steps).toBe(plain.steps);
  for (const plan of left) {
    const more = own(plan).slice();
    for (const act of own(plain)) more.splice(more.indexOf(act), 1);
    expect(actsOf(plan).filter((act) => !more.includes(act))).toEqual(actsOf(plain));
    const changes = more.flatMap((act) => (act.does === 'change' ? [act.change.what] : []));
    expect(['close', 'close,reopen']).toContain(changes.join());
    const late = plan.leaving ? [plan.leaving.reopened ?? [], plan.leaving.nights].flat() : [];
    const ids = [...actsOf(plan), ...(plan.month?.passes ?? []), ...late].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
  }
  const [one] = left;
  const [night] = one?.leaving?.nights ?? [];
  if (!one || !night) throw new Error('no scene has an account that leaves');
  expect(describePlan(one).at(-1)).toContain('30 days later: ');
  expect(without(one, new Set([`act ${night.id}`])).leaving?.nights).toEqual(one.leaving?.nights.slice(1));
  expect(without(one, new Set(['leaving'])).leaving).toBeNull();
});

it('a part that is taken out takes what happens to it along, and leaves every other as it was, when it was', () => {
  for (const seed of SEEDS.slice(0, 3)) {
    const plan = drawPlan(seed);
    const [gone] = plan.asked;
    const less = without(plan, new Set([`request ${gone?.id}`]));
    expect(less.asked).toEqual(plan.asked.slice(1));
    expect(actsOf(less)).toEqual(actsOf(plan).filter((act) => !('of' in act) || act.of !== gone?.id));
    const whenOf = (one: Plan) => {
      let atMs = 0;
      return new Map(
        one.steps.flatMap(({ afterMs, acts }) => {
          atMs += afterMs;
          return acts.map(({ id }) => [id, atMs] as const);
        }),
      );
    };
    const when = whenOf(plan);
    for (const [id, atMs] of whenOf(less)) expect(atMs).toBe(when.get(id));
  }
});

it('what is left of a scene that goes wrong is what it takes, and nothing else', async () => {
  const plan = drawPlan(3);
  const act = actsOf(plan).find((one) => 'of' in one && one.troubles.length > 0);
  if (!act || !('of' in act)) throw new Error('seed 3 has no such act');
  const [trouble] = act.troubles;
  const other = plan.asked.find(({ id, again }) => again && id !== act.of);
  const goesWrong = async (less: Plan) =>
    actsOf(less).some(
      (one) => one.id === act.id && one.troubles.some(({ call }) => call === trouble?.call),
    ) && less.asked.some((one) => one.id === other?.id && one.again);
  const { plan: smallest, tried } = await shrink(plan, goesWrong);
  expect(smallest.asked.map(({ id }) => id).sort()).toEqual([act.of, other?.id].sort());
  expect(actsOf(smallest)).toEqual([{ ...act, skewMs: 0, troubles: [trouble] }]);
  expect(smallest.asked.map(({ skewMs }) => skewMs)).toEqual([0, 0]);
  expect(smallest.asked.flatMap(({ script, troubles }) => [...script.reads, ...troubles])).toEqual([]);
  expect(smallest.month).toBeNull();
  expect(tried).toBeLessThan(300);
  // Two requests, and the only moment at which something happens.
  expect(describePlan(smallest)).toHaveLength(3);
  expect(describePlan(smallest).join('\n')).toContain(`asks ${other?.kind} ${other?.id} `);
});

it('what is left can do without none of its parts, even where one is needed only beside another that goes later', async () => {
  const plan = drawPlan(3);
  const webhooks = actsOf(plan).flatMap((one) => (one.does === 'webhook' ? [one] : []));
  const act = webhooks.find(({ troubles }) => troubles.length > 0);
  const other = webhooks.find(({ of }) => of !== act?.of);
  if (!act || !other) throw new Error('seed 3 has no such acts');
  // While a call of `act` goes wrong, `other` is needed; once no call does, it could be removed.
  const goesWrong = async (less: Plan) => {
    const left = actsOf(less).find(({ id }) => id === act.id);
    return (
      left !== undefined && (left.troubles.length === 0 || actsOf(less).some(({ id }) => id === other.id))
    );
  };
  const { plan: smallest } = await shrink(plan, goesWrong);
  expect(actsOf(smallest)).toEqual([{ ...act, skewMs: 0, troubles: [] }]);
  expect(smallest.asked.map(({ id }) => id)).toEqual([act.of]);
  for (const piece of piecesOf(smallest).flat())
    expect(await goesWrong(without(smallest, new Set([piece]))), piece).toBe(false);
});

it('what was approved, and a clock that is wrong, are parts that a history may do without', () => {
  const plan = SEEDS.map((seed) => drawPlan(seed)).find(({ month }) => month && month.approved.length > 1);
  const [first, ...others] = plan?.month?.approved ?? [];
  const wrong = plan?.asked.find(({ skewMs }) => skewMs !== 0);
  if (!plan || !wrong) throw new Error('no seed has such a scene');
  const pieces = [`request ${first}, approved`, `request ${wrong.id}, clock`];
  expect(piecesOf(plan).flat()).toEqual(expect.arrayContaining(pieces));
  const less = without(plan, new Set(pieces));
  expect(less.month?.approved).toEqual(others);
  expect(less.asked).toEqual(plan.asked.map((one) => (one.id === wrong.id ? { ...one, skewMs: 0 } : one)));
});

it('a scene that goes wrong whatever is taken out becomes an empty one; one that tries too often stops there', async () => {
  const plan = drawPlan(5);
  const { plan: nothing } = await shrink(plan, async () => true);
  expect([nothing.asked, nothing.steps]).toEqual([[], []]);
  const { tried, plan: whole } = await shrink(plan, async () => false, 7);
  expect(tried).toBe(7);
  expect(whole).toEqual(plan);
});
