import type { AuditView } from '#lib/identity/audit/read-audit.ts';

/** The subject of an entry: its kind, its name if it has one, and the page that shows it. */
export type AuditObject = { kind: string; name: string | null; href: string | null };

type Place = (entry: AuditView) => string | null;
const at =
  (href: string): Place =>
  () =>
    href;
const text = (value: unknown) => (typeof value === 'string' ? value : null);

const KINDS: Record<string, [kind: string, place: Place]> = {
  account: ['Compte', at('/equipe/compte')],
  member: ['Membre', at('/equipe')],
  session: ['Session', at('/compte')],
  passkey: ['Clé d’accès', at('/compte')],
  developerKey: ['Clé', at('/developpeurs')],
  webhookEndpoint: ['Abonnement', ({ subjectId }) => `/developpeurs/evenements/${subjectId}`],
  oauthGrant: ['Application', at('/applications')],
  project: ['Projet', at('/projets')],
  shareLink: ['Partage', at('/partages')],
  space: ['Espace', ({ subjectId }) => `/espaces/${subjectId}`],
  memory: ['Mémoire', memoryPlace],
  proposal: ['Proposition', at('/propositions')],
  generation: ['Génération', ({ subjectId }) => `/journal/${subjectId}`],
  asset: ['Fichier', ({ data }) => (text(data.generationId) ? `/journal/${data.generationId}` : null)],
  avatar: ['Avatar', at('/avatars')],
  concept: ['Concept', at('/produits')],
  lesson: ['Leçon', at('/produits')],
  rush: ['Fichier gardé', at('/produits')],
  product: ['Produit', at('/produits')],
  upload: ['Fichier envoyé', at('/envois')],
};

function memoryPlace({ action, subjectId, data }: AuditView): string | null {
  const space = text(data.spaceId);
  if (!space) return null;
  const view = action === 'memory.updated' || action === 'memory.restored' ? '&vue=historique' : '';
  return `/espaces/${space}?memoire=${subjectId}${view}`;
}

/** The subject of an entry; null if it has neither a name nor a page. */
export function auditObject(entry: AuditView): AuditObject | null {
  const known = Object.hasOwn(KINDS, entry.subjectType ?? '') ? KINDS[entry.subjectType ?? ''] : undefined;
  if (!entry.subjectId || !known) return null;
  const [kind, place] = known;
  // A generation has no name: its kind is shown instead.
  if (entry.subjectType === 'generation')
    return { kind: entry.subjectName ?? kind, name: null, href: place(entry) };
  const name = entry.subjectName ?? text(entry.data.name) ?? text(entry.data.host);
  return { kind, name, href: place(entry) };
}
