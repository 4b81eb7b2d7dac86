/** The platform lets this instance start no program. */
export class ApartRefused extends Error {
  override readonly name = 'ApartRefused';
}

// Set where the instance boots, read in the routes: they are bundled apart.
const shared = globalThis as { atelierReadsHere?: boolean };

/** At boot, outside production: where no program can be started, media are read in this process, which a hostile file may end. */
export function allowReadingHere(): void {
  shared.atelierReadsHere = true;
}

/** `apart`, or `here` where the platform refuses programs and this instance serves recorded answers, not customers. Errors: those of both, `ApartRefused`. */
export async function apartOrHere<T>(apart: () => Promise<T>, here: () => Promise<T>): Promise<T> {
  try {
    return await apart();
  } catch (error) {
    if (!(error instanceof ApartRefused) || !shared.atelierReadsHere) throw error;
    return here();
  }
}
