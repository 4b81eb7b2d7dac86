'use client';
import { unstable_rethrow } from 'next/navigation';

/**
 * Awaits an action that ends the session. Once it leads to another page, all that this tab stored for the member (unsaved texts, a template for the
 * composer) is deleted: the next person may be another. A refusal or a lost network deletes nothing.
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
    // Without storage, there is nothing to delete.
  }
}
