import { count, nbsp, number, ofName, usd } from '#app/_ui/format.ts';
import type { SystemJob } from '#lib/core/actor.ts';
import type { AuditAction, AuditDetail, AuditFamily } from '#lib/core/audit.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';

/** The filters of the audit page, in their order. */
const FILTERS = {
  compte: 'Compte',
  membres: 'Membres',
  sessions: 'Connexions',
  cles: 'Clés et événements',
  applications: 'Applications',
  espaces: 'Espaces et mémoires',
  projets: 'Projets',
  studio: 'Studio',
  fichiers: 'Fichiers',
  portefeuille: 'Portefeuille',
  exploitation: 'Exploitation',
} as const;

/** The filter of each family of actions. */
const FILTER_OF: Record<AuditFamily, keyof typeof FILTERS> = {
  account: 'compte',
  audit: 'compte',
  member: 'membres',
  session: 'sessions',
  passkey: 'sessions',
  key: 'cles',
  webhook: 'cles',
  oauth: 'applications',
  space: 'espaces',
  memory: 'espaces',
  import: 'espaces',
  project: 'projets',
  share: 'fichiers',
  generation: 'studio',
  concept: 'studio',
  lesson: 'studio',
  rush: 'studio',
  product: 'studio',
  avatar: 'studio',
  asset: 'fichiers',
  reference: 'fichiers',
  ledger: 'portefeuille',
  operations: 'exploitation',
};

/** The filters, with the families of actions that each includes. */
export const AUDIT_FILTERS = Object.entries(FILTERS).map(([value, label]) => ({
  value,
  label,
  families: Object.entries(FILTER_OF).flatMap(([family, filter]) => (filter === value ? [family] : [])),
}));

type Entry<A extends AuditAction> = { subjectName: string | null; data: AuditDetail<A> };

const named = (entry: { subjectName: string | null; data: { name?: string } }, what: string) =>
  quoted(what, entry.subjectName ?? entry.data.name ?? null);
const quoted = (what: string, name: string | null) => (name ? `${what} «\u00a0${name}\u00a0»` : what);
const memory = (entry: { subjectName: string | null }) =>
  entry.subjectName ? `la mémoire «\u00a0${entry.subjectName}\u00a0»` : 'une mémoire';
/** The other Memories that the action concerned. */
const andOthers = (memories: number) => {
  if (!(memories > 1)) return '';
  return memories === 2 ? ' et une autre' : ` et ${number(memories - 1)} autres`;
};
const credit = ({ amountMicros }: { amountMicros: string }) =>
  /^\d{1,18}$/.test(amountMicros) ? `${usd(BigInt(amountMicros))} de crédit` : 'du crédit';
const member = (entry: { subjectName: string | null }) => entry.subjectName ?? 'un membre';

const WORDS: { [A in AuditAction]: (entry: Entry<A>) => string } = {
  'account.created': () => 'a créé le compte',
  'account.allowance_set': () => 'a changé la capacité ou le quota du compte',
  'account.operator_set': ({ data }) =>
    data.operator ? 'a fait de ce compte celui de l’exploitant' : 'a confié l’exploitation à un autre compte',
  'account.ceiling_set': () => 'a changé le plafond mensuel du compte',
  'account.storage_set': () => 'a changé la place des fichiers du compte',
  'account.closed': () => 'a fermé le compte',
  'account.reopened': () => 'a rouvert le compte',
  'account.erased': () => 'a effacé un compte fermé',
  'account.export_started': () => 'a demandé l’export du compte',
  'account.export_opened': () => 'a téléchargé l’export du compte',
  'audit.exported': (entry) => `a exporté l’audit en ${entry.data.format.toUpperCase()}`,
  'member.invited': (entry) => `a invité ${member(entry)}`,
  'member.joined': () => 'a rejoint le compte',
  'member.updated': (entry) => `a changé le rôle ou les droits ${ofName(member(entry))}`,
  'member.renamed': () => 'a changé son nom',
  'member.suspended': (entry) => `a suspendu ${member(entry)}`,
  'member.reactivated': (entry) => `a réactivé ${member(entry)}`,
  'member.removed': (entry) => `a retiré ${member(entry)} du compte`,
  'member.erased': () => 'a effacé un membre',
  'member.invitation_declined': () => 'a refusé l’invitation',
  'member.sign_in_unblocked': (entry) => `a débloqué la connexion ${ofName(member(entry))}`,
  'session.opened': () => 'a ouvert une session',
  'session.verified': () => 'a confirmé son identité',
  'session.account_chosen': () => 'a choisi ce compte dans sa session',
  'session.revoked': () => 'a fermé une de ses sessions',
  'session.revoked_all': () => 'a fermé toutes ses sessions',
  'passkey.added': (entry) => `a ajouté ${named(entry, 'la clé d’accès')}`,
  'passkey.removed': (entry) => `a retiré ${named(entry, 'la clé d’accès')}`,
  'key.created': (entry) => `a créé ${named(entry, 'la clé')}`,
  'key.revoked': (entry) => `a révoqué ${quoted('la clé', entry.subjectName)}`,
  'key.rotated': (entry) => `a remplacé ${named(entry, 'la clé')}`,
  'key.cap_set': (entry) => `a changé le plafond de ${named(entry, 'la clé')}`,
  'key.spaces_set': (entry) => `a changé les espaces ouverts à ${named(entry, 'la clé')}`,
  'webhook.created': ({ data }) => `a abonné l’adresse ${data.host} aux événements`,
  'webhook.changed': ({ data }) => `a changé l’abonnement de l’adresse ${data.host}`,
  'webhook.secret_rotated': ({ data }) => `a remplacé le secret de l’adresse ${data.host}`,
  'webhook.enabled': ({ data }) => `a repris les envois à ${data.host}`,
  'webhook.disabled': ({ data }) =>
    data.reason === 'member'
      ? `a arrêté les envois à ${data.host}`
      : `a arrêté les envois à ${data.host}, qui ne répond plus comme il faut`,
  'webhook.deleted': ({ data }) => `a supprimé l’abonnement de l’adresse ${data.host}`,
  'webhook.replayed': ({ data }) =>
    `a renvoyé ${data.deliveries === 1 ? 'un événement' : count(data.deliveries, 'événement')} à ${data.host}`,
  'oauth.granted': (entry) => `a autorisé ${named(entry, 'l’application')}`,
  'oauth.revoked': (entry) => {
    const { reason } = entry.data;
    if (reason === 'CLIENT') return 'a renoncé à son accès';
    const ended = `a retiré l’accès de ${named(entry, 'l’application')}`;
    if (reason === 'CODE_REUSED') return `${ended}, dont un code a servi deux fois`;
    return reason === 'REFRESH_REUSED' ? `${ended}, dont un jeton a servi deux fois` : ended;
  },
  'oauth.spaces_set': (entry) => `a changé les espaces ouverts à ${named(entry, 'l’application')}`,
  'oauth.cap_set': (entry) => `a changé le plafond de ${named(entry, 'l’application')}`,
  'share.created': ({ data }) =>
    data.kind === 'space'
      ? 'a partagé par un lien le contexte d’un espace'
      : 'a partagé un fichier par un lien',
  'share.withdrawn': () => 'a retiré un partage',
  'project.registered': (entry) => `a enregistré ${named(entry, 'le projet')}`,
  'project.updated': (entry) => `a modifié ${named(entry, 'le projet')}`,
  'space.created': (entry) => `a créé ${named(entry, 'l’espace')}`,
  'space.changed': (entry) => `a modifié ${named(entry, 'l’espace')}`,
  'space.archived': (entry) => `a archivé ${quoted('l’espace', entry.subjectName)}`,
  'space.unarchived': (entry) => `a réactivé ${quoted('l’espace', entry.subjectName)}`,
  'import.started': () => 'a commencé un import',
  'import.finished': () => 'a terminé un import',
  'memory.added': (entry) => `a ajouté ${memory(entry)}`,
  'memory.updated': (entry) => `a modifié ${memory(entry)}`,
  'memory.moved': (entry) => `a déplacé ${memory(entry)}`,
  'memory.deleted': (entry) => `a supprimé ${memory(entry)}${andOthers(entry.data.memories)}`,
  'memory.proposed': ({ data }) =>
    data.memoryId ? 'a proposé de changer une mémoire' : 'a proposé une mémoire',
  'memory.proposal_accepted': ({ data }) =>
    data.edited ? 'a accepté une proposition après l’avoir modifiée' : 'a accepté une proposition',
  'memory.proposal_refused': () => 'a refusé une proposition',
  'memory.undeleted': (entry) => `a rétabli ${memory(entry)}${andOthers(entry.data.memories)}`,
  'memory.erased': ({ data: { memories } }) =>
    memories > 1
      ? `a effacé ${count(memories, 'mémoire')} pour toujours`
      : 'a effacé une mémoire pour toujours',
  'memory.restored': (entry) => `a rétabli une version de ${memory(entry)}`,
  'generation.submit_pending': () => 'a demandé une génération dont l’envoi reste à confirmer',
  'generation.close_pending': () => 'a laissé une génération à clore par la relève',
  'generation.settle_pending': () => 'a laissé un débit à confirmer par la relève',
  'generation.reconciled': () => 'a rapproché le coût d’une génération',
  'generation.cost_divergence': () => 'a relevé un écart de coût',
  'generation.rest_settled': () => 'a débité le reste d’un coût',
  'generation.paid_not_delivered': () => 'a relevé une génération payée et non livrée',
  'generation.late_look': () => 'a relu une génération après son terme',
  'generation.files_expired': ({ data }) =>
    data.by === 'orphan-scan'
      ? 'a supprimé des fichiers du magasin que rien ne nommait plus'
      : 'a supprimé les fichiers d’une génération arrivés à leur terme',
  'generation.files_deleted': () => 'a mis à la corbeille les fichiers d’une génération',
  'generation.files_restored': () => 'a rétabli les fichiers d’une génération',
  'generation.files_erased': () => 'a effacé pour toujours les fichiers d’une génération',
  'generation.files_delete_failed': () => 'n’a pas pu supprimer des fichiers',
  'generation.files_discarded': () => 'a écarté les fichiers d’une génération',
  'generation.commented': () => 'a commenté une génération',
  'generation.comment_deleted': () => 'a supprimé un commentaire',
  'asset.imported': ({ data }) =>
    data.created === 1
      ? 'a repris un fichier de l’ancienne application'
      : `a repris ${count(data.created, 'fichier')} de l’ancienne application`,
  'asset.approved': () => 'a approuvé un fichier',
  'asset.rejected': () => 'a rejeté un fichier',
  'asset.delivered': () => 'a marqué un fichier comme livré',
  'asset.review_undone': () => 'a repris son avis sur un fichier',
  'avatar.saved': () => 'a enregistré un avatar',
  'avatar.deleted': () => 'a mis un avatar à la corbeille',
  'avatar.restored': () => 'a rétabli un avatar',
  'avatar.erased': () => 'a effacé un avatar pour toujours',
  'concept.created': () => 'a créé un concept',
  'concept.deleted': () => 'a mis un concept à la corbeille',
  'concept.restored': () => 'a rétabli un concept',
  'concept.erased': () => 'a effacé un concept pour toujours',
  'concept.attached': () => 'a rattaché un fichier à un concept',
  'concept.detached': () => 'a détaché un fichier d’un concept',
  'lesson.added': () => 'a retenu une leçon',
  'lesson.deleted': () => 'a oublié une leçon',
  'rush.kept': () => 'a gardé un fichier au-delà de son terme',
  'rush.released': () => 'a rendu un fichier à la rétention',
  'product.proposed': (entry) =>
    `a proposé ${named(entry, entry.data.isNew ? 'le produit' : 'un changement du produit')}`,
  'product.blobs_purged': () => 'a purgé les fichiers d’un produit',
  'reference.uploaded': () => 'a envoyé un fichier de référence',
  'reference.deleted': () => 'a mis un fichier envoyé à la corbeille',
  'reference.restored': () => 'a rétabli un fichier envoyé',
  'reference.erased': () => 'a effacé un fichier envoyé pour toujours',
  'reference.expired': () => 'a supprimé une référence arrivée à son terme',
  'generation.completed': () => 'a terminé une génération',
  'generation.failed': () => 'a clos une génération en échec',
  'generation.charge_missing': () =>
    'a livré une génération pour laquelle rien n’était retenu\u00a0: rien n’a été débité',
  'operations.sweep_requested': () => 'a demandé une relève',
  'ledger.granted': (entry) => `a accordé ${credit(entry.data)} à ${member(entry)}`,
  'ledger.account_granted': ({ data }) => `a accordé ${credit(data)} au compte`,
  'ledger.account_taken_back': () => 'a repris du crédit que le compte n’avait pas réparti',
  'ledger.credit_requested': () => 'a demandé du crédit à l’exploitant',
  'ledger.caps_set': (entry) => `a changé les plafonds de dépense ${ofName(member(entry))}`,
};

const JOBS: Record<SystemJob, string> = {
  'generations-sweep': 'La relève automatique',
  retention: 'La rétention',
  webhooks: 'L’envoi des événements',
  'video-webhook': 'Le retour d’un fournisseur',
  'render-callback': 'Le service de rendu',
  'upload-callback': 'Le magasin de fichiers',
};

/** Who acted, in words. */
export function auditActor(entry: AuditView): string {
  const [kind, id] = [entry.actor.split(':')[0], entry.actor.slice(entry.actor.indexOf(':') + 1)];
  const { actorName } = entry;
  switch (kind) {
    // Members keep their row as long as the account exists: one without a name here is a founder of the operator's account.
    case 'member':
      return actorName ?? 'L’exploitant';
    // A person who declines an invitation is not a member: the invitation has their name.
    case 'person':
      return actorName ?? (entry.subjectType === 'member' ? entry.subjectName : null) ?? 'Quelqu’un';
    case 'key':
      return nbsp(actorName ? `La clé «\u00a0${actorName}\u00a0»` : 'Une clé');
    case 'oauth':
      return nbsp(actorName ? `L’application «\u00a0${actorName}\u00a0»` : 'Une application');
    case 'system':
      return Object.hasOwn(JOBS, id) ? JOBS[id as SystemJob] : 'Le système';
    case 'admin':
      return 'L’administration';
    default:
      return entry.action === 'oauth.revoked' ? nbsp(endedBy(entry)) : 'Quelqu’un';
  }
}

/** Who ended an access without a credential: an application that gives its token back, or the service because a token was used twice. */
function endedBy({ subjectName, data }: AuditView): string {
  if (data.reason !== 'CLIENT') return 'Le service';
  const name = subjectName ?? data.name;
  return typeof name === 'string' ? `L’application «\u00a0${name}\u00a0»` : 'Une application';
}

/** What was done, in words that follow the actor. An action of a former version, without words, is named by its code. */
export function actionWords(entry: AuditView): string {
  const words = Object.hasOwn(WORDS, entry.action)
    ? (WORDS[entry.action as AuditAction] as (entry: AuditView) => string)
    : undefined;
  return nbsp(words ? words(entry) : `a fait «\u00a0${entry.action}\u00a0»`);
}
