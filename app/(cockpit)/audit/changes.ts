import { SOURCE_LABELS } from '#app/_cockpit/brain-words.ts';
import { PERMISSION_WORDS } from '#app/_cockpit/permission-words.ts';
import { CLOSED_BY } from '#app/_studio/setting-words.ts';
import { bytes, date, nbsp, number, usd } from '#app/_ui/format.ts';
import { isPillarRole, TEMPLATES } from '#lib/brain/templates.ts';
import { microsFromUsd } from '#lib/core/money.ts';
import type { AuditView } from '#lib/identity/audit/read-audit.ts';
import { SCOPE_WORDS } from '#lib/messages/scopes.ts';
import { FILE_STATE_LABELS } from '#lib/messages/storage.ts';

/** One field changed by an audit entry: its former value, if it is known, and its new one. */
type AuditChange = { label: string; before?: string; after: string };

const ROLES: Record<string, string> = { FOUNDER: 'Fondateur', MEMBER: 'Membre' };
const REASONS: Record<string, string> = {
  member: 'demandé par un membre',
  asked: 'demandé par un fondateur',
  expired: 'terme des 30 jours atteint',
  gone: 'l’adresse a répondu qu’elle n’existe plus',
  failing: 'l’adresse refuse depuis trop longtemps',
  backlog: 'trop d’envois en attente',
  secret: 'secret illisible',
};

/** What a proposal changes of a product. */
const PRODUCT_FIELDS: Record<string, { label: string }> = {
  name: { label: 'Nom' },
  spaceName: { label: 'Espace qui fait foi' },
  tone: { label: 'Ton' },
  promises: { label: 'Promesses' },
  shopDomains: { label: 'Boutiques' },
};

/** The fields of an entry that hold micro-dollars, and their labels. */
const AMOUNTS: Record<string, string> = {
  amountMicros: 'Montant',
  costMicros: 'Coût mesuré',
  monthlyCapMicros: 'Plafond du mois',
  perGenerationCapMicros: 'Plafond par génération',
  monthlyCeilingMicros: 'Plafond mensuel du compte',
};
const DOLLARS: Record<string, string> = {
  gatewayCostUsd: 'Coût selon la passerelle',
  formulaCostUsd: 'Coût selon le tarif',
  debitedUsd: 'Débité',
  costUsd: 'Coût payé',
};
const NUMBERS: Record<string, string> = {
  capacityCu: 'Capacité, en CU',
  contractualReads: 'Lectures par mois',
  cu: 'Taille, en CU',
  version: 'Version',
  memories: 'Mémoires',
  created: 'Créés',
  updated: 'Mis à jour',
  unchanged: 'Inchangés',
  refused: 'Refusés',
  files: 'Fichiers',
  generations: 'Générations',
  deliveries: 'Envois',
  sessionsEnded: 'Sessions fermées',
  keysRevoked: 'Clés révoquées',
  applicationsRevoked: 'Applications retirées',
  sharesWithdrawn: 'Partages retirés',
  count: 'Sessions fermées',
  views: 'Ouvertures',
};

/** What an audit entry changed, as labels and values, in the order of its data. Technical fields are left to the exact record. */
export function auditChanges({ data, parentTitles = {} }: AuditView): AuditChange[] {
  const { before, after } = data;
  if (isObject(before) && isObject(after)) return comparisons(before, after, parentTitles);
  if (isObject(data.from) && isObject(data.to)) return comparisons(data.from, data.to, parentTitles);
  return Object.entries(data).flatMap(([name, value]) => one(name, value, parentTitles));
}

type Titles = Readonly<Record<string, string>>;

function comparisons(
  before: Record<string, unknown>,
  after: Record<string, unknown>,
  titles: Titles,
): AuditChange[] {
  return Object.entries(after).flatMap(([name, value]) => {
    const [now] = one(name, value, titles);
    const [then] = one(name, before[name], titles);
    // Two Memories may have the same title, so parents are compared by identifier.
    const isSame = name === 'parentId' ? value === before[name] : now?.after === then?.after;
    if (!now || isSame) return [];
    return [{ ...now, before: then?.after ?? 'Rien' }];
  });
}

function one(name: string, value: unknown, titles: Titles): AuditChange[] {
  const said = (label: string, after: string): AuditChange[] => [{ label, after: nbsp(after) }];
  if (AMOUNTS[name]) return said(AMOUNTS[name], value === null ? 'Aucun' : amount(value));
  if (DOLLARS[name] && typeof value === 'number') return said(DOLLARS[name], usd(microsFromUsd(value)));
  if (NUMBERS[name]) return typeof value === 'number' ? said(NUMBERS[name], number(value)) : [];
  switch (name) {
    case 'role':
      return said('Rôle', ROLES[String(value)] ?? String(value));
    case 'permissions':
      return said(
        'Droits',
        listed(value, (one) => wordsOf(PERMISSION_WORDS, one)),
      );
    case 'spaces':
      return said('Espaces', value === null ? 'Tous' : listed(value, spaceWords));
    case 'scopes':
      return said(
        'Portées',
        listed(value, (one) => wordsOf(SCOPE_WORDS, one)),
      );
    case 'events':
      return said('Événements', listed(value, String));
    case 'pillar':
      // The entry does not hold the labels that a Space gave to its pillars: those of the brand template are used.
      return isPillarRole(value) ? said('Pilier', TEMPLATES.brand.pillars[value].label) : [];
    case 'parentId':
      return said('Rangée sous', parentWords(value, titles));
    case 'source':
      return said(
        'Origine',
        Object.hasOwn(SOURCE_LABELS, String(value)) ? labelOf(SOURCE_LABELS, value) : String(value),
      );
    case 'template':
      return Object.hasOwn(TEMPLATES, String(value))
        ? said('Type d’espace', TEMPLATES[value as keyof typeof TEMPLATES].label)
        : [];
    case 'name':
      return said('Nom', String(value));
    case 'websiteUrl':
      return said('Site web', value === null ? 'Aucun' : String(value));
    case 'expiresAt':
      return said('Fin', value === null ? 'Sans fin' : dayOf(value));
    case 'previousEndsAt':
      return said('L’ancien marche jusqu’au', dayOf(value));
    case 'bytes':
      return value === null ? said('Place', 'Sans limite') : said('Taille', bytes(Number(value)));
    case 'from':
      return typeof value === 'string' && Object.hasOwn(FILE_STATE_LABELS, value)
        ? said('État d’avant', labelOf(FILE_STATE_LABELS, value))
        : [];
    case 'closedBy':
      return Object.hasOwn(CLOSED_BY, String(value)) ? said('Close par', labelOf(CLOSED_BY, value)) : [];
    case 'reason':
      return Object.hasOwn(REASONS, String(value)) ? said('Raison', labelOf(REASONS, value)) : [];
    case 'fields':
      return Array.isArray(value) && value.length > 0
        ? said(
            'Champs',
            listed(value, (one) => wordsOf(PRODUCT_FIELDS, one)),
          )
        : [];
    case 'host':
      return said('Adresse', String(value));
    default:
      return [];
  }
}

/** The parent of a Memory, by its title. */
function parentWords(value: unknown, titles: Titles): string {
  if (value === null) return 'La racine du pilier';
  return Object.hasOwn(titles, String(value))
    ? `«\u00a0${titles[String(value)]}\u00a0»`
    : 'Une mémoire effacée depuis';
}

/** A date in words; any other value is returned as it is. */
function dayOf(value: unknown): string {
  return Number.isNaN(Date.parse(String(value))) ? String(value) : date(String(value));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function labelOf(labels: Record<string, string>, value: unknown): string {
  return labels[String(value)] ?? String(value);
}

function wordsOf(words: Record<string, { label: string }>, value: unknown): string {
  return Object.hasOwn(words, String(value)) ? (words[String(value)]?.label ?? '') : String(value);
}

/** The access given to a Space, in words. */
function spaceWords(value: unknown): string {
  if (!isObject(value)) return '';
  return `${String(value.name)} (${value.access === 'write' ? 'écriture' : 'lecture'})`;
}

function listed(value: unknown, words: (one: unknown) => string): string {
  return Array.isArray(value) && value.length > 0 ? value.map(words).join(', ') : 'Aucun';
}

/** An amount, which an entry keeps as a string of digits with an optional sign. */
function amount(value: unknown): string {
  return /^-?\d{1,18}$/.test(String(value)) ? usd(BigInt(String(value))) : String(value);
}
