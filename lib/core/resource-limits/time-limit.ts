import type { Clock } from '../clock.ts';

/**
 * A deadline for work made of steps: asked before each step, never in the middle of one. It records whether it refused a step, so that a
 * report can say what was left.
 */
export class TimeLimit {
  readonly #elapsedMs: () => number;
  readonly #endMs: number;
  readonly #outer: TimeLimit | undefined;
  #stopped = false;

  /** `elapsedMs`: a clock that only goes forward, in milliseconds. `outer`: what this is a part of, and never goes past. */
  constructor(mostMs: number, elapsedMs: () => number, outer?: TimeLimit) {
    this.#elapsedMs = elapsedMs;
    this.#endMs = elapsedMs() + mostMs;
    this.#outer = outer;
  }

  /** What is left of it, in milliseconds; never below zero. */
  get leftMs(): number {
    const ownMs = Math.max(0, this.#endMs - this.#elapsedMs());
    return this.#outer ? Math.min(ownMs, this.#outer.leftMs) : ownMs;
  }

  /** Whether it, or a part of it, ever refused a step. */
  get stopped(): boolean {
    return this.#stopped;
  }

  /** True once no further step may begin, which is then recorded in `stopped`: ask only when there is a step to do. */
  isOver(): boolean {
    if (this.leftMs > 0) return false;
    this.#stop();
    return true;
  }

  /** A part of it, of so many milliseconds at most. */
  upTo(mostMs: number): TimeLimit {
    return new TimeLimit(mostMs, this.#elapsedMs, this);
  }

  #stop(): void {
    this.#stopped = true;
    if (this.#outer) this.#outer.#stop();
  }
}

/** The deadline of work of at most `mostMs`: a part of `within`, or by the context's clock when it is part of nothing. */
export function timeLimit(ctx: { clock: Clock }, mostMs: number, within?: TimeLimit): TimeLimit {
  return within?.upTo(mostMs) ?? new TimeLimit(mostMs, () => ctx.clock.now().getTime());
}
