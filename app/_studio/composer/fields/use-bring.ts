'use client';
import { newKey } from '#app/_ui/new-key.ts';
import type { ComposerData, Draft, DraftReference } from '../draft/draft.ts';
import { firstRole, rolesOf } from '../draft/roles.ts';
import type { Change } from '../draft/use-draft.ts';

/** Loads the code that uploads files. */
export const loadAttach = () => import('./attach.ts');

export type NewReference = Omit<DraftReference, 'key' | 'role'>;

/** Adds references to a draft: files, addresses, and files of the account. Null if the kind takes none. */
export function useBring(draft: Draft, data: ComposerData, change: Change) {
  const roles = rolesOf(draft, data);
  if (roles.length === 0) return null;
  const takesClips = roles.some((role) => role === 'clips' || role === 'clip');
  const takesImages = roles.some((role) => role !== 'clips' && role !== 'clip');
  const update = (key: string, part: Partial<DraftReference>) =>
    change((before) => ({
      references: before.references.map((one) => (one.key === key ? { ...one, ...part } : one)),
    }));
  const add = (one: NewReference) => {
    const key = newKey();
    change((before) => ({
      references: [
        ...before.references,
        { ...one, key, role: firstRole(before, data, one.contentType ?? 'image/') },
      ],
    }));
    return key;
  };
  const bring = async (file: File) => {
    const thumbnail = file.type.startsWith('image/') ? URL.createObjectURL(file) : undefined;
    const key = add({
      ref: null,
      name: file.name,
      contentType: file.type,
      ...(thumbnail ? { thumbnail } : { progress: 0 }),
    });
    const landed = (part: Partial<DraftReference>) => update(key, part);
    try {
      const { bringIn } = await loadAttach();
      await bringIn(file, { key, productId: draft.productId, takesClips, thumbnail }, landed);
    } catch {
      landed({ refusal: 'L’envoi n’a pas abouti.' });
    }
  };
  const addLink = (address: string) => {
    const moves = /\.(mp4|mov|webm|m4v)(\?|$)/i.test(address);
    add({
      ref: address,
      name: URL.canParse(address) ? new URL(address).hostname : address,
      contentType: moves ? 'video/mp4' : 'image/',
    });
  };
  const remove = (key: string) =>
    change((before) => ({ references: before.references.filter((one) => one.key !== key) }));
  return { roles, takesClips, takesImages, update, add, remove, bring, addLink };
}

export type Bring = NonNullable<ReturnType<typeof useBring>>;
