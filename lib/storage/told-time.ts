/**
 * When a file arrived, as its store tells it; null when it tells nothing that can be true: some say no date, or the zero of their clock. An
 * unknown age is none: such a file must never be taken for an old one.
 */
export function toldTime(told: Date | undefined): Date | null {
  return told !== undefined && told.getTime() > 0 ? told : null;
}
