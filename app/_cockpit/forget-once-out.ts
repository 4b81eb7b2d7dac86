'use client';
import { unstable_rethrow } from 'next/navigation';

/**
 * Awaits an action that ends the session. Once it leads away, what this tab kept of the member (texts that were not saved, a template on its
 * way to the composer) is gone: the next person at this screen is another. A refusal or a lost network forgets nothing.
 */
export async function forgetOnceOut<T>(ending: Promise<T>): Promise<T> {
  try {
    return await ending;
  } catch (error) {
    try {
      unstable_rethrow(error);
    } catch {
      forget();
    }
    throw error;
  }
}

function forget(): void {
  try {
    sessionStorage.clear();
  } catch {
    // A browser without storage kept nothing.
  }
}
