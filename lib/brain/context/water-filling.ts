type Shares = {
  /** The maximum length of a body; longer bodies are shortened. */
  cap: number;
  /** How many of the first bodies share the budget; the others get none. */
  sharing: number;
  /** The budget that the cap leaves over: less than one character per shortened body. */
  spare: number;
};

/**
 * Water-filling: the largest common cap such that the sum of `min(length, cap)` is at most `budget`. Short bodies leave their share to long ones. If
 * the cap would be under `least`, only the first bodies share. `lengths` holds lower bounds on entry and, on return, the exact length of every body
 * that may be whole, so that the work is bounded by the budget and not by the bodies.
 */
export function waterFill(
  lengths: Float64Array,
  measure: (i: number) => number,
  budget: number,
  least: number,
): Shares {
  const measured = new Uint8Array(lengths.length);
  const measuredLevel = (count: number): number => {
    // A body longer than the level computed from the lower bounds is shortened, whatever its exact length.
    const high = level(lengths, count, budget);
    for (let i = 0; i < count; i++) {
      if (measured[i] === 1 || (lengths[i] as number) > high) continue;
      lengths[i] = measure(i);
      measured[i] = 1;
    }
    return level(lengths, count, budget);
  };
  let sharing = lengths.length;
  let cap = measuredLevel(sharing);
  if (cap < least) {
    let left = budget;
    for (sharing = 0; sharing < lengths.length; sharing++) {
      left -= Math.min(lengths[sharing] as number, least);
      if (left < 0) break;
    }
    cap = measuredLevel(sharing);
  }
  return { cap, sharing, spare: budget - filled(lengths, sharing, cap) };
}

function level(lengths: Float64Array, count: number, budget: number): number {
  let low = 0;
  let high = budget;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (filled(lengths, count, middle) <= budget) low = middle;
    else high = middle - 1;
  }
  return low;
}

function filled(lengths: Float64Array, count: number, cap: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += Math.min(lengths[i] as number, cap);
  return sum;
}
