import { nbsp } from '#app/_ui/format.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';

/** Families of actions, as the audit page filters them. */
export const AUDIT_FAMILIES: { value: string; label: string; actions: string[] }[] = [
  { value: 'compte', label: 'Compte', actions: ['account', 'audit'] },
  { value: 'membres', label: 'Membres', actions: ['member'] },
  { value: 'sessions', label: 'Connexions', actions: ['session'] },
  { value: 'cles', label: 'Clés de développeur', actions: ['key'] },
  { value: 'applications', label: 'Applications', actions: ['oauth'] },
  { value: 'espaces', label: 'Espaces et mémoires', actions: ['space', 'memory', 'import', 'export'] },
  { value: 'projets', label: 'Projets', actions: ['project'] },
  {
    value: 'studio',
    label: 'Studio',
    actions: ['generation', 'concept', 'lesson', 'rush', 'product', 'avatar', 'voice'],
  },
  {
    value: 'fichiers',
    label: 'Fichiers',
    actions: ['file', 'asset', 'upload', 'reference', 'storage', 'retention'],
  },
  { value: 'portefeuille', label: 'Portefeuille', actions: ['ledger', 'spend', 'wallet'] },
];

const named = (entry: AuditView, what: string): string => {
  const name = entry.subjectName ?? (typeof entry.data.name === 'string' ? entry.data.name : null);
  return name ? `${what} «\u00a0${name}\u00a0»` : what;
};
const member = (entry: AuditView) => entry.subjectName ?? 'un membre';

const WORDS: Record<string, (entry: AuditView) => string> = {
  'account.created': () => 'a créé le compte',
  'account.allowance_set': () => 'a changé la capacité ou le quota du compte',
  'audit.exported': (entry) => `a exporté l’audit en ${String(entry.data.format ?? '').toUpperCase()}`,
  'member.invited': (entry) => `a invité ${member(entry)}`,
  'member.joined': () => 'a rejoint le compte',
  'member.updated': (entry) => `a changé le rôle ou les droits de ${member(entry)}`,
  'member.renamed': () => 'a changé son nom',
  'member.suspended': (entry) => `a suspendu ${member(entry)}`,
  'member.reactivated': (entry) => `a réactivé ${member(entry)}`,
  'session.opened': () => 's’est connecté',
  'session.revoked': () => 'a fermé une de ses sessions',
  'session.revoked_all': () => 's’est déconnecté partout',
  'key.created': (entry) => `a créé ${named(entry, 'la clé')}`,
  'key.revoked': (entry) => `a révoqué ${named(entry, 'la clé')}`,
  'key.rotated': (entry) => `a remplacé ${named(entry, 'la clé')}`,
  'oauth.granted': (entry) => `a autorisé ${named(entry, 'l’application')}`,
  'oauth.revoked': (entry) => `a retiré l’accès de ${named(entry, 'l’application')}`,
  'project.registered': (entry) => `a enregistré ${named(entry, 'le projet')}`,
  'project.updated': (entry) => `a modifié ${named(entry, 'le projet')}`,
  'space.created': (entry) => `a créé ${named(entry, 'l’espace')}`,
  'space.changed': (entry) => `a modifié ${named(entry, 'l’espace')}`,
  'space.archived': (entry) => `a archivé ${named(entry, 'l’espace')}`,
  'space.imported': (entry) => `a importé du contenu dans ${named(entry, 'l’espace')}`,
  'space.exported': (entry) => `a exporté ${named(entry, 'l’espace')}`,
  'space.unarchived': (entry) => `a désarchivé ${named(entry, 'l’espace')}`,
  'import.started': () => 'a commencé un import',
  'import.finished': () => 'a terminé un import',
  'memory.added': () => 'a ajouté une mémoire',
  'memory.created': () => 'a ajouté une mémoire',
  'memory.updated': () => 'a modifié une mémoire',
  'memory.moved': () => 'a déplacé une mémoire',
  'memory.deleted': () => 'a supprimé une mémoire',
  'memory.undeleted': () => 'a rétabli une mémoire supprimée',
  'memory.restored': () => 'a rétabli une version d’une mémoire',
  'generation.submitted': () => 'a demandé une génération',
  'generation.submit_pending': () => 'a demandé une génération dont l’envoi reste à confirmer',
  'generation.closed': () => 'a clos une génération',
  'generation.close_pending': () => 'a laissé une génération à clore par la relève',
  'generation.settle_pending': () => 'a laissé un débit à confirmer par la relève',
  'generation.reconciled': () => 'a rapproché le coût d’une génération',
  'generation.cost_divergence': () => 'a relevé un écart de coût',
  'generation.paid_not_delivered': () => 'a relevé une génération payée et non livrée',
  'generation.late_look': () => 'a relu une génération après son terme',
  'generation.files_expired': () => 'a supprimé les fichiers d’une génération arrivés à leur terme',
  'generation.files_deleted': () => 'a supprimé les fichiers d’une génération',
  'generation.files_discarded': () => 'a écarté les fichiers d’une génération',
  'asset.approved': () => 'a approuvé un fichier',
  'asset.rejected': () => 'a écarté un fichier',
  'asset.pending': () => 'a remis un fichier en attente d’avis',
  'avatar.saved': () => 'a enregistré un avatar',
  'avatar.deleted': () => 'a supprimé un avatar',
  'concept.created': () => 'a créé un concept',
  'concept.deleted': () => 'a supprimé un concept',
  'concept.attached': () => 'a rattaché un fichier à un concept',
  'concept.detached': () => 'a détaché un fichier d’un concept',
  'lesson.added': () => 'a ajouté un enseignement',
  'lesson.deleted': () => 'a supprimé un enseignement',
  'rush.kept': () => 'a gardé un fichier au-delà de son terme',
  'rush.released': () => 'a rendu un fichier à la rétention',
  'product.blobs_purged': () => 'a purgé les fichiers d’un produit',
  'reference.expired': () => 'a supprimé une référence arrivée à son terme',
  'generation.completed': () => 'a terminé une génération',
  'generation.failed': () => 'a clos une génération en échec',
  'generation.cancelled': () => 'a demandé une génération refusée faute de solde ou de plafond',
  'generation.charge_missing': () => 'a livré une génération dont le coût reste à mesurer',
  'ledger.granted': () => 'a accordé du crédit',
  'ledger.spend_alert': () => 'a signalé une dépense élevée',
  'ledger.caps_set': () => 'a changé les plafonds de dépense',
  'spend.alert': () => 'a signalé une dépense élevée',
  'storage.purged': () => 'a purgé des fichiers',
};

const JOBS: Record<string, string> = {
  'generations-sweep': 'La relève automatique',
  retention: 'La rétention',
  webhook: 'Le retour d’un fournisseur',
};

/** Who did it, in words. */
export function auditActor(entry: AuditView): string {
  const [kind, id] = [entry.actor.split(':')[0], entry.actor.slice(entry.actor.indexOf(':') + 1)];
  if (kind === 'member') return entry.actorName ?? 'Un membre';
  if (kind === 'key') return nbsp(entry.actorName ? `La clé «\u00a0${entry.actorName}\u00a0»` : 'Une clé');
  if (kind === 'oauth')
    return nbsp(entry.actorName ? `L’application «\u00a0${entry.actorName}\u00a0»` : 'Une application');
  if (kind === 'system') return JOBS[id] ?? 'Le système';
  return kind === 'admin' ? 'L’administration' : 'Quelqu’un';
}

/** What was done, in words that follow the name; an action without words says its code. */
export function auditDeed(entry: AuditView): string {
  const words = WORDS[entry.action];
  return nbsp(words ? words(entry) : `a fait «\u00a0${entry.action}\u00a0»`);
}
