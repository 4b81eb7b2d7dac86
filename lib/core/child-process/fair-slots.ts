import { ServiceError } from '../errors.ts';

type FairSlots = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Lets `count` works run at once in this process, one less of them at most for one owner (an account), so that none can take every place;
 * the others wait. A place that is free goes to the owner who had none for the longest, so that of many works of one a single one, at
 * most, goes before another's. What waits is held in memory: an owner has `waitingPerOwner` works waiting at most. Throws `rate_limited`
 * (nothing was done) past them, or what `refusal` makes.
 */
export function createFairSlots({
  count,
  waitingPerOwner,
  refusal = tooMany,
}: {
  count: number;
  waitingPerOwner: number;
  refusal?: () => ServiceError;
}): FairSlots {
  const perOwner = Math.max(1, count - 1);
  const running = new Map<string, number>();
  const waiting: { owner: string; begin: () => void }[] = [];
  /** Which turn each owner who runs or waits had last; one who had none yet goes first. */
  const lastTurns = new Map<string, number>();
  let turns = 0;
  const of = (owner: string) => running.get(owner) ?? 0;
  const all = () => [...running.values()].reduce((sum, one) => sum + one, 0);
  const mayRun = (owner: string) => all() < count && of(owner) < perOwner;
  const take = (owner: string) => {
    running.set(owner, of(owner) + 1);
    turns += 1;
    lastTurns.set(owner, turns);
  };
  const lastTurn = (owner: string) => lastTurns.get(owner) ?? 0;
  const nextInTurn = () => {
    let next = -1;
    for (const [index, { owner }] of waiting.entries()) {
      const before = waiting[next]?.owner;
      if (mayRun(owner) && (before === undefined || lastTurn(owner) < lastTurn(before))) next = index;
    }
    return next;
  };
  const give = (owner: string) => {
    if (of(owner) === 1) running.delete(owner);
    else running.set(owner, of(owner) - 1);
    if (of(owner) === 0 && !waiting.some((one) => one.owner === owner)) lastTurns.delete(owner);
    const next = nextInTurn();
    if (next < 0) return;
    const [one] = waiting.splice(next, 1);
    // The place is taken for it now, so that a newcomer cannot slip in between.
    if (one) take(one.owner);
    one?.begin();
  };
  return async (owner, work) => {
    if (mayRun(owner)) take(owner);
    else {
      if (waiting.filter((one) => one.owner === owner).length >= waitingPerOwner) throw refusal();
      await new Promise<void>((begin) => waiting.push({ owner, begin }));
    }
    try {
      return await work();
    } finally {
      give(owner);
    }
  };
}

function tooMany(): ServiceError {
  return new ServiceError('rate_limited', {
    retryAfterSeconds: 30,
    message:
      'Votre compte fait déjà lire d’autres textes ou fichiers. Rien n’a été fait\u00a0: attendez que l’un d’eux soit lu, puis recommencez.',
  });
}
