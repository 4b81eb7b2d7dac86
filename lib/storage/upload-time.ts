/**
 * The upload time that the store reports; null when there is none, or an impossible one (some stores report no date, or the zero of their
 * clock). A file of unknown age must never count as old.
 */
export function uploadTimeOf(told: Date | undefined): Date | null {
  return told !== undefined && told.getTime() > 0 ? told : null;
}
