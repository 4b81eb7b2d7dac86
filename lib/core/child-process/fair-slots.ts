import { ServiceError } from '../errors.ts';

type FairSlots = <T>(owner: string, work: () => Promise<T>) => Promise<T>;

/**
 * Runs at most `count` tasks at once in this process, and at most `count - 1` of one owner (an account), so that none can take every slot; the
 * others wait. A free slot goes to the waiting owner served longest ago, so that of many tasks of one owner at most one goes before another
 * owner's. The queue is in memory, at most `waitingPerOwner` waiting tasks an owner. Throws `rate_limited` (nothing was done) past that, or
 * what `refusal` makes.
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
  /** The number of the last turn of each owner who runs or waits; an owner without one goes first. */
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
    // The slot is taken here, before the task begins, so that a newcomer cannot take it in between.
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
