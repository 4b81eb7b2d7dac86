import type Sharp from 'sharp';
import { ServiceError } from '#lib/core/errors.ts';

export type SharpFactory = typeof Sharp;
export type SharpLoader = () => Promise<SharpFactory>;

const systemLoader: SharpLoader = async () => (await import('sharp')).default;

/**
 * The image library, loaded on first need because it is native and may not exist on a machine. Throws
 * `composition-unavailable`; call it before anything is reserved.
 */
export async function loadSharp(load: SharpLoader = systemLoader): Promise<SharpFactory> {
  try {
    return await load();
  } catch (cause) {
    throw new ServiceError('composition-unavailable', { cause });
  }
}
