import type { ComposerData, Draft, Role } from './draft.ts';
import { ROLE_LABELS, rolesOf, SINGLE } from './roles.ts';

type LeftOut = {
  /** The reasons, by the key of the reference. A reference whose upload was refused has none here. */
  reasons: ReadonlyMap<string, string>;
  /** The reference that needs another one before anything can be sent. */
  unpaired: { key: string; sentence: string } | null;
};

const quoted = (role: Role) => `«\u00a0${ROLE_LABELS[role]}\u00a0»`;

/** The references that the request would not contain, each with its reason: none is dropped silently. */
export function leftOut(draft: Draft, data: ComposerData): LeftOut {
  const roles = rolesOf(draft, data);
  const kept = draft.references.filter((one) => !one.refusal);
  const reasons = new Map<string, string>();
  const holder = (role: Role) => kept.find((one) => one.role === role);
  for (const one of kept) {
    const first = holder(one.role);
    if (!roles.includes(one.role)) reasons.set(one.key, 'Ce type ou ce modèle n’en prend pas.');
    else if (SINGLE.has(one.role) && first !== one)
      reasons.set(
        one.key,
        `Une seule référence ${quoted(one.role)} part, la première\u00a0: changez ce rôle ou retirez l’autre.`,
      );
    else if (one.role === 'character' && holder('clip'))
      reasons.set(one.key, 'Le clip passe avant le personnage\u00a0: retirez l’un des deux.');
  }
  if (!roles.includes('mask')) return { reasons, unpaired: null };
  const masked: Role = roles.includes('source') ? 'source' : 'product';
  const product = holder(masked);
  const mask = holder('mask');
  const unmatched = product && !mask ? product : mask && !product ? mask : null;
  if (!unmatched) return { reasons, unpaired: null };
  const other: Role = unmatched.role === 'mask' ? masked : 'mask';
  const sentence = `${quoted(unmatched.role)} ne part pas sans ${quoted(other)}\u00a0: ajoutez-${other === 'source' ? 'la' : 'le'}, ou changez ce rôle.`;
  reasons.set(unmatched.key, sentence);
  return { reasons, unpaired: { key: unmatched.key, sentence } };
}
